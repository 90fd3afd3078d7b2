import type { Tool } from "../tools/tool.ts";
import { resolveTool } from "./toolbox.ts";

/** A file that may name the only tools that its task is to have: a command, or a skill. */
export interface AllowingFile {
  readonly path: string;
  /** As its `allowed-tools` has them; absent where it leaves all of them. */
  readonly tools?: readonly string[];
}

/** What `allowed-tools` says; `problem` is half a sentence. */
export type ReadAllowed =
  | { readonly ok: true; readonly names: readonly string[] | undefined }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads names between blanks or commas, or a list of them. What stands in brackets behind a name, as
 * in `bash(git *)`, is passed over: it says what need not be asked, which no file decides here.
 */
export function readAllowedTools(value: unknown): ReadAllowed {
  if (value === undefined || value === null) return { ok: true, names: undefined };
  const items = Array.isArray(value) ? value : [value];
  if (items.some((item) => typeof item !== "string")) {
    return { ok: false, problem: "it is no list of names, so none are offered" };
  }
  const text = items.join(" ").replace(/\([^)]*\)/g, " ");
  return { ok: true, names: text.split(/[\s,]+/).filter((name) => name !== "") };
}

/**
 * The offered tools that a file leaves to its task, other agents' spellings of their names
 * understood; undefined: all of them. `warn` is told of names that no offered tool has.
 */
export function toolsFor(
  { tools: wanted, path }: AllowingFile,
  offered: readonly Tool[],
  warn: (line: string) => void,
): ReadonlySet<string> | undefined {
  if (!wanted) return undefined;
  const names = new Set<string>();
  for (const name of wanted) {
    const tool = resolveTool(name, offered) ?? resolveTool(snakeCase(name), offered);
    if (tool) names.add(tool.name);
    else warn(`${path}: "allowed-tools" names ${name}, which is no tool that is offered here`);
  }
  return names;
}

/** `TodoWrite` as `todo_write`. */
function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
}
