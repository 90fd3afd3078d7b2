import { deepStrictEqual } from "node:assert/strict";
import { fuseRanks } from "../../../tools/rag/rank.ts";

Deno.test("fuseRanks()", async (t) => {
  const cases: [name: string, lists: string[][], order: string][] = [
    ["nothing", [], ""],
    ["one list keeps its order", [["a", "b", "c"]], "abc"],
    ["what both lists have goes first", [["a", "x"], ["b", "x"]], "xab"],
    ["an empty list counts for nothing", [["a", "b"], []], "ab"],
    ["what stands twice counts once", [["a", "b", "b", "b"], ["a"]], "ab"],
  ];
  for (const [name, lists, order] of cases) {
    await t.step(name, () => {
      deepStrictEqual(fuseRanks(lists).map(({ item }) => item).join(""), order);
    });
  }
  await t.step("the first of every list has the score 1", () => {
    deepStrictEqual(fuseRanks([["a", "b"], [], ["a"]])[0], { item: "a", score: 1 });
  });
});
