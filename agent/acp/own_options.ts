import { resolve } from "node:path";
import type { OptionName, OptionValues } from "../command_line/options.ts";
import { UsageError } from "../command_line/parse.ts";
import { scriptOf } from "../settings.ts";

/** What an editor says itself, session by session. */
const SAID_BY_EDITOR: readonly OptionName[] = [
  ...["print", "cd", "continue", "resume", "fork", "at", "image"] as const,
  ...["output", "output-schema", "timeout"] as const,
];

/** Names of files and folders, which are meant from where the process was started. */
const NAMES = ["allow-read", "allow-write", "deny-read", "deny-write"] as const;

/**
 * The options of the process as those of its sessions, each of which stands in a folder of its own.
 * Pure.
 * @throws {UsageError} for one that an editor says itself.
 */
export function sessionOptions(options: OptionValues, cwd: string): OptionValues {
  const misplaced = SAID_BY_EDITOR.find((name) => options[name] !== undefined);
  if (misplaced !== undefined) {
    throw new UsageError(`Cannot use --${misplaced} with cordon acp: the editor says that itself`);
  }
  const anchored = { ...options };
  for (const name of NAMES) {
    const extent = options[name];
    if (extent !== undefined && extent !== "all") {
      anchored[name] = extent.map((path) => resolve(cwd, path));
    }
  }
  if (options.state !== undefined) anchored.state = resolve(cwd, options.state);
  // What is no file is refused where logs are opened.
  if (options.log !== undefined && options.log !== "-") anchored.log = resolve(cwd, options.log);
  const script = scriptOf(options.model);
  if (script) anchored.model = `scripted:${resolve(cwd, script)}`;
  return anchored;
}
