import { resolve } from "node:path";
import { extraFolders, type Launch } from "../../launch.ts";
import { UsageError } from "../../command_line/parse.ts";
import { DebugLog, type DebugLogParts } from "./debug_log.ts";
import { openLogFile } from "./open_log_file.ts";

/**
 * Opens the log of a run that a person asked for by `--log`.
 * @throws {UsageError} where the file cannot be used.
 */
export function openDebugLog(
  name: string,
  { places, grants }: Pick<Launch, "places" | "grants">,
  parts: Pick<DebugLogParts, "parent" | "warn">,
): DebugLog {
  if (name === "-") {
    const instead = "--output-format=stream-json tells what happens on stdout";
    throw new UsageError(`Cannot log to "-": name a file, or ${instead}`);
  }
  const path = resolve(places.cwd, name);
  const writable = [places.workspace, ...extraFolders(grants, "write", places)];
  const file = openLogFile(path, { writable, state: places.state });
  return new DebugLog({ ...parts, file, path, now: () => new Date() });
}
