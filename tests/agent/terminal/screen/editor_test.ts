import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { columnsOf } from "../../../../agent/terminal/render/columns.ts";
import {
  type Edit,
  type Editor,
  EDITS,
  EMPTY,
  insert,
  paste,
} from "../../../../agent/terminal/screen/editor.ts";
import { editorRows, moveRow } from "../../../../agent/terminal/screen/editor_rows.ts";
import { expand } from "../../../../agent/terminal/screen/held.ts";

/** A line from a text with `|` where the cursor stands. */
function at(text: string): Editor {
  return { ...EMPTY, text: text.replace("|", ""), cursor: text.indexOf("|") };
}

function shown({ text, cursor }: Editor): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

Deno.test("EDITS do what keys of bash and Emacs do", async (t) => {
  const cases: [edit: Edit, before: string, after: string][] = [
    ["left", "ab|c", "a|bc"],
    ["left", "|abc", "|abc"],
    ["left", "a👩‍💻|", "a|👩‍💻"],
    ["right", "|宽a", "宽|a"],
    ["right", "abc|", "abc|"],
    ["wordLeft", "one two|", "one |two"],
    ["wordLeft", "one, |two", "|one, two"],
    ["wordLeft", "|one", "|one"],
    ["wordRight", "|one two", "one| two"],
    ["wordRight", "one| - two", "one - two|"],
    ["lineStart", "one\ntw|o", "one\n|two"],
    ["lineStart", "|\none", "|\none"],
    ["lineEnd", "o|ne\ntwo", "one|\ntwo"],
    ["textStart", "one\ntwo|", "|one\ntwo"],
    ["textEnd", "|one\ntwo", "one\ntwo|"],
    ["deleteLeft", "ab|c", "a|c"],
    ["deleteLeft", "|abc", "|abc"],
    ["deleteLeft", "e\u0301|x", "|x"],
    ["deleteLeft", "a\n|b", "a|b"],
    ["deleteRight", "a|bc", "a|c"],
    ["deleteRight", "abc|", "abc|"],
    ["cutWordLeft", "one two|", "one |"],
    ["cutWordRight", "one| two", "one|"],
    ["cutToStart", "a\none| two", "a\n| two"],
    ["cutToEnd", "one| two\nb", "one|\nb"],
    ["cutToEnd", "one|\ntwo", "one|two"],
    ["newline", "a|b", "a\n|b"],
  ];
  for (const [edit, before, after] of cases) {
    await t.step(`${edit} ${JSON.stringify(before)}`, () => {
      strictEqual(shown(EDITS[edit](at(before))), after);
    });
  }
});

Deno.test("EDITS.yank() brings back what was cut last", () => {
  const cut = EDITS.cutWordLeft(at("one two|"));
  strictEqual(shown(EDITS.yank(EDITS.yank(cut))), "one twotwo|");
});

Deno.test("EDITS.undo() goes back step by step, and stays at the first", () => {
  const written = insert(insert(EMPTY, "one"), " two");
  const steps = [1, 2, 3].reduce<Editor[]>((all) => [...all, EDITS.undo(all.at(-1) ?? EMPTY)], [
    written,
  ]);
  deepStrictEqual(steps.map(({ text }) => text), ["one two", "one", "", ""]);
});

Deno.test("paste() holds what is long as one character, and expand() has it whole", () => {
  const long = Array.from({ length: 2_000 }, (_, index) => `line ${index}`).join("\n");
  const held = paste(at("a|b"), long);
  strictEqual(expand(held.text, held.held), `a${long}b`);
  const { rows } = editorRows(held, 80);
  deepStrictEqual(rows.map((row) => row.shown), ["a[pasted 2 000 lines]b"]);
  strictEqual(EDITS.deleteLeft(held).text, "ab");
  strictEqual(paste(at("a|b"), "x\ny").text, "ax\nyb");
});

Deno.test("paste() does not take characters of a text for what is held", () => {
  const first = paste(EMPTY, "x".repeat(2_000));
  const second = paste(first, first.text);
  strictEqual(expand(second.text, second.held), "x".repeat(2_000) + first.text);
});

Deno.test("editorRows() breaks at the width and knows where the cursor is", async (t) => {
  const cases: [text: string, width: number, rows: string[], cursor: [number, number]][] = [
    ["|", 10, [""], [0, 0]],
    ["abc|", 10, ["abc"], [0, 3]],
    ["abcd|", 5, ["abcd"], [0, 4]],
    ["abcde|", 5, ["abcd", "e"], [1, 1]],
    ["ab|cde", 5, ["abcd", "e"], [0, 2]],
    ["a\n|", 5, ["a", ""], [1, 0]],
    ["a|\n\nb", 5, ["a", "", "b"], [0, 1]],
    ["宽宽宽|", 6, ["宽宽", "宽"], [1, 2]],
    ["a\tb|", 10, ["a    b"], [0, 6]],
    ["a\x1b[1m|", 20, ["a<U+001B>[1m"], [0, 12]],
    ["a\u202eb|", 20, ["a<U+202E>b"], [0, 10]],
    ["a\u200b|", 20, ["a<U+200B>"], [0, 9]],
  ];
  for (const [text, width, rows, [row, column]] of cases) {
    await t.step(`${JSON.stringify(text)} in ${width}`, () => {
      const found = editorRows(at(text), width);
      deepStrictEqual(found.rows.map((row) => row.shown), rows);
      deepStrictEqual(found.cursor, { row, column });
    });
  }
});

Deno.test("moveRow() keeps the column as far as the row goes", async (t) => {
  const cases: [before: string, delta: number, after: string | undefined][] = [
    ["one\ntw|o", -1, "on|e\ntwo"],
    ["one\n|two", -1, "|one\ntwo"],
    ["a\ntwo|", -1, "a|\ntwo"],
    ["o|ne\ntwo", 1, "one\nt|wo"],
    ["one|", -1, undefined],
    ["one|", 1, undefined],
    ["abcdefgh|i", -1, "abcd|efghi"],
  ];
  for (const [before, delta, after] of cases) {
    await t.step(`${JSON.stringify(before)} by ${delta}`, () => {
      const moved = moveRow(at(before), 5, delta);
      strictEqual(moved && shown(moved), after);
    });
  }
});

Deno.test("editors never leave a character half, a row too wide, or the cursor outside", () => {
  const names = Object.keys(EDITS) as Edit[];
  const step = fc.oneof(
    fc.constantFrom(...names).map((name) => EDITS[name]),
    fc.constantFrom("a", "宽", "👩‍💻", "e\u0301", "\n", " ", "\t", "\x07", "ab cd")
      .map((text) => (editor: Editor) => insert(editor, text)),
    fc.constantFrom("x".repeat(1_500), "short").map((text) => (editor: Editor) =>
      paste(editor, text)
    ),
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 10, max: 40 }), (
    steps,
    width,
  ) => {
    const editor = steps.reduce((line, act) => act(line), EMPTY);
    ok(editor.text.isWellFormed());
    const { rows, cursor } = editorRows(editor, width);
    for (const row of rows) ok(columnsOf(row.shown) < width, row.shown);
    ok(cursor.row < rows.length && cursor.column < width);
    ok(rows.some(({ stops }) => stops.some((stop) => stop.at === editor.cursor)));
  }));
});
