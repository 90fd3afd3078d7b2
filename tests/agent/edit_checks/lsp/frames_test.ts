import { deepStrictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { encodeFrame, FrameError, FrameReader } from "../../../../agent/edit_checks/lsp/frames.ts";

/** What comes of bytes that arrive in pieces of these sizes, the last one as often as needed. */
function read(bytes: Uint8Array, sizes: readonly number[]): unknown[] {
  const reader = new FrameReader();
  const messages: unknown[] = [];
  let [size = 1, ...rest] = sizes;
  for (let at = 0; at < bytes.length; at += size, [size = size, ...rest] = rest) {
    messages.push(...reader.take(bytes.subarray(at, at + size)));
  }
  return messages;
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("frames come out as they went in, however they are torn", () => {
  const size = fc.integer({ min: 1, max: 50 });
  fc.assert(fc.property(
    fc.array(fc.jsonValue()),
    fc.array(size, { minLength: 1, maxLength: 20 }),
    (messages, sizes) => {
      const frames = messages.flatMap((message) => [...encodeFrame(message)]);
      const sent = messages.map((message) => JSON.parse(JSON.stringify(message)));
      deepStrictEqual(read(new Uint8Array(frames), sizes), sent);
    },
  ));
});

Deno.test("FrameReader takes other lines before a message", () => {
  const head =
    "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 2\r\n\r\n";
  deepStrictEqual(read(bytes(`${head}{}`), [7]), [{}]);
});

Deno.test("FrameReader refuses what is no message", async (t) => {
  const cases: [name: string, sent: string, told: RegExp][] = [
    ["words for people", `Starting the server…\n${"x".repeat(5_000)}`, /sent no message/],
    ["no length", "Content-Type: x\r\n\r\n{}", /without its length/],
    ["a length that is none", "Content-Length: -5\r\n\r\n{}", /without its length/],
    ["no JSON", "Content-Length: 2\r\n\r\n{{", /no JSON/],
    ["too much", "Content-Length: 999999999999\r\n\r\n", /over 32 MB/],
  ];
  for (const [name, sent, told] of cases) {
    await t.step(name, () => {
      throws(
        () => read(bytes(sent), [64]),
        (error) => error instanceof FrameError && told.test(error.message),
      );
    });
  }
});
