import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { indexesOf, indexRanges } from "../../../agent/batch/index_ranges.ts";

/** The numbers that a list of ranges means. */
function expanded(ranges: string): number[] {
  return ranges.split(",").filter((range) => range !== "").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

Deno.test("indexRanges() says neighbours as one range", () => {
  strictEqual(indexRanges([]), "");
  strictEqual(indexRanges([0]), "0");
  strictEqual(indexRanges([0, 1, 3, 5, 6, 7]), "0-1,3,5-7");
});

Deno.test("indexRanges() means the very numbers", () => {
  fc.assert(fc.property(fc.uniqueArray(fc.nat(60)), (numbers) => {
    const sorted = numbers.toSorted((a, b) => a - b);
    deepStrictEqual(expanded(indexRanges(sorted)), sorted);
  }));
});

Deno.test("indexesOf() counts from 0", () => {
  const ids = new Map([["a", 1], ["b", 2], ["c", 3]]);
  deepStrictEqual(indexesOf(ids, (id) => id !== "b"), [0, 2]);
});
