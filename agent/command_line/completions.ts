import { type Command, COMMANDS } from "./commands.ts";
import type { Option } from "./option.ts";
import { OPTIONS } from "./options.ts";

/** What a shell offers for a value. */
export type Values =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" | "folders" | "sessions" | "text" };

/** An option as shells complete it. */
export interface CompletedOption {
  /** Without dashes. */
  readonly name: string;
  readonly short: string | undefined;
  readonly help: string;
  readonly placeholder: string;
  /** Undefined: it takes no value. */
  readonly values: Values | undefined;
  /** Its value may be left out, and is bound by `=`. */
  readonly optional: boolean;
  /** The sub-commands that it is for; undefined: all that run the agent. */
  readonly only: readonly string[] | undefined;
}

/** A sub-command as shells complete it. */
export interface CompletedCommand {
  readonly name: string;
  readonly help: string;
  /** What follows it; undefined: nothing that could be offered. */
  readonly values: Values | undefined;
}

/** Every option of the table. */
export function completedOptions(): CompletedOption[] {
  const entries: [string, Option][] = Object.entries(OPTIONS);
  return entries.map(([name, option]) => ({
    name,
    short: option.short,
    help: option.help,
    placeholder: placeholderOf(option),
    values: valuesOf(option),
    optional: option.kind === "extent" ||
      (option.kind === "text" && option.optional !== undefined),
    only: option.only,
  }));
}

/** Every sub-command of the table. */
export function completedCommands(): CompletedCommand[] {
  const entries: [string, Command][] = Object.entries(COMMANDS);
  return entries.map(([name, { help, words }]) => ({
    name,
    help,
    values: typeof words === "string" ? { kind: words } : words && { kind: "words", words },
  }));
}

/** The dashed forms of an option's name. */
export function flagsOf({ name, short }: CompletedOption): string[] {
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}

/** Prints the ids of this folder's sessions, a line each, in any shell of these. */
export const LIST_SESSIONS = "cordon sessions 2>/dev/null | cut -d ' ' -f 1";

function placeholderOf(option: Option): string {
  if (option.kind === "toggle") return "";
  return option.kind === "choice" ? "VALUE" : option.placeholder;
}

function valuesOf(option: Option): Values | undefined {
  switch (option.kind) {
    case "toggle":
      return undefined;
    case "choice":
      return { kind: "words", words: option.choices };
    case "number":
      return { kind: "text" };
    case "text":
    case "list":
    case "extent":
      return valuesOfPlaceholder(option.placeholder);
  }
}

function valuesOfPlaceholder(placeholder: string): Values {
  switch (placeholder) {
    case "FILE":
      return { kind: "files" };
    case "DIR":
    case "DIRS":
      return { kind: "folders" };
    case "ID":
      return { kind: "sessions" };
    default:
      return { kind: "text" };
  }
}
