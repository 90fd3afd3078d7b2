import { promptContent } from "../../attach_mentions.ts";
import type { SlashCommand } from "../command.ts";
import type { Desk } from "../desk.ts";
import { exchange } from "../exchange.ts";
import { expandCommand } from "./expand.ts";
import { toolsFor } from "./request.ts";
import type { UserCommand } from "./user_command.ts";

/** A command of a file as one of the slash commands: its text becomes a task. */
export function userSlashCommand(command: UserCommand): SlashCommand {
  const { name, hint, description, origin } = command;
  return {
    name,
    hint,
    description,
    origin,
    run: (argument, desk) => give(command, argument, desk),
  };
}

async function give(command: UserCommand, argument: string, desk: Desk): Promise<void> {
  for (const line of command.warnings) desk.warn(line);
  const { model } = command;
  const { launch, started } = desk.seat.agent;
  const other = model !== undefined && model !== started.model ? model : undefined;
  if (other === undefined) return await submit(command, argument, desk);
  const present = desk.seat.options.model ?? launch.configuration.config.model;
  if (!await exchange(desk, { kind: "settings", options: { model: other } })) return;
  try {
    await submit(command, argument, desk);
  } finally {
    if (present !== undefined) {
      await exchange(desk, { kind: "settings", options: { model: present } });
    }
  }
}

async function submit(command: UserCommand, argument: string, desk: Desk): Promise<void> {
  const { agent } = desk.seat;
  const warn = (line: string) => desk.warn(line);
  const prompt = expandCommand(command.body, argument);
  // What a file mentions is not what a person mentions.
  const content = await promptContent(prompt, agent, warn, argument);
  const tools = toolsFor(command, agent.enclosure.offered, warn);
  await desk.submit({ content, ...(tools && { tools }) });
}
