import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { columnsOf } from "../../../../agent/terminal/render/columns.ts";
import { type Frame, LiveRegion } from "../../../../agent/terminal/screen/live_region.ts";
import { ScreenEmulator } from "../../../helpers/screen_emulator.ts";

const COLUMNS = 12;
const ROWS = 6;

function frame(...rows: string[]): Frame {
  return { rows, cursor: { row: rows.length - 1, column: 0 } };
}

Deno.test("LiveRegion leaves finished lines above and the last frame below, whatever came before", () => {
  const word = fc.constantFrom("", "a", "bc", "wide 宽", "one two", "abcdefghijkl");
  const step = fc.record({
    finished: fc.array(word, { maxLength: 9 }),
    rows: fc.array(word, { minLength: 1, maxLength: ROWS }),
    at: fc.nat(),
    column: fc.nat(COLUMNS - 1),
  });
  fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
    const region = new LiveRegion();
    const terminal = new ScreenEmulator(COLUMNS, ROWS);
    const finished: string[] = [];
    let last: Frame = frame("");
    for (const { rows, at, column, ...step } of steps) {
      finished.push(...step.finished);
      last = { rows, cursor: { row: at % rows.length, column } };
      terminal.write(region.draw(step.finished, last));
    }
    const expected = [...finished, ...last.rows];
    while (expected.at(-1) === "") expected.pop();
    deepStrictEqual(terminal.lines, expected);
    const { row = 0, column = 0 } = last.cursor ?? {};
    deepStrictEqual(terminal.cursor, { row: finished.length + row, column });
  }));
});

Deno.test("LiveRegion.draw() writes only rows that differ", async (t) => {
  const cases: [name: string, before: string[], after: string[], written: string[]][] = [
    ["nothing", ["one", "two"], ["one", "two"], []],
    ["a row", ["one", "two", "three"], ["one", "TWO", "three"], ["TWO"]],
    ["a row more", ["one", "two"], ["one", "two", "three"], ["three"]],
  ];
  for (const [name, before, after, written] of cases) {
    await t.step(name, () => {
      const region = new LiveRegion();
      region.draw([], frame(...before));
      const text = region.draw([], frame(...after));
      deepStrictEqual(after.filter((row) => text.includes(row)), written);
    });
  }
});

Deno.test("LiveRegion.draw() is one synchronised update that hides the cursor meanwhile", () => {
  const text = new LiveRegion().draw(["done"], frame("> "));
  ok(text.startsWith("\x1b[?2026h\x1b[?25l"), text);
  ok(text.endsWith("\x1b[?25h\x1b[?2026l"), text);
});

Deno.test("LiveRegion.draw() keeps the cursor hidden where the frame has none", () => {
  strictEqual(
    new LiveRegion().draw([], { rows: ["a"], cursor: undefined }).includes("?25h"),
    false,
  );
});

Deno.test("LiveRegion.draw() keeps the last column of a full row", () => {
  const region = new LiveRegion();
  const full = "x".repeat(COLUMNS);
  const terminal = new ScreenEmulator(COLUMNS, ROWS);
  terminal.write(region.draw([full], frame(full, full)));
  deepStrictEqual(terminal.lines, [full, full, full]);
});

Deno.test("LiveRegion.clear() takes the frame away, and the next is drawn in its place", () => {
  const region = new LiveRegion();
  const terminal = new ScreenEmulator(COLUMNS, ROWS);
  terminal.write(region.draw(["done"], { rows: ["a", "b", "c"], cursor: { row: 1, column: 0 } }));
  terminal.write(region.clear());
  deepStrictEqual(terminal.lines, ["done"]);
  terminal.write(region.draw([], frame("d")));
  deepStrictEqual(terminal.lines, ["done", "d"]);
});

Deno.test("LiveRegion.clearAfterResize() knows the rows that a narrower terminal has made", () => {
  const rows = ["x".repeat(12), "", "y".repeat(9), "> "];
  const region = new LiveRegion();
  region.draw([], { rows, cursor: { row: 3, column: 2 } });
  const narrow = new ScreenEmulator(5, 20);
  narrow.write(["done", ...rows].join("\r\n"));
  narrow.write(region.clearAfterResize(5));
  deepStrictEqual(narrow.lines, ["done"]);
  ok(rows.every((row) => columnsOf(row) <= COLUMNS));
});
