import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { columnsOf } from "../../../../agent/terminal/render/columns.ts";
import { EMPTY, insert } from "../../../../agent/terminal/screen/editor.ts";
import { ChoiceModal } from "../../../../agent/terminal/screen/choice_modal.ts";
import { inputOf } from "../../../../agent/terminal/screen/input.ts";
import { popupOf } from "../../../../agent/terminal/screen/popup.ts";
import { composeFrame, type Scene } from "../../../../agent/terminal/screen/scene.ts";
import { TextModal } from "../../../../agent/terminal/screen/text_modal.ts";
import { styleFor } from "../../../../agent/terminal/style.ts";

const style = styleFor({ flag: "never", isTerminal: true, env: () => undefined });

function scene(text: string, more: Partial<Scene> = {}): Scene {
  return {
    growing: () => [],
    waiting: [],
    activity: undefined,
    modal: undefined,
    input: { ...inputOf([]), editor: insert(EMPTY, text) },
    status: "status",
    ...more,
  };
}

Deno.test("composeFrame() puts what grows above the line and the status below", () => {
  const items = [{ value: "/help", label: "/help", description: "lists commands" }];
  const { rows, cursor } = composeFrame(
    scene("hi\nyou", {
      growing: () => ["answer"],
      waiting: ["waits: x"],
      activity: "Working",
      input: {
        ...inputOf([]),
        editor: insert(EMPTY, "hi\nyou"),
        popup: popupOf({ start: 0, end: 2, items }),
      },
    }),
    { width: 40, style },
    20,
  );
  deepStrictEqual(rows, [
    ...["answer", "", "waits: x", "Working", "> hi", "  you"],
    ...["> /help  lists commands", "status"],
  ]);
  deepStrictEqual(cursor, { row: 5, column: 5 });
});

Deno.test("composeFrame() shows who is asked the question alone", () => {
  const choices = [{ label: "No", description: "nothing" }, {
    label: "Certainly",
    description: "all",
  }];
  const { rows } = composeFrame(
    scene("being written", {
      growing: () => ["a call that waits"],
      waiting: ["waits: x"],
      activity: "Working",
      modal: new ChoiceModal("Sure?", choices, () => {}),
    }),
    { width: 40, style },
    20,
  );
  deepStrictEqual(rows, [
    ...["", "waits: x", "Sure?"],
    ...["> 1. No         nothing", "  2. Certainly  all", "status"],
  ]);
});

Deno.test("composeFrame() says how many proposals there are, where not all are shown", () => {
  const items = Array.from({ length: 12 }, (_, n) => ({ value: `/c${n}`, label: `/c${n}` }));
  const popup = popupOf({ start: 0, end: 1, items });
  const { rows } = composeFrame(
    scene("", { input: { ...inputOf([]), popup } }),
    { width: 40, style },
    20,
  );
  deepStrictEqual(rows.slice(-3), ["  /c7", "  1 of 12", "status"]);
});

Deno.test("composeFrame() shows the end of what grows, and the rows around the cursor", () => {
  const growing = (_: unknown, most: number) =>
    Array.from({ length: most + 5 }, (_, index) => `row ${index}`);
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
  const { rows, cursor } = composeFrame(scene(lines, { growing }), { width: 40, style }, 10);
  deepStrictEqual(rows, [
    ...["row 5", "row 6", "row 7", "row 8"],
    ...["  line 25", "  line 26", "  line 27", "  line 28", "  line 29", "status"],
  ]);
  deepStrictEqual(cursor, { row: 8, column: 9 });
});

Deno.test("composeFrame() never makes a row too wide or one too many", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 200 });
  const choices = [{ label: "one", description: "x".repeat(90) }, { label: "宽".repeat(30) }];
  const shape = fc.record({
    text,
    question: text,
    growing: fc.nat(60),
    waiting: fc.array(text, { maxLength: 8 }),
    isBusy: fc.boolean(),
    modal: fc.constantFrom("none", "text", "choice"),
    width: fc.integer({ min: 20, max: 60 }),
    rows: fc.integer({ min: 1, max: 30 }),
  });
  fc.assert(fc.property(shape, ({ width, rows: most, modal, isBusy, growing, ...parts }) => {
    const modals = {
      none: undefined,
      text: new TextModal(parts.question, parts.text, () => {}),
      choice: new ChoiceModal(parts.question, choices, () => {}),
    };
    const { rows, cursor } = composeFrame(
      scene(parts.text, {
        growing: () => Array.from({ length: growing }, () => "x".repeat(width)),
        waiting: parts.waiting,
        activity: isBusy ? "Working" : undefined,
        modal: modals[modal as keyof typeof modals],
      }),
      { width, style },
      most,
    );
    ok(rows.length >= 1 && rows.length <= most, `${rows.length} of ${most}`);
    for (const row of rows) ok(columnsOf(row) <= width, row);
    if (cursor) ok(cursor.row < rows.length && cursor.column < width);
  }));
});
