import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type Mark, MarkReader } from "../../../sandbox/view/marks.ts";

const KEY = "k3y";

function read(chunks: readonly Uint8Array[]): { text: string; marks: Mark[] } {
  const bytes: number[] = [];
  const marks: Mark[] = [];
  const reader = new MarkReader(KEY, (chunk) => bytes.push(...chunk), (mark) => marks.push(mark));
  chunks.forEach((chunk) => reader.write(chunk));
  reader.end();
  return { text: String.fromCharCode(...bytes), marks };
}

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

Deno.test("MarkReader", async (t) => {
  const cases: [name: string, input: string, text: string, marks: Mark[]][] = [
    ["plain output", "abc", "abc", []],
    ["a mark is no output", "\0k3ystarted\0out", "out", [{ kind: "started" }]],
    ["why it was refused", "\0k3yrefused no such program\0", "", [
      { kind: "refused", why: "no such program" },
    ]],
    ["how it ended", "a\0k3yended 2 signal\0b", "ab", [{ kind: "ended", left: 2, how: "signal" }]],
    ["a count that is none", "\0k3yended x exit\0", "", []],
    ["an ending that is none", "\0k3yended 2 well\0", "", []],
    ["NUL is output", "a\0b\0\0c", "a\0b\0\0c", []],
    ["another key is output", "\0kEystarted\0", "\0kEystarted\0", []],
    ["the start of a mark at the end is output", "a\0k3", "a\0k3", []],
    ["so is a mark without end", "\0k3ystarted", "\0k3ystarted", []],
    ["and one that never ends", "\0k3y" + "x".repeat(400), "\0k3y" + "x".repeat(400), []],
    ["two in a row", "\0k3ystarted\0\0k3yended 0 limit\0", "", [
      { kind: "started" },
      { kind: "ended", left: 0, how: "limit" },
    ]],
  ];
  for (const [name, input, text, marks] of cases) {
    await t.step(name, () => {
      deepStrictEqual(read([bytesOf(input)]), { text, marks });
      // However it is cut.
      deepStrictEqual(read([...input].map(bytesOf)), { text, marks });
    });
  }

  await t.step("every byte comes through, in order, however the stream is cut", () => {
    const piece = fc.oneof(
      fc.constantFrom("\0", "\0k", "\0k3y", "k3y", "a"),
      fc.string({ unit: "binary-ascii", maxLength: 8 }),
    );
    fc.assert(fc.property(fc.array(fc.tuple(piece, fc.boolean())), (pieces) => {
      const input = pieces.map(([text]) => text).join("");
      const chunks = pieces.reduce<string[]>(
        (parts, [text, joined]) =>
          joined && parts.length > 0
            ? [...parts.slice(0, -1), (parts.at(-1) ?? "") + text]
            : [...parts, text],
        [],
      );
      const whole = read([bytesOf(input)]);
      deepStrictEqual(read(chunks.map(bytesOf)), whole);
      // What is missing from the text is marks alone: NUL, key, words without NUL, NUL.
      deepStrictEqual(whole.text, input.replaceAll(/\0k3y[^\0]{0,251}\0/g, ""));
    }));
  });
});
