import * as z from "zod";
import { schema } from "../../tools/schema.ts";
import { defineTool, type Tool } from "../../tools/tool.ts";
import { ToolError } from "../../tools/tool_error.ts";
import { cleanLine } from "../../tools/web/outside.ts";
import { type ForeignResult, foreignResult, renderResult, resultValue } from "./result.ts";
import type { ServerLink } from "./server_link.ts";

const parameters = z.strictObject({
  server: z.string().min(1),
  uri: z.string().min(1).describe("One of those that are listed without it").optional(),
});

/** A server that has resources. */
export interface ResourceServer {
  readonly link: ServerLink;
  /** Whether the person said in their own file that no yes is needed. */
  readonly allowed: boolean;
}

/** The tool that lists what servers have to read, and reads it. */
export function resourcesTool(servers: ReadonlyMap<string, ResourceServer>): Tool {
  // Models write names as they are shown to them.
  const byShown = new Map([...servers.keys()].map((name) => [cleanLine(name, 40), name]));
  const names = [...byShown.keys()];
  const known = (name: string) => byShown.get(name) ?? name;
  return defineTool({
    name: "mcp_resources",
    description: `List what an MCP server has to read, or read one by its uri. ` +
      `Servers: ${names.join(", ")}`,
    parameters: schema(parameters),
    needs: { uses: ["store", "pictures"] },
    plan({ server: shown }) {
      const server = known(shown);
      const allowed = servers.get(server)?.allowed ?? false;
      return { touches: [{ kind: "foreign", server, tool: "resources", allowed }] };
    },
    async run({ server: shown, uri }, { store, pictures, signal, callId }): Promise<ForeignResult> {
      const server = known(shown);
      const found = servers.get(server);
      if (!found) {
        throw new ToolError(
          `Cannot ask "${cleanLine(server, 40)}": the servers are ${names.join(", ")}`,
        );
      }
      const places = { store, pictures, signal, name: `${callId}.txt` };
      const content = uri === undefined
        ? await listed(found.link, signal)
        : await contents(found.link, uri, signal);
      return await resultValue(server, { content }, places);
    },
    result: schema(foreignResult),
    render: renderResult,
  });
}

async function listed(link: ServerLink, signal: AbortSignal) {
  const resources = await link.resources(signal);
  const lines = resources.map(({ uri, name, title, description }) =>
    `${uri}: ${cleanLine([title ?? name, description].filter(Boolean).join(", "))}`
  );
  return [{ type: "text" as const, text: lines.join("\n") }];
}

async function contents(link: ServerLink, uri: string, signal: AbortSignal) {
  const { contents } = await link.readResource(uri, signal);
  return contents.map((part) =>
    "text" in part
      ? { type: "text" as const, text: part.text }
      : part.mimeType?.startsWith("image/")
      ? { type: "image" as const, data: part.blob, mimeType: part.mimeType }
      : {
        type: "text" as const,
        text: `${part.uri} (binary, ${part.mimeType ?? "of no known type"})`,
      }
  );
}
