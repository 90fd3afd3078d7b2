import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { byteSplices } from "../../edit/byte_splices.ts";
import { replaceUnique } from "../../edit/ladder.ts";
import { changedElsewhere } from "../../edit/rebase.ts";
import { encodeText } from "../../edit/encoding.ts";
import { fileText } from "./mutations.ts";

/** The bytes with all splices made, from the last to the first. */
function spliced(bytes: Uint8Array, splices: ReturnType<typeof byteSplices>): Uint8Array {
  return splices.toReversed().reduce(
    (now, { start, end, bytes }) =>
      Uint8Array.of(...now.subarray(0, start), ...bytes, ...now.subarray(end)),
    bytes,
  );
}

function encoded(text: string, bom: boolean) {
  return { text, bom, size: encodeText(text, bom).length };
}

Deno.test("byteSplices() makes of the file's bytes what the changes make of its text", async (t) => {
  const cases: [name: string, text: string, bom: boolean, old: string, fresh: string][] = [
    ["ASCII", "a\nb\n", false, "b", "c"],
    ["behind two, three and four bytes", "é€😀 b\n", false, "b", "ü€😀"],
    ["ASCII behind a byte order mark", "a b\n", true, "b", "é"],
    ["behind a byte order mark", "é b\n", true, "b", "c"],
    ["in place of a pair", "a😀b\n", false, "😀", "x"],
  ];
  for (const [name, text, bom, old, fresh] of cases) {
    await t.step(name, () => {
      const answer = replaceUnique(text, old, fresh);
      const splices = answer.ok ? byteSplices(encoded(text, bom), answer.changes) : [];
      const want = encodeText(text.replace(old, () => fresh), bom);
      deepStrictEqual(spliced(encodeText(text, bom), splices), want);
    });
  }
  await t.step("any text", () => {
    fc.assert(fc.property(fileText, fc.nat(), fc.boolean(), (text, seed, bom) => {
      const lines = text.split("\n");
      const old = lines[seed % lines.length] ?? "";
      const answer = replaceUnique(text, old, "é😀\nx", { replaceAll: true });
      if (!answer.ok) return;
      const splices = byteSplices(encoded(text, bom), answer.changes);
      deepStrictEqual(spliced(encodeText(text, bom), splices), encodeText(answer.text, bom));
    }));
  });
});

Deno.test("changedElsewhere()", async (t) => {
  const read = "a\nb\nc\nd\ne\n";
  const change = [{ start: 4, end: 5, text: "C" }];
  const cases: [name: string, now: string, want: boolean][] = [
    ["a line above", "A\nb\nc\nd\ne\n", true],
    ["the neighbours", "a\nB\nc\nD\ne\n", true],
    ["lines came above", "x\ny\na\nb\nc\nd\ne\n", true],
    ["a line came right below", "a\nb\nc\nx\nd\ne\n", true],
    ["the line itself", "a\nb\nX\nd\ne\n", false],
    ["the line went", "a\nb\nd\ne\n", false],
    ["all lines", "q\n", false],
  ];
  for (const [name, now, want] of cases) {
    await t.step(name, () => deepStrictEqual(changedElsewhere(read, now, change), want));
  }
});
