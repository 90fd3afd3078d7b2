import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { listingOf, searchTools } from "../../../agent/mcp/listing.ts";
import { schema } from "../../../tools/schema.ts";
import { foreignSelection } from "../../../agent/mcp/selection.ts";
import type { ForeignToolInfo } from "../../../agent/mcp/tool_list.ts";

function tool(name: string, description = "A tool"): ForeignToolInfo {
  const parameters = schema(z.looseObject({}));
  const listed = { name, inputSchema: { type: "object" } } as const;
  return { name, server: "s", description, parameters, listed };
}

const MANY = Array.from({ length: 5 }, (_, i) => tool(`t${i}`));
const SMALL = { tools: 3, chars: 1_000 };

Deno.test("listingOf()", async (t) => {
  const names = (tools: readonly ForeignToolInfo[]) => tools.map(({ name }) => name);
  await t.step("lists all that fits", () => {
    deepStrictEqual(listingOf(MANY.slice(0, 3), [], SMALL), {
      listed: MANY.slice(0, 3),
      hidesSome: false,
    });
  });
  await t.step("lists none of too many, but those that were found, in order", () => {
    deepStrictEqual(listingOf(MANY, [], SMALL), { listed: [], hidesSome: true });
    deepStrictEqual(names(listingOf(MANY, ["t4", "t1", "gone"], SMALL).listed), ["t1", "t4"]);
  });
  await t.step("the latest found stay", () => {
    deepStrictEqual(names(listingOf(MANY, ["t0", "t1", "t2", "t3"], SMALL).listed), [
      ...["t1", "t2", "t3"],
    ]);
  });
  await t.step("size counts as well as number", () => {
    const large = [tool("a", "x".repeat(600)), tool("b", "x".repeat(600))];
    ok(listingOf(large, [], SMALL).hidesSome);
    deepStrictEqual(names(listingOf(large, ["a", "b"], SMALL).listed), ["b"]);
  });
});

Deno.test("searchTools() puts names before descriptions", () => {
  const tools = [tool("list_issues"), tool("other", "Close issues"), tool("unlike")];
  deepStrictEqual(searchTools(tools, "Issues!").map(({ name }) => name), ["list_issues", "other"]);
  deepStrictEqual(searchTools(tools, " ?"), []);
});

Deno.test("foreignSelection()", async (t) => {
  const cases: [list: string[], name: string, want: boolean][] = [
    [[], "mcp__a__x", true],
    [["+python", "-bash"], "mcp__a__x", true],
    // Plain names replace the default, which is all of them.
    [["bash"], "mcp__a__x", false],
    [["bash", "mcp__a"], "mcp__a__x", true],
    [["bash", "mcp__a"], "mcp__b__x", false],
    [["bash", "+mcp__a__x"], "mcp__a__y", false],
    [["-mcp__a"], "mcp__a__x", false],
    [["-mcp__a"], "mcp__ab__x", true],
    [["-mcp__a", "+mcp__a__x"], "mcp__a__x", true],
    [["-mcp__a__x"], "mcp__a__y", true],
  ];
  for (const [list, name, want] of cases) {
    await t.step(`${list} ${name}`, () => strictEqual(foreignSelection(list)(name), want));
  }
});
