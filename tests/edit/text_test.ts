import { deepStrictEqual } from "node:assert/strict";
import { decodeText, encodeText } from "../../edit/encoding.ts";
import {
  leadingBlanks,
  lineBreak,
  lineEnding,
  linesOf,
  splitLines,
  trimBlanks,
  usualBreak,
  withBreaks,
} from "../../edit/text.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, littleEndian: boolean, mark: boolean): Uint8Array {
  const units = mark ? "\uFEFF" + text : text;
  const view = new DataView(new ArrayBuffer(units.length * 2));
  for (let at = 0; at < units.length; at++) {
    view.setUint16(at * 2, units.charCodeAt(at), littleEndian);
  }
  return new Uint8Array(view.buffer);
}

Deno.test("decodeText()", async (t) => {
  const cases: [name: string, bytes: Uint8Array, want: readonly [string, unknown]][] = [
    ["UTF-8", utf8("aé😀\r\n"), ["aé😀\r\n", false]],
    ["nothing", utf8(""), ["", false]],
    ["byte order mark apart", utf8("\uFEFFa"), ["a", true]],
    ["only the first mark", utf8("\uFEFF\uFEFFa"), ["\uFEFFa", true]],
    ["invalid UTF-8", Uint8Array.of(0x61, 0xff, 0x62), [
      "encoding",
      "bytes that are not valid UTF-8",
    ]],
    ["latin1", Uint8Array.of(0x63, 0x61, 0x66, 0xe9), [
      "encoding",
      "bytes that are not valid UTF-8",
    ]],
    ["a surrogate in UTF-8", Uint8Array.of(0xed, 0xa0, 0x80), [
      "encoding",
      "bytes that are not valid UTF-8",
    ]],
    ["UTF-16LE with mark", utf16("hi", true, true), [
      "encoding",
      "UTF-16LE text (byte order mark)",
    ]],
    ["UTF-16BE with mark", utf16("hi", false, true), [
      "encoding",
      "UTF-16BE text (byte order mark)",
    ]],
    ["UTF-16LE", utf16("some text", true, false), [
      "encoding",
      "UTF-16LE text (NUL bytes, no byte order mark)",
    ]],
    ["UTF-16BE", utf16("some text", false, false), [
      "encoding",
      "UTF-16BE text (NUL bytes, no byte order mark)",
    ]],
    ["UTF-16 and half a character", Uint8Array.of(...utf16("some text", true, false), 0x61), [
      "binary",
      "NUL byte at offset 1",
    ]],
    ["NUL in text", utf8("a\0b"), ["binary", "NUL byte at offset 1"]],
    ["NULs only", new Uint8Array(64), ["binary", "NUL byte at offset 0"]],
  ];
  for (const [name, bytes, want] of cases) {
    await t.step(name, () => {
      const answer = decodeText(bytes);
      deepStrictEqual(
        answer.ok ? [answer.text, answer.bom] : [answer.reason, answer.detail],
        want,
      );
      if (answer.ok) deepStrictEqual(encodeText(answer.text, answer.bom), bytes);
    });
  }
});

Deno.test("splitLines() and linesOf()", async (t) => {
  const cases: [text: string, lines: string[], breaks: string[]][] = [
    ["", [], []],
    ["a", ["a"], [""]],
    ["a\n", ["a"], ["\n"]],
    ["\n", [""], ["\n"]],
    ["a\r\n\r\nb", ["a", "", "b"], ["\r\n", "\r\n", ""]],
    ["a\rb\vc\fd\u0085e\u2028f\n", ["a\rb\vc\fd\u0085e\u2028f"], ["\n"]],
    ["a\r\r\n", ["a\r"], ["\r\n"]],
    ["a\r", ["a\r"], [""]],
  ];
  for (const [text, lines, breaks] of cases) {
    await t.step(JSON.stringify(text), () => {
      const split = splitLines(text);
      deepStrictEqual(linesOf(text), lines);
      deepStrictEqual(lines.map((_, index) => lineBreak(split, index)), breaks);
    });
  }
});

Deno.test("lineEnding() and usualBreak()", () => {
  const cases = ["", "a", "a\rb", "a\n", "a\r\n", "a\nb\r\n", "a\r\nb\r\nc\n"];
  deepStrictEqual(cases.map(lineEnding), ["none", "none", "none", "LF", "CRLF", "mixed", "mixed"]);
  deepStrictEqual(cases.map(usualBreak), ["\n", "\n", "\n", "\n", "\r\n", "\n", "\r\n"]);
});

Deno.test("withBreaks() leaves a lone CR alone", () => {
  deepStrictEqual(withBreaks("a\rb\r\nc\n", "\n"), "a\rb\nc\n");
  deepStrictEqual(withBreaks("a\rb\r\nc\n", "\r\n"), "a\rb\r\nc\r\n");
});

Deno.test("blanks are space and tab", () => {
  for (const other of ["\uFEFF", "\u00A0", "\u2028", "\u3000", "\v"]) {
    deepStrictEqual(trimBlanks(` \t${other}a${other} \t`), `${other}a${other}`);
  }
  deepStrictEqual(leadingBlanks(" \t a"), " \t ");
});
