import { deepStrictEqual } from "node:assert/strict";
import { recoveryText } from "../../../agent/backing/recovery_text.ts";

Deno.test("recoveryText() names files, not all of many, and says nothing of nothing", async (t) => {
  const many = Array.from({ length: 13 }, (_, index) => `f${index}`);
  const ten = many.slice(0, 10);
  const left = (path: string) => ({ path, why: "it was removed since" });
  const told = ten.map((path) => `${path} (it was removed since)`).join(", ");
  const cases: [name: string, restored: string[], left: string[], lines: string[]][] = [
    ["nothing", [], [], []],
    ["one", ["a"], [], ["A change that was cut off is undone: a"]],
    ["both", ["a", "b"], ["c"], [
      "A change that was cut off is undone: a, b",
      "A change that was cut off left as they are: c (it was removed since)",
    ]],
    ["ten", ten, [], [`A change that was cut off is undone: ${ten.join(", ")}`]],
    ["many", many, many, [
      `A change that was cut off is undone: ${ten.join(", ")} and 3 more`,
      `A change that was cut off left as they are: ${told} and 3 more`,
    ]],
  ];
  for (const [name, restored, paths, lines] of cases) {
    await t.step(name, () => {
      deepStrictEqual(recoveryText([{ kind: "undone", restored, left: paths.map(left) }]), lines);
    });
  }
});
