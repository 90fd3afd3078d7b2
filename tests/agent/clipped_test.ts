import { ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { clipped, startOf } from "../../agent/clipped.ts";

Deno.test("clipped() leaves what fits, and marks what it cut", () => {
  strictEqual(clipped("abc", 3), "abc");
  strictEqual(clipped("abcd", 3), "abc…");
  strictEqual(clipped("ab😀", 3), "ab…");
  strictEqual(clipped("ab😀", 4), "ab😀");
});

Deno.test("startOf() is a beginning of whole characters, one unit short at the most", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, chars) => {
    const start = startOf(text, chars);
    ok(text.startsWith(start) && start.isWellFormed());
    ok(start.length <= chars && start.length >= Math.min(text.length, chars) - 1);
  }));
});
