import { nearestNames } from "../../../tools/nearest_name.ts";
import type { Launch } from "../../launch.ts";
import { waitingText } from "../../waiting_text.ts";
import { compactCommand } from "./built_in/compact.ts";
import { exportCommand } from "./built_in/export.ts";
import { forkCommand } from "./built_in/fork.ts";
import { modelCommand } from "./built_in/model.ts";
import { clearCommand, newCommand } from "./built_in/new.ts";
import { profileCommand } from "./built_in/profile.ts";
import { exitCommand, quitCommand } from "./built_in/quit.ts";
import { renameCommand } from "./built_in/rename.ts";
import { costCommand, rightsCommand, todoCommand, toolsCommand } from "./built_in/reports.ts";
import { resumeCommand } from "./built_in/resume.ts";
import { redoCommand, undoCommand } from "./built_in/undo.ts";
import type { SlashCommand } from "./command.ts";
import type { Desk } from "./desk.ts";
import { promptCommands } from "./foreign_prompt.ts";
import { commandList } from "./command_list.ts";
import { findSkills } from "../../skills/find_skills.ts";
import { loadUserCommands } from "./user/load.ts";
import { skillCommands } from "./user/skill_command.ts";
import type { UserCommand } from "./user/user_command.ts";
import { userSlashCommand } from "./user/run.ts";

/** Every command that can be given. */
export interface Registry {
  /** Built-in ones first, aliases left out. */
  readonly commands: readonly SlashCommand[];
  find(name: string): SlashCommand | undefined;
  /** The file behind a command; undefined for those that are built in. */
  fileOf(name: string): UserCommand | undefined;
  /** Names like one that is none, the nearest first. */
  near(name: string): readonly string[];
  /** Sentences about files of commands that a person should read. */
  readonly warnings: readonly string[];
}

const BUILT_IN: readonly SlashCommand[] = [
  modelCommand,
  compactCommand,
  resumeCommand,
  newCommand,
  clearCommand,
  forkCommand,
  undoCommand,
  redoCommand,
  rightsCommand,
  toolsCommand,
  profileCommand,
  costCommand,
  exportCommand,
  renameCommand,
  todoCommand,
  quitCommand,
  exitCommand,
];

/**
 * Joins the built-in commands with those of files and `others`; a built-in name cannot be taken by a
 * file, nor either by others.
 */
export async function loadRegistry(
  { places, configuration }: Pick<Launch, "places" | "configuration">,
  others: readonly SlashCommand[] = [],
): Promise<Registry> {
  const { trust } = configuration.project;
  const files = await loadUserCommands(places, trust);
  const found = await findSkills(places, trust);
  const waiting = waitingText({ commands: files.waiting, skills: found.waiting });
  const warnings = [...files.warnings, ...found.warnings, ...(waiting ? [waiting] : [])];
  const skills = skillCommands(found.skills).map((skill) => [skill.name, skill] as const);
  // What is written as a command goes before a skill of the same name.
  const written = new Map([...skills, ...files.commands]);
  const byName = new Map([...BUILT_IN, helpCommand(() => registry)].map((c) => [c.name, c]));
  for (const command of written.values()) {
    if (byName.has(command.name)) {
      warnings.push(`${command.path} is passed over: /${command.name} is built in`);
    } else byName.set(command.name, userSlashCommand(command));
  }
  for (const command of others) {
    if (!byName.has(command.name)) byName.set(command.name, command);
  }
  const registry: Registry = {
    commands: [...byName.values()].filter(({ alias }) => !alias),
    find: (name) => byName.get(name),
    fileOf: (name) => byName.get(name)?.origin === "built-in" ? undefined : written.get(name),
    near: (name) => nearestNames(name, [...byName.keys()]),
    warnings,
  };
  return registry;
}

/** The commands that can be given at a desk, read anew: a file may have been written since. */
export async function registryOf(desk: Desk): Promise<Registry> {
  const { launch, foreign } = desk.seat.agent;
  return await loadRegistry(launch, promptCommands(foreign?.prompts ?? []));
}

/** `/help`: what can be typed; it tells of the other commands, and so is made with them. */
function helpCommand(registry: () => Registry): SlashCommand {
  return {
    name: "help",
    hint: "",
    description: "show this list",
    origin: "built-in",
    anytime: true,
    run(_, desk) {
      desk.say(commandList(registry().commands));
      for (const line of registry().warnings) desk.warn(line);
    },
  };
}
