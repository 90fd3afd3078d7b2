import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { chordText, isDrastic, NAMED_KEYS, parseChord } from "../../../tools/screen/chord.ts";

Deno.test("parseChord() reads keys as people and models write them", async (t) => {
  const cases: [text: string, want: string][] = [
    ["ctrl+shift+t", "ctrl+shift+t"],
    ["Shift+Control+T", "ctrl+shift+T"],
    ["Return", "enter"],
    ["Esc", "escape"],
    ["cmd+Page_Down", "super+pagedown"],
    ["ctrl + c", "ctrl+c"],
    ["f12", "f12"],
    ["+", "+"],
    ["ctrl++", "ctrl++"],
    ["ctrl+plus", "ctrl++"],
    ["/", "/"],
    ["ctrl+ctrl+a", "ctrl+a"],
  ];
  for (const [text, want] of cases) {
    await t.step(text, () => {
      const parsed = parseChord(text);
      ok(parsed.ok);
      strictEqual(chordText(parsed.chord), want);
    });
  }
});

Deno.test("parseChord() refuses what is no key", async (t) => {
  for (const text of ["", "ctrl+", "ctr+c", "a+b", "hello", "f25", "é", "constructor", "x y"]) {
    await t.step(JSON.stringify(text), () => strictEqual(parseChord(text).ok, false));
  }
});

Deno.test("parseChord() reads what chordText() writes", () => {
  const key = fc.oneof(
    fc.constantFrom(...NAMED_KEYS),
    fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  );
  const modifiers = fc.subarray(["ctrl", "alt", "shift", "super"] as const);
  fc.assert(fc.property(modifiers, key, (modifiers, key) => {
    const chord = { modifiers, key };
    deepStrictEqual(parseChord(chordText(chord)), { ok: true, chord });
  }));
});

Deno.test("isDrastic() knows what takes more than a window", async (t) => {
  const cases: [text: string, drastic: boolean][] = [
    ["ctrl+alt+delete", true],
    ["ctrl+alt+f1", true],
    ["super+l", true],
    ["alt+f4", true],
    ["ctrl+w", true],
    ["ctrl+shift+W", true],
    ["ctrl+q", true],
    ["ctrl+c", false],
    ["alt+tab", false],
    ["f4", false],
    ["w", false],
  ];
  for (const [text, want] of cases) {
    await t.step(text, () => {
      const parsed = parseChord(text);
      ok(parsed.ok);
      strictEqual(isDrastic(parsed.chord), want);
    });
  }
});
