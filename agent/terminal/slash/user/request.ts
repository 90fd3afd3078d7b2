import type { Tool } from "../../../../tools/tool.ts";
import { resolveTool } from "../../../toolbox.ts";
import type { UserCommand } from "./user_command.ts";

/**
 * The offered tools that a command leaves to its task, other agents' spellings of their names
 * understood; undefined: all of them. `warn` is told of names that no offered tool has.
 */
export function toolsFor(
  { tools: wanted, path }: Pick<UserCommand, "tools" | "path">,
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
