import type { Tool } from "../tools/tool.ts";

/** Other names under which models and people know tools of ours. */
const ALIASES: Readonly<Record<string, string>> = {
  shell: "bash",
  save: "write_file",
  append: "append_file",
  read: "read_file",
  write: "write_file",
  edit: "edit_file",
  ls: "list_dir",
  ipython: "python",
  py: "python",
};

/** A tool's own name, whatever it was called. */
export function canonicalName(name: string): string {
  return Object.hasOwn(ALIASES, name) ? ALIASES[name] ?? name : name;
}

/** Names that switch several tools on or off at once. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  subagents: [
    "subagent",
    "subagent_status",
    "subagent_wait",
    "subagent_cancel",
    "subagent_reply",
    "subagent_list",
    "subagent_read_log",
    "subagent_batch",
  ],
};

function membersOf(name: string): readonly string[] {
  return Object.hasOwn(GROUPS, name) ? GROUPS[name] ?? [name] : [name];
}

/** The other names of a tool. */
export function namesOfTool(name: string): string[] {
  return Object.entries(ALIASES).filter(([, own]) => own === name).map(([alias]) => alias);
}

/** The tool that a call means, or undefined. A tool's own name goes before an alias. */
export function resolveTool(name: string, tools: readonly Tool[]): Tool | undefined {
  return tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.name === canonicalName(name));
}

/** Which of the tools a person switched on, or what is wrong with the list. */
export type Selection =
  | { readonly ok: true; readonly names: ReadonlySet<string> }
  | { readonly ok: false; readonly unknown: string };

/**
 * Reads `--tools`: plain names replace the default set, `+name` adds to it and `-name` takes away.
 */
export function selectTools(
  list: readonly string[],
  known: readonly string[],
  defaults: readonly string[],
): Selection {
  const plain = list.filter((item) => !/^[+-]/.test(item));
  const names = new Set(plain.length > 0 ? [] : defaults);
  for (const item of list) {
    // Which of these there are shows when their servers have been started.
    if (/^[+-]?mcp__/.test(item)) continue;
    for (const name of membersOf(canonicalName(item.replace(/^[+-]/, "")))) {
      if (!known.includes(name)) return { ok: false, unknown: name };
      if (item.startsWith("-")) names.delete(name);
      else names.add(name);
    }
  }
  return { ok: true, names };
}
