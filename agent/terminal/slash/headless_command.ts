import type { OptionValues } from "../../command_line/options.ts";
import { UsageError } from "../../command_line/parse.ts";
import { loadConfig } from "../../config/load.ts";
import type { ReadVariable } from "../../environment.ts";
import { findPlaces } from "../../places.ts";
import { isPathName } from "./path_name.ts";
import { loadRegistry } from "./registry.ts";
import { readTypedLine } from "./typed_line.ts";
import { expandCommand } from "./user/expand.ts";
import type { UserCommand } from "./user/user_command.ts";

/** What a prompt on the command line comes to. */
export interface AskedPrompt {
  /** The prompt, or the command's text with its arguments in it. */
  readonly prompt: string;
  /** The command that was given, where one was. */
  readonly command?: UserCommand;
}

/**
 * Reads a prompt of the command line that begins with a slash: `/name args` is a command of a file,
 * `//` a text that begins with a slash.
 * @throws {UsageError} where there is no such command, or none without a conversation.
 * @throws {ConfigurationError}
 */
export async function readAskedPrompt(
  words: string,
  options: OptionValues,
  env: ReadVariable,
  cwd: string,
): Promise<AskedPrompt> {
  const typed = readTypedLine(words);
  if (typed.kind === "prompt") return { prompt: typed.text };
  if (typed.kind !== "command" || await isPathName(typed.name)) return { prompt: words };
  const { name, argument } = typed;
  const places = findPlaces(options, env, cwd);
  const registry = await loadRegistry({ places, configuration: loadConfig(places) });
  const command = registry.fileOf(name);
  if (command) return { prompt: expandCommand(command.body, argument), command };
  if (registry.find(name)) {
    throw new UsageError(`Cannot run /${name} here: it belongs to a conversation`);
  }
  const near = registry.near(name).map((other) => `/${other}`);
  const hint = near.length > 0
    ? `did you mean ${near.join(" or ")}`
    : "a text that begins with a slash gets two";
  throw new UsageError([`There is no command /${name}: ${hint}`, ...registry.warnings].join("; "));
}
