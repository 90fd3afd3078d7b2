import { ok } from "node:assert/strict";
import { BUILT_IN_ROLES } from "../../agent/children/roles.ts";
import { builtinTools } from "../../tools/mod.ts";

/** All tools together in a request, in bytes. */
const ALL_TOOLS_BYTES = 20_000;

Deno.test("what a request says of all tools together is at most 20 KB", async (t) => {
  const tools = builtinTools({ bashTimeoutMs: undefined, roles: BUILT_IN_ROLES });
  const told = tools.map((tool) => {
    const { name, parameters } = tool;
    const description = tool.description + (tool.describe?.(tools) ?? "");
    return { type: "function", function: { name, description, parameters: parameters.json } };
  });
  const bytes = new TextEncoder().encode(JSON.stringify(told)).length;
  ok(bytes <= ALL_TOOLS_BYTES, `${bytes} bytes`);
  await t.step("and what is not said of a parameter is asked of it all the same", () => {
    const refused: readonly [tool: string, args: unknown][] = [
      ["subagent", { prompt: "" }],
      ["subagent", { prompt: "x".repeat(300_000) }],
      ["subagent_wait", { wait_ms: -1 }],
      ["subagent_wait", { wait: 1 }],
      ["patch_anchored", { path: "a", operations: [] }],
      ["web_fetch", { url: "x", offset: -1 }],
      ["browser", { action: "tab", tab: 2 ** 60 }],
    ];
    for (const [name, args] of refused) {
      const parsed = tools.find((tool) => tool.name === name)?.parameters.parse(args);
      ok(parsed && !parsed.ok, `${name} takes ${JSON.stringify(args).slice(0, 80)}`);
    }
  });
});
