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
  /** A project's own that are not used, since its folder is not trusted. */
  readonly waiting: readonly CommandFile[];
}

/** The folder of commands inside a folder of configuration. */
const COMMANDS_FOLDER = "commands";

/** Reads all commands; a project's own only where its folder is trusted, else where they are. */
export async function loadUserCommands(
  { workspace, config }: Pick<Places, "workspace" | "config">,
  trust: Trust,
): Promise<UserCommands> {
  const commands = new Map<string, UserCommand>();
  const warnings: string[] = [];
  const waiting: CommandFile[] = [];
  for (const { folder, origin, within } of foldersOf(workspace, config)) {
    const found = await findCommandFiles(folder, within);
    if (origin === "project" && trust !== "trusted") {
      waiting.push(...found.files);
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
  return { commands, warnings, waiting };
}

/** The files of a project's own commands, the closest folder first; what they hold is not read. */
export async function projectCommandFiles(workspace: string): Promise<readonly CommandFile[]> {
  const found = await Promise.all(
    foldersOf(workspace, undefined).map(({ folder, within }) => findCommandFiles(folder, within)),
  );
  return found.flatMap(({ files }) => files);
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
