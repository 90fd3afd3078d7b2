import { printable } from "../output.ts";
import type { SlashCommand } from "./command.ts";

/** What else can be typed at the prompt. */
const OTHER_INPUT = [
  ["!COMMAND", "run a shell command; the model sees it with your next prompt"],
  ["@FILE", "attach a file to the prompt"],
  ["//TEXT", "a prompt that begins with a slash"],
] as const;

/** All commands, a line each, those of files by where they come from, and what else can be typed. */
export function commandList(commands: readonly SlashCommand[]): string {
  const rows = commands.map((command) => [typed(command), told(command)] as const);
  const all = [...rows, ...OTHER_INPUT];
  const width = Math.max(...all.map(([left]) => left.length));
  return all.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join("\n");
}

function typed({ name, hint }: SlashCommand): string {
  return printable(`/${name} ${hint}`).trimEnd();
}

function told({ description, origin }: SlashCommand): string {
  return printable(origin === "built-in" ? description : `${description} (${origin})`);
}
