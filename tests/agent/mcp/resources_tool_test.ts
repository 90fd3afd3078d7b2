import { deepStrictEqual, match } from "node:assert/strict";
import { resourcesTool } from "../../../agent/mcp/resources_tool.ts";
import { DEFAULT_LINK_LIMITS, ServerLink } from "../../../agent/mcp/server_link.ts";

Deno.test("a server whose name is shown shortened is found by what is shown", async () => {
  const name = `${"long ".repeat(20)}\u202e`;
  const open = () => Promise.reject(new Error("nobody asks it"));
  await using link = new ServerLink(name, { kind: "stdio", open }, DEFAULT_LINK_LIMITS);
  const tool = resourcesTool(new Map([[name, { link, allowed: true }]]));
  const shown = /Servers: (.*)$/.exec(tool.description)?.[1] ?? "";
  match(shown, /^long .{30,35}…$/);
  const touch = { kind: "foreign", server: name, tool: "resources", allowed: true };
  for (const server of [shown, name]) deepStrictEqual(await planned(tool, server), [touch]);
  deepStrictEqual(await planned(tool, "other"), [{ ...touch, server: "other", allowed: false }]);
});

async function planned(tool: ReturnType<typeof resourcesTool>, server: string) {
  const parsed = tool.parameters.parse({ server });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  // It looks at nothing while it plans.
  const context = {} as Parameters<typeof tool.plan>[1];
  return (await tool.plan(parsed.value, context)).touches;
}
