import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { applyChanges, type TextChange } from "../../edit/rewrite.ts";
import { encodeText } from "../../edit/text.ts";
import { applySplices } from "../../sandbox/replace.ts";
import { byteSplices } from "../../tools/byte_splices.ts";

/** Text of characters of one to four bytes, and both line breaks. */
const text = fc.array(fc.constantFrom("a", "\n", "\r\n", "é", "漢", "😀", "\u2028"))
  .map((characters) => characters.join(""));

/** Changes of a text at the borders of its characters, in order and apart. */
function changesOf(whole: string): fc.Arbitrary<TextChange[]> {
  const borders = [0];
  for (const character of whole) borders.push((borders.at(-1) ?? 0) + character.length);
  const place = fc.record({ at: fc.nat(borders.length - 1), text });
  return fc.uniqueArray(place, { selector: ({ at }) => at, maxLength: 5 }).map((places) => {
    const sorted = places.toSorted((one, other) => one.at - other.at);
    return sorted.map(({ at, text: fresh }, index) => {
      const limit = sorted[index + 1]?.at ?? borders.length - 1;
      const end = Math.min(at + fresh.length % 3, limit);
      return { start: borders[at] ?? 0, end: borders[end] ?? 0, text: fresh };
    });
  });
}

Deno.test("byteSplices() change the bytes as the changes change the text", () => {
  const edit = text.chain((old) => fc.tuple(fc.constant(old), changesOf(old), fc.boolean()));
  fc.assert(fc.property(edit, ([old, changes, bom]) => {
    const bytes = encodeText(old, bom);
    const facts = { path: "f", real: "/f", kind: "file", size: 0, mtimeMs: 0, mode: 0 } as const;
    const content = { facts, version: { size: 0, hash: "" }, bytes };
    const spliced = applySplices(bytes, byteSplices({ text: old, bom, content }, changes));
    deepStrictEqual(spliced, encodeText(applyChanges(old, changes), bom));
  }));
});
