import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Client, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { looseTools } from "../../../agent/mcp/loose_list.ts";

/** A client of a server that answers each `tools/list` with what `page` makes of its cursor. */
async function clientOf(page: (cursor: unknown) => Record<string, unknown>): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  const serverInfo = { name: "fake", version: "1" };
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send(message: JSONRPCMessage) {
      if (!("id" in message && "method" in message)) return Promise.resolve();
      const { id, method, params } = message;
      const result = method === "initialize"
        ? { protocolVersion: "2025-06-18", serverInfo, capabilities: { tools: {} } }
        : page(params?.["cursor"]);
      queueMicrotask(() => transport.onmessage?.({ jsonrpc: "2.0", id, result }));
      return Promise.resolve();
    },
  };
  await client.connect(transport);
  return client;
}

Deno.test("looseTools() reads what is one of a tool, page by page", async () => {
  const inputSchema = { type: "object" };
  const client = await clientOf((cursor) =>
    cursor === undefined
      ? { tools: [{ name: "a", inputSchema, description: 5, outputSchema: "x" }], nextCursor: "2" }
      : {
        tools: [7, { name: "b" }, { inputSchema }, { name: "c", inputSchema: { properties: [] } }],
      }
  );
  const tools = await looseTools(client, {});
  deepStrictEqual(tools.map(({ name, inputSchema }) => [name, inputSchema]), [
    ["a", inputSchema],
    ["c", { properties: [] }],
  ]);
  const [{ description, outputSchema } = {}] = tools;
  deepStrictEqual([description, outputSchema], [undefined, undefined]);
});

Deno.test("looseTools() cuts a list without end", async () => {
  const client = await clientOf(() => ({
    tools: [{ name: "a", inputSchema: {} }],
    nextCursor: crypto.randomUUID(),
  }));
  strictEqual((await looseTools(client, {})).length, 64);
});
