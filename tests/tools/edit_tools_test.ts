import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { editTools } from "../../tools/edit_tools.ts";
import { builtinTools, DEFAULT_TOOLS } from "../../tools/mod.ts";

/** All that a model is told of a tool, in bytes. */
function sizeOf({ name, description, parameters }: ReturnType<typeof editTools>[number]): number {
  return JSON.stringify({ name, description, parameters: parameters.json }).length;
}

Deno.test("the edit tools are short to describe", () => {
  const tools = editTools({ recovery: "place" });
  for (const tool of tools) ok(sizeOf(tool) < 730, `${tool.name}: ${sizeOf(tool)} bytes`);
  const inDefault = tools.filter(({ name }) => DEFAULT_TOOLS.includes(name));
  const size = inDefault.reduce((sum, tool) => sum + sizeOf(tool), 0);
  ok(size < 2_300, `${size} bytes`);
});

Deno.test("the edit tools that are off until they are named", () => {
  const off = editTools({ recovery: "place" }).map(({ name }) => name)
    .filter((name) => !DEFAULT_TOOLS.includes(name));
  deepStrictEqual(off, ["view_anchored", "patch_anchored", "morph"]);
});

Deno.test("every default tool is built in, once", () => {
  const names = builtinTools({ bashTimeoutMs: undefined }).map(({ name }) => name);
  deepStrictEqual(DEFAULT_TOOLS.filter((name) => !names.includes(name)), []);
  strictEqual(new Set(names).size, names.length);
});
