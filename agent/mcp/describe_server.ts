import { cleanLine } from "../../tools/web/outside.ts";
import { isStdio } from "./server_schema.ts";
import type { McpServer } from "./servers.ts";

/** A server in a few words for a person, a line each: how it is reached, and what it may. */
export function describeServer({ name, origin, path, settings }: McpServer): string[] {
  const reached = isStdio(settings)
    ? [settings.command, ...settings.args ?? []].join(" ")
    : settings.url;
  const off = settings.enabled === false ? " (off)" : "";
  return [
    `${cleanLine(name)}${off}: ${cleanLine(reached)}`,
    `  from ${path}`,
    ...rights(settings),
    ...(origin === "person" ? approval(settings.approval) : []),
  ];
}

function rights(settings: McpServer["settings"]): string[] {
  const lists = isStdio(settings)
    ? [["reads", settings.read], ["writes", settings.write], ["reaches", settings.network]] as const
    : [["reaches", settings.network]] as const;
  return lists.flatMap(([verb, list]) =>
    list && list.length > 0 ? [`  ${verb} ${cleanLine(list.join(", "))}`] : []
  );
}

function approval(value: McpServer["settings"]["approval"]): string[] {
  if (value === undefined || value === "ask") return [];
  if (value === "allow") return ["  its tools need no yes"];
  const allowed = Object.entries(value).filter(([, word]) => word === "allow").map(([tool]) =>
    tool
  );
  return allowed.length > 0 ? [`  need no yes: ${cleanLine(allowed.join(", "))}`] : [];
}
