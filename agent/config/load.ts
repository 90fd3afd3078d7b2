import { join } from "node:path";
import type { Places } from "../places.ts";
import { type ConfigFile, readConfigFile } from "./files.ts";
import {
  MCP_FILE,
  narrowBy,
  PROJECT_FOLDER,
  type ProjectFiles,
  readProjectFiles,
} from "./project.ts";
import type { Config } from "./schema.ts";
import { type Trust, trustOf } from "./trust.ts";

/** All configuration files of a run, joined. */
export interface LoadedConfig {
  readonly config: Config;
  /** Sentences that a person should read. */
  readonly warnings: readonly string[];
  /** Those that were read, the one with the last word first. */
  readonly files: readonly ConfigFile[];
  readonly project: ProjectStanding;
}

/** What the project's own files want, and may. */
export interface ProjectStanding extends ProjectFiles {
  readonly trust: Trust;
  /** Keys that do nothing until a person trusts the folder. */
  readonly refused: readonly (keyof Config)[];
}

type ConfigPlaces = Pick<Places, "workspace" | "state" | "config" | "systemConfig">;

/**
 * Reads and joins the configuration: the project's files (the closest first), the person's, the
 * machine's; in this order the first that sets a key decides. Until a person trusts the folder, the
 * project's may only narrow what the others set.
 * @throws {ConfigurationError} naming file, line and column.
 */
export function loadConfig(places: ConfigPlaces): LoadedConfig {
  const own = ownFiles(places);
  const project = readProjectFiles(places.workspace);
  const base = joinFiles(own);
  const trust = trustOf(places.state, places.workspace, project.texts);
  const { config, refused } = trust === "trusted"
    ? { config: joinFiles([...project.files, ...own]), refused: [] }
    : narrowBy(base, project.files);
  const files = [...project.files, ...own];
  const warnings = files.flatMap((file) => file.warnings);
  if (refused.length > 0) warnings.push(refusal(refused));
  if (trust !== "trusted" && project.mcpFiles.length > 0) warnings.push(NO_SERVERS);
  return { config, warnings, files, project: { ...project, trust, refused } };
}

/**
 * What a person and the machine configured, without any project.
 * @throws {ConfigurationError} naming file, line and column.
 */
export function loadOwnConfig(places: Pick<Places, "config" | "systemConfig">): Config {
  return joinFiles(ownFiles(places));
}

function ownFiles({ config, systemConfig }: Pick<Places, "config" | "systemConfig">): ConfigFile[] {
  return [config, ...systemConfig].flatMap((folder) => {
    const file = folder === undefined ? undefined : readConfigFile(join(folder, "config.jsonc"));
    return file ? [file] : [];
  });
}

const NO_SERVERS = `This folder is not trusted, so the servers of ${MCP_FILE} are passed over; ` +
  "look at it, then say cordon trust";

function refusal(keys: readonly string[]): string {
  const names = [...new Set(keys)].join(", ");
  return `This folder is not trusted, so ${PROJECT_FOLDER}/config.jsonc may only narrow: ${names} ` +
    "passed over; look at it, then say cordon trust";
}

/** For each key the first file that sets it; profiles are joined by their names. */
function joinFiles(files: readonly ConfigFile[]): Config {
  let joined: Config = {};
  for (const { config } of files.toReversed()) {
    const providers = { ...joined.providers, ...config.providers };
    joined = { ...joined, ...config, ...(Object.keys(providers).length > 0 && { providers }) };
  }
  return joined;
}
