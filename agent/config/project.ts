import { dirname, join } from "node:path";
import type { ConfigFile } from "./files.ts";
import { readConfigFile, readTextIfThere } from "./files.ts";
import { narrow } from "./narrow.ts";
import type { ProjectTexts } from "./trust.ts";
import type { Config } from "./schema.ts";

/** The folder of a project's own files for Cordon. */
export const PROJECT_FOLDER = ".cordon";

/** The file by which a project names MCP servers to every agent. */
export const MCP_FILE = ".mcp.json";

/** The files by which a project configures Cordon. */
export interface ProjectFiles {
  /** The closest to the workspace first. */
  readonly files: readonly ConfigFile[];
  /** Its lists of MCP servers, unread; the closest first. */
  readonly mcpFiles: readonly { readonly path: string; readonly text: string }[];
  readonly texts: ProjectTexts;
}

/**
 * Reads the project's files: that of the workspace and those above it, up to the nearest folder with
 * `.git` (without one, of the workspace alone).
 * @throws {ConfigurationError}
 */
export function readProjectFiles(workspace: string): ProjectFiles {
  const folders = projectFolders(workspace);
  const files = folders
    .map((folder) => readConfigFile(join(folder, PROJECT_FOLDER, "config.jsonc")))
    .filter((file) => file !== undefined);
  const mcpFiles = folders.flatMap((folder) => {
    const path = join(folder, MCP_FILE);
    const text = readTextIfThere(path);
    return text === undefined ? [] : [{ path, text }];
  });
  const texts = [...files, ...mcpFiles].map(({ path, text }) => [path, text] as const);
  return { files, mcpFiles, texts: Object.fromEntries(texts) };
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
