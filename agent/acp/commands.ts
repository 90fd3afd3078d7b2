import type { AvailableCommand } from "@agentclientprotocol/sdk";
import { UsageError } from "../command_line/parse.ts";
import type { SlashCommand } from "../terminal/slash/command.ts";
import type { Desk } from "../terminal/slash/desk.ts";
import { isPathName } from "../terminal/slash/path_name.ts";
import { registryOf } from "../terminal/slash/registry.ts";
import { readTypedLine } from "../terminal/slash/typed_line.ts";
import { nearestNames } from "../../tools/nearest_name.ts";
import type { SaidInEditor } from "./prompt_content.ts";

/**
 * Built-in commands that make sense in an editor: which session goes on, and in which mode, is chosen
 * by requests of its own there.
 */
const OFFERED: ReadonlySet<string> = new Set([
  ...["model", "compact", "undo", "redo", "rights", "tools"],
  ...["cost", "export", "rename", "todo"],
]);

/** The commands that can be given now, read anew: a file may have been written since. */
export async function offeredCommands(desk: Desk): Promise<readonly SlashCommand[]> {
  const { commands } = await registryOf(desk);
  return commands.filter(({ name, origin }) => origin !== "built-in" || OFFERED.has(name));
}

/** Commands as the protocol lists them. Pure. */
export function listedCommands(commands: readonly SlashCommand[]): AvailableCommand[] {
  return commands.map(({ name, description, hint }) => ({
    ...{ name, description },
    ...(hint !== "" && { input: { hint } }),
  }));
}

/** What a person said, as something to do: a command of theirs, or a prompt. */
export type Wanted =
  | { readonly kind: "prompt"; readonly words: string }
  | { readonly kind: "command"; run(): Promise<void> };

/**
 * Reads what was said: `/name …` is a command, `//` a text that begins with a slash. A shell command
 * after `!` is none here, where what is said need not have been typed by a person.
 * @throws {UsageError} where there is no such command.
 */
export async function wantedOf({ words, more }: SaidInEditor, desk: Desk): Promise<Wanted> {
  const typed = readTypedLine(words);
  if (typed.kind === "prompt") return { kind: "prompt", words: typed.text };
  if (typed.kind !== "command") return { kind: "prompt", words };
  const { name, argument } = typed;
  const commands = await offeredCommands(desk);
  const command = commands.find((one) => one.name === name);
  if (command) return { kind: "command", run: () => give(command, argument, desk, more) };
  if (await isPathName(name)) return { kind: "prompt", words };
  throw new UsageError(unknownText(name, commands));
}

async function give(
  command: SlashCommand,
  argument: string,
  desk: Desk,
  more: SaidInEditor["more"],
): Promise<void> {
  if (argument !== "" && command.hint === "" && command.origin === "built-in") {
    throw new UsageError(`/${command.name} takes nothing behind it`);
  }
  // The editor has resolved what was mentioned.
  await command.run(argument, desk, { more, mentioned: "" });
}

function unknownText(name: string, commands: readonly SlashCommand[]): string {
  const near = nearestNames(name, commands.map((command) => command.name));
  const hint = near.length > 0
    ? `did you mean ${near.map((other) => `/${other}`).join(" or ")}?`
    : "a text that begins with a slash gets two";
  return `There is no command /${name}: ${hint}`;
}
