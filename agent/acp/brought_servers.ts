import type { McpServer as BroughtServer } from "@agentclientprotocol/sdk";
import { mcpServerSchema } from "../mcp/server_schema.ts";
import type { McpServer } from "../mcp/servers.ts";

/** The MCP servers that an editor brings along, and sentences about those that are passed over. */
export interface BroughtServers {
  readonly servers: readonly McpServer[];
  readonly warnings: readonly string[];
}

/** Reads the servers of a session's request: they are its person's own word. Pure. */
export function broughtServers(brought: readonly BroughtServer[]): BroughtServers {
  const byName = new Map<string, McpServer>();
  const warnings: string[] = [];
  for (const server of brought) {
    const { name } = server;
    const parsed = mcpServerSchema.safeParse(settingsOf(server));
    if (parsed.success) {
      byName.set(name, { name, origin: "person", path: "the editor", settings: parsed.data });
    } else warnings.push(`warning: the editor's MCP server "${name}" is passed over: ${WHY_NOT}`);
  }
  return { servers: [...byName.values()], warnings };
}

const WHY_NOT = 'it needs a "command", or a "url" of type "http"';

/** As our own files have them; undefined for a kind that has gone from the protocol. */
function settingsOf(server: BroughtServer): unknown {
  if (!("type" in server)) {
    const { command, args, env } = server;
    return { command, args, env: record(env) };
  }
  if (server.type === "sse") return undefined;
  return { type: "http", url: server.url, headers: record(server.headers) };
}

function record(
  pairs: readonly { readonly name: string; readonly value: string }[],
): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
