import { ConfigurationError } from "../json_file.ts";
import { reasonOf } from "../session/error.ts";
import { type ReadConfig, readConfig } from "./read_config.ts";

/** A configuration file that was read. */
export interface ConfigFile extends ReadConfig {
  readonly path: string;
  readonly text: string;
}

/** The largest file that is read, in bytes: a configuration is written by hand. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a configuration file; undefined where there is none, or none that Deno's flags let us see.
 * @throws {ConfigurationError}
 */
export function readConfigFile(path: string): ConfigFile | undefined {
  const text = readTextIfThere(path);
  return text === undefined ? undefined : { path, text, ...readConfig(path, text) };
}

/**
 * The text of a file that a person wrote; undefined where there is none, or none that Deno's flags
 * let us see.
 * @throws {ConfigurationError}
 */
export function readTextIfThere(path: string): string | undefined {
  try {
    // A pipe or a device in a stranger's repository would be read for ever.
    const { isFile, size } = Deno.statSync(path);
    if (!isFile) throw new ConfigurationError(`Cannot read "${path}": it is no regular file`);
    if (size > MAX_BYTES) throw new ConfigurationError(`Cannot read "${path}": over 1 MB`);
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) return;
    if (error instanceof Deno.errors.NotADirectory) return;
    throw new ConfigurationError(`Cannot read "${path}": ${reasonOf(error)}`, { cause: error });
  }
}
