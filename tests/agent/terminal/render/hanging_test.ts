import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { columnsOf } from "../../../../agent/terminal/render/columns.ts";
import { wrapHanging } from "../../../../agent/terminal/render/hanging.ts";

Deno.test("wrapHanging()", async (t) => {
  const cases: [name: string, line: string, width: number, want: string[]][] = [
    ["what fits stays", "  /a   one", 40, ["  /a   one"]],
    [
      "the last column of a table goes on below itself",
      "  /fork  go on in a copy of this session, from before",
      40,
      ["  /fork  go on in a copy of this", "         session, from before"],
    ],
    [
      "a column far to the right is none to hang below",
      "name: a long text that is no column at all  and more of it",
      40,
      ["name: a long text that is no column at", "all  and more of it"],
    ],
    [
      "an indented line keeps its indentation",
      "    it was said at length that this goes on and on",
      40,
      ["    it was said at length that this goes", "    on and on"],
    ],
    ["an answer to choose, on a narrow screen", "  s yes, exactly this command", 20, [
      "  s yes, exactly",
      "  this command",
    ]],
    [
      "where there is no room left nothing hangs",
      "one  two three four five six",
      14,
      ["one  two three", "four five six"],
    ],
  ];
  for (const [name, line, width, want] of cases) {
    await t.step(name, () => deepStrictEqual(wrapHanging(line, width), want));
  }
});

Deno.test("wrapHanging() loses no word and exceeds no width", () => {
  const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 })
    .map((text) => text.replaceAll(/\s|\p{C}/gu, "x"));
  const gap = fc.constantFrom(" ", "  ", "     ");
  const line = fc.array(fc.tuple(word, gap), { maxLength: 30 })
    .map((parts) => parts.flat().join("").trimEnd());
  fc.assert(fc.property(line, fc.integer({ min: 10, max: 60 }), (text, width) => {
    const rows = wrapHanging(text, width);
    const letters = (all: string) => all.replaceAll(" ", "");
    deepStrictEqual(letters(rows.join("")), letters(text));
    for (const row of rows) ok(columnsOf(row) <= width, JSON.stringify({ row, width }));
  }));
});
