import { strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { visible, visibleLine } from "../../../agent/terminal/visible.ts";

Deno.test("visible()", async (t) => {
  const cases: [name: string, text: string, want: string][] = [
    ["plain text stays", "git log -3 | wc\n# ümläut 日本 🙂", "git log -3 | wc\n# ümläut 日本 🙂"],
    ["an escape sequence is shown and not obeyed", "a\x1b[2Jb", "a<U+001B>[2Jb"],
    ["a C1 control", "a\u009b2Jb", "a<U+009B>2Jb"],
    ["a carriage return", "good\rbad", "good<U+000D>bad"],
    ["a NUL and a DEL", "\0\x7f", "<U+0000><U+007F>"],
    ["text that runs backwards", "a\u202egpj.exe", "a<U+202E>gpj.exe"],
    ["what has no width", "rm\u200b -rf\ufeff", "rm<U+200B> -rf<U+FEFF>"],
    ["tags, which hide whole sentences", "a\u{E0041}b", "a<U+E0041>b"],
    ["blanks that are no space", "a\u00a0b\u3000c\u2028d", "a<U+00A0>b<U+3000>c<U+2028>d"],
    ["letters that are drawn as nothing", "a\u3164b\u2800c", "a<U+3164>b<U+2800>c"],
    ["half of a character", "a\ud800b", "a<U+D800>b"],
    ["a tab is the blanks that it is taken for", "a\tb", "a    b"],
  ];
  for (const [name, text, want] of cases) {
    await t.step(name, () => strictEqual(visible(text), want));
  }
  await t.step("on one line a line feed is shown too", () => {
    strictEqual(visibleLine("a\nb\x1b"), "a\\nb<U+001B>");
  });
  await t.step("nothing that a terminal obeys ever comes out", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
      // deno-lint-ignore no-control-regex
      strictEqual(/[\x00-\x09\x0b-\x1f\x7f-\x9f]|\p{Bidi_Control}/u.test(visible(text)), false);
    }));
  });
});
