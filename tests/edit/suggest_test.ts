import { deepStrictEqual } from "node:assert/strict";
import { Source } from "../../edit/source.ts";
import { findClosest } from "../../edit/suggest.ts";

const never = () => false;

Deno.test("findClosest()", async (t) => {
  const many = Array.from({ length: 300 }, (_, n) => `value ${n} of ${n * 7};\n`).join("");
  const block = (from: number, to: number) => many.split("\n").slice(from, to).join("\n");
  const cases: [name: string, file: string, old: string, want: unknown][] = [
    ["one line differs", many, block(100, 105).replace("102", "one hundred and two"), {
      first: 100,
      size: 5,
      equal: 4,
      difference: { old: 2, file: 102 },
    }],
    ["a line is missing in old", many, `${block(50, 52)}\n${block(53, 56)}`, {
      first: 51,
      size: 5,
      equal: 4,
      difference: { old: 0, file: 51 },
    }],
    ["only blanks differ", "x\n  a b c\n d e f\n", "a b c\nd e f\n", {
      first: 1,
      size: 2,
      equal: 2,
    }],
    ["one line, by its trigrams", many, "value 77 of 540;", {
      first: 77,
      size: 1,
      equal: 0,
      difference: { old: 0, file: 77 },
    }],
    [
      "no line equal, the longest leads",
      "head\nconst total = sum(prices);\ntail\n",
      "nothing\nconst total = sum(price);",
      {
        first: 0,
        size: 2,
        equal: 0,
        difference: { old: 0, file: 0 },
      },
    ],
    ["more lines than the file", "a b c d\n", "a b c d\ne f g h\n", {
      first: 0,
      size: 1,
      equal: 1,
      difference: { old: 1, file: 1 },
    }],
    ["nothing is alike", "abc\ndef\n", "qrs tuv wxy", undefined],
    ["blank old", "a\n", "  \n\n", undefined],
    ["empty file", "", "abc def", undefined],
  ];
  for (const [name, file, old, want] of cases) {
    await t.step(name, () => deepStrictEqual(findClosest(new Source(file), old, never), want));
  }
  await t.step("gives up when time is up", () => {
    deepStrictEqual(findClosest(new Source(many), block(100, 105) + "x", () => true), undefined);
    deepStrictEqual(findClosest(new Source(many), "value 77 of 540;", () => true), undefined);
  });
  await t.step("looks at the clock often", () => {
    let looks = 0;
    findClosest(new Source("some line here\n".repeat(20_000)), "same line there", () => {
      looks++;
      return false;
    });
    deepStrictEqual(looks >= 9, true);
  });
});
