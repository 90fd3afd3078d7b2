import { cleanLine } from "../../tools/web/outside.ts";
import { loadSchemaMaker } from "./json_schema.ts";
import { type PrepareParts, prepareServer } from "./prepare_server.ts";
import { ServerLink } from "./server_link.ts";
import type { McpServer } from "./servers.ts";
import { usableTools } from "./tool_list.ts";

/** What came of one server that was tried. */
export type ServerTrial =
  | {
    readonly name: string;
    readonly ok: true;
    /** Revision of the protocol. */
    readonly protocol: string;
    readonly tools: readonly { readonly name: string; readonly description: string }[];
    readonly prompts: readonly string[];
    readonly resources: boolean;
    readonly warnings: readonly string[];
  }
  | { readonly name: string; readonly ok: false; readonly problem: string };

/** Starts a server, asks what it offers, and ends it. */
export async function tryServer(server: McpServer, parts: PrepareParts): Promise<ServerTrial> {
  const { name } = server;
  try {
    await using prepared = await prepareServer(server, parts);
    await using link = new ServerLink(name, prepared.way, prepared.limits);
    const protocol = await link.connect();
    const lists = await link.lists();
    const listed = lists.includes("tools") ? await link.tools() : [];
    const { tools, warnings } = usableTools(name, listed, await loadSchemaMaker());
    const prompts = lists.includes("prompts") ? await link.prompts() : [];
    return {
      ...{ name, ok: true, protocol, warnings: [...prepared.warnings, ...warnings] },
      tools: tools.map(({ name, description }) => ({ name, description: cleanLine(description) })),
      prompts: prompts.map((prompt) => cleanLine(prompt.name)),
      resources: lists.includes("resources"),
    };
  } catch (error) {
    return { name, ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}
