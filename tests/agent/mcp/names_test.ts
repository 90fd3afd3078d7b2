import { match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { foreignName, MAX_NAME, nameApart } from "../../../agent/mcp/names.ts";

Deno.test("foreignName()", async (t) => {
  const cases: [server: string, tool: string, want: string][] = [
    ["files", "read", "mcp__files__read"],
    ["a.b", "do it!", "mcp__a_b__do_it_"],
    ["ü", "bash", "mcp_____bash"],
  ];
  for (const [server, tool, want] of cases) {
    await t.step(want, () => strictEqual(foreignName(server, tool), want));
  }
  await t.step("long names stay apart", () => {
    const [one, two] = ["a", "b"].map((end) => foreignName("files", "x".repeat(80) + end));
    strictEqual(one?.length, MAX_NAME);
    notStrictEqual(one, two);
  });
});

Deno.test("every foreign name is one that model servers take", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.string(), (server, tool) => {
    const first = foreignName(server, tool);
    strictEqual(nameApart(server, tool, new Set()), first);
    const other = nameApart(server, tool, new Set([first])) ?? "";
    for (const name of [first, other]) {
      match(name, /^mcp__[A-Za-z0-9_-]+$/);
      ok(name.length <= MAX_NAME);
    }
    notStrictEqual(other, first);
    strictEqual(nameApart(server, tool, new Set([first, other])), undefined);
  }));
});
