import { CommandError } from "../../../sandbox/commands/commands.ts";
import type { Content } from "../../../tools/tool.ts";
import { failureOf } from "../../failure.ts";
import { promptContent, type PromptExtras } from "../attach_mentions.ts";
import type { SlashCommand } from "./command.ts";
import type { Desk } from "./desk.ts";
import { isPathName } from "./path_name.ts";
import { type Registry, registryOf } from "./registry.ts";
import { readTypedLine } from "./typed_line.ts";

/** What a person sends with a line. */
export interface LineExtras {
  /** Files and images, as those that were pasted. */
  readonly more?: readonly Content[];
  /** The line without what was pasted into it, where there was something: no mention counts there. */
  readonly typed?: string;
}

/**
 * Does what a person typed: a slash command, a shell command after `!`, else a task for the agent,
 * to which the files are attached that `@` mentions. A mistake is told at the desk.
 * @throws where the agent is lost, or its log cannot be written.
 */
export async function handleLine(
  line: string,
  desk: Desk,
  { more = [], typed = line }: LineExtras = {},
): Promise<void> {
  if (line.trim() === "" && more.length === 0) return;
  try {
    await handle(line, desk, { more, mentioned: typed });
  } catch (error) {
    const { message, stack, code } = failureOf(error);
    if (desk.seat.isEmpty || code === "session_write") throw error;
    desk.warn(error instanceof CommandError ? error.message : stack ?? message);
  }
}

async function handle(line: string, desk: Desk, extras: PromptExtras): Promise<void> {
  const typed = readTypedLine(line);
  switch (typed.kind) {
    case "prompt":
      return await submit(typed.text, desk, extras);
    case "shell":
      return await runShell(typed.command, desk);
    case "list":
      return await (await registryOf(desk)).find("help")?.run("", desk, extras);
    case "command": {
      const { name, argument } = typed;
      const registry = await registryOf(desk);
      const command = registry.find(name);
      if (command) return await give(command, argument, desk, extras);
      if (await isPathName(name)) return await submit(line, desk, extras);
      return tellUnknown(name, registry, desk);
    }
  }
}

/**
 * Whether a line can be handled while the agent works: it is a command that only tells. Everything
 * else has to wait, and a prompt steers.
 */
export async function isForAnytime(line: string, desk: Desk): Promise<boolean> {
  const typed = readTypedLine(line);
  if (typed.kind !== "command") return typed.kind === "list";
  return (await registryOf(desk)).find(typed.name)?.anytime === true;
}

async function submit(prompt: string, desk: Desk, extras: PromptExtras): Promise<void> {
  await desk.submit({ content: await promptContent(prompt, desk.seat.agent, desk, extras) });
}

async function give(
  command: SlashCommand,
  argument: string,
  desk: Desk,
  extras: PromptExtras,
): Promise<void> {
  const { name, hint, origin } = command;
  if (argument !== "" && hint === "" && origin === "built-in") {
    return desk.warn(`/${name} takes nothing behind it`);
  }
  await command.run(argument, desk, extras);
}

async function runShell(command: string, desk: Desk): Promise<void> {
  const { agent } = desk.seat;
  const output = await desk.working(
    `$ ${command}`,
    (signal, progress) => agent.runCommand(command, signal, progress),
  );
  desk.say(output || "(no output)");
}

function tellUnknown(name: string, registry: Registry, desk: Desk): void {
  const near = registry.near(name).map((other) => `/${other}`);
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : "/help lists them.";
  desk.warn(`There is no command /${name}: ${hint} A text that begins with a slash gets two`);
  for (const line of registry.warnings) desk.warn(line);
}
