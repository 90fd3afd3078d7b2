import { strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { controlStripper } from "../../../sandbox/commands/control.ts";

function strip(...pieces: string[]): string {
  const stripper = controlStripper();
  return pieces.map((piece) => stripper.strip(piece)).join("") + stripper.end();
}

Deno.test("controlStripper()", async (t) => {
  const cases: [name: string, text: string, want: string][] = [
    ["leaves plain text, tabs and newlines", "a\tb\nü 🎉\n", "a\tb\nü 🎉\n"],
    ["colours and cursor moves", "\x1b[1;31mred\x1b[0m\x1b[2K\x1b[10;20H.", "red."],
    ["CSI with private and intermediate bytes", "\x1b[?25l\x1b[4 qx", "x"],
    ["a C1 CSI", "\x9b31mred\x9b0m", "red"],
    ["a title ended by BEL", "\x1b]0;title\x07x", "x"],
    ["a link ended by ST", "\x1b]8;;http://a\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["a C1 OSC ended by a C1 ST", "\x9d0;t\x9cx", "x"],
    ["a title that is never ended gives the next line back", "\x1b]0;t\nnext\n", "\nnext\n"],
    ["an image as DCS over lines", "a\x1bPq#0\n#1\x1b\\b", "ab"],
    ["APC, PM and SOS", "\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\d", "d"],
    ["a string that another sequence ends", "\x1bPabc\x1b[1mx", "x"],
    ["character sets and keypad modes", "\x1b(B\x1b=\x1b>x\x1b7\x1bc", "x"],
    ["an invalid CSI gives its last character back", "\x1b[1\nx", "\nx"],
    ["a parameter without end", `\x1b[${"1".repeat(300)}`, "1".repeat(45)],
    ["C0 controls, NUL and DEL", "a\0b\x07c\x08d\x0ce\x7ff", "abcdef"],
    ["C1 controls", "a\x80\x85b", "ab"],
    ["CR LF stays", "a\r\nb\r\n", "a\r\nb\r\n"],
    ["several CR before LF are one", "a\r\r\nb", "a\r\nb"],
    ["a lone CR becomes a newline", "10%\r20%\rdone", "10%\n20%\ndone"],
    ["a CR at the end", "10%\r", "10%\n"],
    ["bidirectional controls are shown", "a\u202eb\u2066c\u200fd", "a<U+202E>b<U+2066>c<U+200F>d"],
    ["a byte order mark stays", "\ufeffa", "\ufeffa"],
  ];
  for (const [name, text, want] of cases) {
    await t.step(name, () => strictEqual(strip(text), want));
    await t.step(`${name}, by characters`, () => strictEqual(strip(...text), want));
  }

  await t.step("gives up on a device string without end", () => {
    const rest = strip(`\x1bP${"x".repeat(1024 * 1024)}visible`);
    strictEqual(rest, "visible");
  });

  await t.step("answers the same for any splitting, and never a control sequence", () => {
    const piece = fc.oneof(
      fc.constantFrom("\x1b", "[", "]", "P", "\\", "\x07", "\r", "\n", "\x9b", "\x9c", "1;2", "m"),
      fc.string({ unit: "binary" }),
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => {
      const whole = strip(pieces.join(""));
      strictEqual(strip(...pieces), whole);
      // deno-lint-ignore no-control-regex
      strictEqual(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/.test(whole), false);
    }));
  });
});
