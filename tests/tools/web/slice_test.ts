import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type Slice, sliceOf } from "../../../tools/web/slice.ts";

Deno.test("sliceOf()", async (t) => {
  const cases: [name: string, text: string, offset: number, limit: number, want: Slice][] = [
    ["all of it", "abc", 0, 3, { text: "abc" }],
    ["a part", "abcdef", 1, 3, { text: "bcd", next: 4 }],
    ["the last part", "abcdef", 4, 3, { text: "ef" }],
    ["past the end", "abc", 9, 3, { text: "" }],
    ["ends with a line near the end", "aaaaaaaa\nbbbb", 0, 10, { text: "aaaaaaaa\n", next: 9 }],
    ["and not with one far from it", "a\nbbbbbbbbbbbb", 0, 10, { text: "a\nbbbbbbbb", next: 10 }],
    ["never within a character", "ab😀cd", 0, 3, { text: "ab", next: 2 }],
    ["but for one that does not fit", "😀cd", 0, 1, { text: "\ud83d", next: 1 }],
  ];
  for (const [name, text, offset, limit, want] of cases) {
    await t.step(name, () => deepStrictEqual(sliceOf(text, offset, limit), want));
  }
});

Deno.test("parts of a text make up the text, none is empty and none too long", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "\n", "😀", " "), maxLength: 200 });
  fc.assert(fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, limit) => {
    let whole = "";
    for (let next: number | undefined = 0; next !== undefined;) {
      const part: Slice = sliceOf(text, next, limit);
      ok(part.text.length <= limit && (part.text !== "" || text === ""));
      whole += part.text;
      next = part.next;
    }
    strictEqual(whole, text);
  }));
});
