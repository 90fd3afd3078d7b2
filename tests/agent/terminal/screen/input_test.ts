import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { insert } from "../../../../agent/terminal/screen/editor.ts";
import {
  type Circumstances,
  type Input,
  inputOf,
  press,
} from "../../../../agent/terminal/screen/input.ts";
import type { Key } from "../../../../agent/terminal/screen/keys.ts";
import { popupOf } from "../../../../agent/terminal/screen/popup.ts";

const IDLE: Circumstances = { width: 40, working: false, queued: false };
const WORKING: Circumstances = { ...IDLE, working: true };

function written(text: string, history: readonly string[] = []): Input {
  const input = inputOf(history);
  return { ...input, editor: insert(input.editor, text) };
}

function key(name: string): Key {
  return { kind: "key", name };
}

Deno.test("press() asks for what a key means", async (t) => {
  const cases: [name: string, text: string, facts: Circumstances, command: string | undefined][] = [
    ["enter", "hi", IDLE, "submit"],
    ["enter", "hi", WORKING, "submit"],
    ["alt+enter", "hi", WORKING, "queue"],
    ["tab", "hi", WORKING, "queue"],
    ["alt+enter", "hi", IDLE, undefined],
    ["tab", "hi", IDLE, undefined],
    ["escape", "hi", WORKING, "stop"],
    ["ctrl+c", "hi", IDLE, "interrupt"],
    ["ctrl+d", "", IDLE, "leave"],
    ["ctrl+d", "hi", IDLE, undefined],
    ["ctrl+l", "", IDLE, "redraw"],
    ["ctrl+o", "", IDLE, "unfold"],
    ["ctrl+z", "", IDLE, "suspend"],
    ["ctrl+g", "", IDLE, "edit_outside"],
    ["up", "", { ...IDLE, queued: true }, "unqueue"],
    ["up", "hi", { ...IDLE, queued: true }, undefined],
    ["f5", "hi", IDLE, undefined],
  ];
  for (const [name, text, facts, command] of cases) {
    await t.step(`${name} at "${text}"${facts.working ? ", working" : ""}`, () => {
      strictEqual(press(written(text), key(name), facts).command, command);
    });
  }
});

Deno.test("press() begins another line where Enter would send", async (t) => {
  const cases: [name: string, before: string, after: string][] = [
    ["ctrl+j", "a", "a\n"],
    ["shift+enter", "a", "a\n"],
    ["alt+enter", "a", "a\n"],
    ["enter", "a\\", "a\n"],
  ];
  for (const [name, before, after] of cases) {
    await t.step(`${name} at ${before}`, () => {
      const { input, command } = press(written(before), key(name), IDLE);
      deepStrictEqual([input.editor.text, command], [after, undefined]);
    });
  }
});

Deno.test("press() walks through history and comes back to what was being written", () => {
  let input = written("draft", ["one", "two\nlines"]);
  const keys = ["up", "up", "up", "up", "down", "down", "down"];
  const seen = keys.map((name) => {
    input = press(input, key(name), IDLE).input;
    return input.editor.text;
  });
  // The second Up goes to the first row of the entry, and the last has nowhere to go.
  const two = "two\nlines";
  deepStrictEqual(seen, [two, two, "one", "one", two, "draft", "draft"]);
});

Deno.test("press() takes Ctrl-X Ctrl-E as one key", () => {
  const first = press(written("a"), key("ctrl+x"), IDLE);
  deepStrictEqual([first.command, first.input.editor.text], [undefined, "a"]);
  strictEqual(press(first.input, key("ctrl+e"), IDLE).command, "edit_outside");
  const other = press(first.input, key("ctrl+k"), IDLE);
  deepStrictEqual([other.command, other.input.prefixed, other.input.editor.text], [
    undefined,
    false,
    "a",
  ]);
});

Deno.test("press() at an open list", async (t) => {
  const items = ["@one.ts", "@one/two.ts"].map((value) => ({ value, label: value }));
  const open = { ...written("see @on"), popup: popupOf({ start: 4, end: 7, items }) };
  await t.step("Tab and Enter put the chosen item in", () => {
    for (const name of ["tab", "enter"]) {
      const { input, command } = press(open, key(name), WORKING);
      deepStrictEqual([input.editor.text, input.popup, command], [
        "see @one.ts",
        undefined,
        undefined,
      ]);
    }
  });
  await t.step("arrows choose another, round at the ends", () => {
    const { input } = press(open, key("up"), IDLE);
    strictEqual(press(input, key("tab"), IDLE).input.editor.text, "see @one/two.ts");
  });
  await t.step("Esc closes it and stops nothing", () => {
    const { input, command } = press(open, key("escape"), WORKING);
    deepStrictEqual([input.popup, command, input.editor.text], [undefined, undefined, "see @on"]);
  });
  await t.step("typing closes it", () => {
    strictEqual(press(open, { kind: "text", text: "e" }, IDLE).input.popup, undefined);
  });
  await t.step("Enter sends what is written whole already", () => {
    const whole = {
      ...written("@one.ts"),
      popup: popupOf({ start: 0, end: 7, items: [{ value: "@one.ts ", label: "one.ts" }] }),
    };
    strictEqual(press(whole, key("enter"), IDLE).command, "submit");
  });
});
