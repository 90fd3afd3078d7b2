import { toolsFor } from "../../../allowed_tools.ts";
import { promptContent } from "../../attach_mentions.ts";
import type { SlashCommand } from "../command.ts";
import { exchange } from "../exchange.ts";
import { expandCommand } from "./expand.ts";
import type { UserCommand } from "./user_command.ts";

/** A command of a file as one of the slash commands: its text becomes a task. */
export function userSlashCommand(command: UserCommand): SlashCommand {
  const { name, hint, description, origin } = command;
  return { name, hint, description, origin, run: (...given) => give(command, ...given) };
}

type Given = Parameters<SlashCommand["run"]>;

async function give(command: UserCommand, ...given: Given): Promise<void> {
  const [, desk] = given;
  for (const line of command.warnings) desk.warn(line);
  const { model } = command;
  const { launch, started } = desk.seat.agent;
  if (model === undefined || model === started.model) return await submit(command, ...given);
  const present = desk.seat.options.model ?? launch.configuration.config.model;
  if (!await exchange(desk, { kind: "settings", options: { model } })) return;
  try {
    await submit(command, ...given);
  } finally {
    if (present !== undefined) {
      await exchange(desk, { kind: "settings", options: { model: present } });
    }
  }
}

async function submit(command: UserCommand, ...[argument, desk, extras]: Given): Promise<void> {
  const { agent } = desk.seat;
  const warn = (line: string) => desk.warn(line);
  const prompt = expandCommand(command.body, argument);
  const content = await promptContent(prompt, agent, desk, extras);
  const tools = toolsFor(command, agent.enclosure.offered, warn);
  await desk.submit({ content, ...(tools && { tools }) });
}
