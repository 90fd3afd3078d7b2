import { join } from "node:path";
import { PROJECT_FOLDER, projectFolders } from "../../../config/project.ts";
import type { Trust } from "../../../config/trust.ts";
import type { Places } from "../../../places.ts";
import { type CommandFile, findCommandFiles } from "./command_files.ts";
import { readUserCommand, type UserCommand } from "./user_command.ts";

/** The commands that a person and a project have written. */
export interface UserCommands {
  /** By name; of two with one name the closer: the project's own, then those above, then a person's. */
  readonly commands: ReadonlyMap<string, UserCommand>;
  /** Sentences that a person should read. */
  readonly warnings: readonly string[];
}

/** The folder of commands inside a folder of configuration. */
const COMMANDS_FOLDER = "commands";

/** Reads all commands; a project's own only where its folder is trusted, else that they are there. */
export async function loadUserCommands(
  { workspace, config }: Pick<Places, "workspace" | "config">,
  trust: Trust,
): Promise<UserCommands> {
  const commands = new Map<string, UserCommand>();
  const warnings: string[] = [];
  let waiting = 0;
  for (const { folder, origin, within } of foldersOf(workspace, config)) {
    const found = await findCommandFiles(folder, within);
    if (origin === "project" && trust !== "trusted") {
      waiting += found.files.length;
      continue;
    }
    warnings.push(...found.warnings);
    for (const file of found.files) {
      if (commands.has(file.name)) continue;
      const read = await readUserCommand(file, origin);
      warnings.push(...(read.ok ? read.command.warnings : [read.problem]));
      if (read.ok) commands.set(file.name, read.command);
    }
  }
  if (waiting > 0) warnings.push(waitingFor(waiting));
  return { commands, warnings };
}

/** The files of a project's own commands, the closest folder first; what they hold is not read. */
export async function projectCommandFiles(workspace: string): Promise<readonly CommandFile[]> {
  const found = await Promise.all(
    foldersOf(workspace, undefined).map(({ folder, within }) => findCommandFiles(folder, within)),
  );
  return found.flatMap(({ files }) => files);
}

/** That a project's commands wait for trust, as a sentence; undefined where there are none, or it has it. */
export async function waitingCommands(
  { workspace }: Pick<Places, "workspace">,
  trust: Trust,
): Promise<string | undefined> {
  if (trust !== "unasked") return undefined;
  const { length } = await projectCommandFiles(workspace);
  return length > 0 ? waitingFor(length) : undefined;
}

interface Folder {
  readonly folder: string;
  readonly origin: UserCommand["origin"];
  readonly within?: string;
}

function foldersOf(workspace: string, config: string | undefined): Folder[] {
  const projects = projectFolders(workspace);
  const root = projects.at(-1) ?? workspace;
  return [
    ...projects.map((folder): Folder => ({
      folder: join(folder, PROJECT_FOLDER, COMMANDS_FOLDER),
      origin: "project",
      within: root,
    })),
    ...(config === undefined
      ? []
      : [{ folder: join(config, COMMANDS_FOLDER), origin: "user" } as const]),
  ];
}

function waitingFor(count: number): string {
  const what = count === 1 ? "a command" : `${count} commands`;
  return `This project has ${what} in ${PROJECT_FOLDER}/${COMMANDS_FOLDER}, not used before you trust ` +
    `the folder: look at ${count === 1 ? "it" : "them"}, then say cordon trust`;
}
