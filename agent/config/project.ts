import { dirname, join } from "node:path";
import type { ConfigFile } from "./files.ts";
import { readConfigFile } from "./files.ts";
import { narrow } from "./narrow.ts";
import type { ProjectTexts } from "./trust.ts";
import type { Config } from "./schema.ts";

/** The folder of a project's own files for Cordon. */
export const PROJECT_FOLDER = ".cordon";

/** The files by which a project configures Cordon. */
export interface ProjectFiles {
  /** The closest to the workspace first. */
  readonly files: readonly ConfigFile[];
  readonly texts: ProjectTexts;
}

/**
 * Reads the project's files: that of the workspace and those above it, up to the nearest folder with
 * `.git` (without one, of the workspace alone).
 * @throws {ConfigurationError}
 */
export function readProjectFiles(workspace: string): ProjectFiles {
  const files = projectFolders(workspace)
    .map((folder) => readConfigFile(join(folder, PROJECT_FOLDER, "config.jsonc")))
    .filter((file) => file !== undefined);
  return { files, texts: Object.fromEntries(files.map(({ path, text }) => [path, text])) };
}

/** Lets files narrow what holds, the closest last so that it has the last word. */
export function narrowBy(base: Config, files: readonly ConfigFile[]) {
  let config = base;
  const refused: (keyof Config)[] = [];
  for (const file of files.toReversed()) {
    const narrowed = narrow(config, file.config);
    config = narrowed.config;
    refused.push(...narrowed.refused);
  }
  return { config, refused };
}

/** A workspace and the folders above it up to its project's root (with `.git`); alone where there is none. */
export function projectFolders(workspace: string): string[] {
  const folders = [workspace];
  for (let folder = workspace; !isThere(join(folder, ".git"));) {
    folder = dirname(folder);
    if (folders.includes(folder)) return [workspace];
    folders.push(folder);
  }
  return folders;
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) {
      return false;
    }
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}
