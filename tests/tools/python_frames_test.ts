import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { FrameReader } from "../../tools/python/frames.ts";

const KEY = "5f0c";

/** What comes of a stream that is given in these pieces. */
function readAll(pieces: readonly Uint8Array[]): { text: string; messages: unknown[] } {
  const messages: unknown[] = [];
  const bytes: number[] = [];
  const reader = new FrameReader(KEY, {
    onBytes: (part) => bytes.push(...part),
    onMessage: (message) => messages.push(message),
  });
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return { text: new TextDecoder("latin1").decode(new Uint8Array(bytes)), messages };
}

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("FrameReader", async (t) => {
  const cases: [name: string, stream: string, text: string, messages: unknown[]][] = [
    ["output alone", "abc", "abc", []],
    ["a message among output", `a\0${KEY}.{"x":1}\0b`, "ab", [{ x: 1 }]],
    ["a message in pieces", `\0${KEY}+{"x"\0 \0${KEY}.:1}\0`, " ", [{ x: 1 }]],
    ["another key", '\x005f0d.{"x":1}\0', '\x005f0d.{"x":1}\0', []],
    ["no JSON", `\0${KEY}.{x\0.`, ".", []],
    ["another kind of piece", `\0${KEY}!1\0`, "", []],
    ["NULs", "\0\0\0", "\0\0\0", []],
    ["the start of a message at the end", `a\0${KEY}.{`, `a\0${KEY}.{`, []],
    [
      "one that goes on for too long",
      `\0${KEY}.${"x".repeat(5000)}\0`,
      `\0${KEY}.${"x".repeat(5000)}\0`,
      [],
    ],
  ];
  for (const [name, stream, text, messages] of cases) {
    await t.step(name, () => deepStrictEqual(readAll([encode(stream)]), { text, messages }));
  }

  await t.step("cuts make no difference", () => {
    const part = fc.constantFrom("\0", KEY, ".", "+", '{"x":1}', "1", "text", "5f", `\0${KEY}.1\0`);
    fc.assert(fc.property(fc.array(part, { maxLength: 30 }), fc.nat(20), (parts, size) => {
      const whole = encode(parts.join(""));
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < whole.length; at += size + 1) {
        pieces.push(whole.subarray(at, at + size + 1));
      }
      deepStrictEqual(readAll(pieces), readAll([whole]));
    }));
  });
});
