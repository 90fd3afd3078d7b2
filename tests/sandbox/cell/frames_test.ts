import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import {
  encodeMessage,
  MAX_BODY_BYTES,
  MAX_CHUNK_BYTES,
  MAX_JSON_BYTES,
  type Message,
  MessageReader,
  ProtocolError,
} from "../../../sandbox/cell/frames.ts";

function bytesOf(head: unknown, body?: Uint8Array): Uint8Array {
  return joined([...encodeMessage(head, body)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reads the bytes in pieces that end at the given places. */
function readPieces(bytes: Uint8Array, cuts: readonly number[]): Message[] {
  const reader = new MessageReader();
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length]
    .sort((a, b) => a - b);
  const messages: Message[] = [];
  for (let index = 1; index < places.length; index++) {
    messages.push(...reader.read(bytes.subarray(places[index - 1], places[index])));
  }
  reader.end();
  return messages;
}

/** A frame by hand: length, kind and content. */
function frame(length: number, kind: number, content: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(5 + content.length);
  new DataView(bytes.buffer).setUint32(0, length);
  bytes[4] = kind;
  bytes.set(content, 5);
  return bytes;
}

/** The content of a message by hand, with a claimed length of the JSON. */
function content(jsonLength: number, json: string): number[] {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, jsonLength);
  return [...length, ...new TextEncoder().encode(json)];
}

Deno.test("messages come out as they went in, however the bytes are cut", () => {
  const message = fc.tuple(fc.jsonValue(), fc.uint8Array({ maxLength: 300 }));
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.nat()), (sent, cuts) => {
      const bytes = joined(sent.map(([head, body]) => bytesOf(head, body)));
      const want = sent.map(([head, body]) => ({ head: JSON.parse(JSON.stringify(head)), body }));
      deepStrictEqual(readPieces(bytes, cuts).map(({ head, body }) => ({ head, body })), want);
    }),
  );
});

Deno.test("a large message goes in frames of bounded size, and its body comes back exactly", () => {
  const sizes = [0, 1, MAX_CHUNK_BYTES - 1, MAX_CHUNK_BYTES, 3 * MAX_CHUNK_BYTES + 17];
  for (const size of sizes) {
    const body = new Uint8Array(size).map((_, index) => index * 7);
    const frames = [...encodeMessage({ id: 1 }, body)];
    ok(frames.every((frame) => frame.length <= 5 + MAX_CHUNK_BYTES));
    const [message, ...more] = readPieces(joined(frames), [1, 6, 300_000]);
    deepStrictEqual([message?.head, more], [{ id: 1 }, []]);
    ok(message && Uint8Array.from(message.body).every((byte, index) => byte === body[index]));
    strictEqual(message.body.length, size);
  }
});

Deno.test("lone surrogates and every character come through", () => {
  const text = "a\ud800b\udc00 \u0000 \u2028 é 日本 \ufeff";
  deepStrictEqual(readPieces(bytesOf({ text }), [])[0]?.head, { text });
});

Deno.test("encodeMessage() refuses what no message holds", () => {
  throws(() => encodeMessage("x".repeat(MAX_JSON_BYTES)), RangeError);
  throws(() => encodeMessage({}, new Uint8Array(MAX_BODY_BYTES + 1)), RangeError);
  encodeMessage({}, new Uint8Array(MAX_BODY_BYTES));
});

Deno.test("what is no message is an error", async (t) => {
  const cases: [name: string, bytes: Uint8Array][] = [
    ["a length of nothing", frame(0, 0, [])],
    ["an empty frame", frame(1, 0, [])],
    ["an empty frame that more follow", frame(1, 1, [])],
    ["a length past the limit", frame(MAX_CHUNK_BYTES + 2, 0, [])],
    ["the largest length there is", frame(0xffff_ffff, 0, [])],
    ["an unknown kind", frame(7, 2, content(2, "{}"))],
    ["no room for the length of the JSON", frame(4, 0, [0, 0, 0])],
    ["JSON longer than the message", frame(7, 0, content(3, "{}"))],
    ["JSON of the largest length there is", frame(7, 0, content(0xffff_ffff, "{}"))],
    ["JSON that is none", frame(7, 0, content(2, "{,"))],
    ["JSON of no bytes", frame(7, 0, content(0, "{}"))],
    ["JSON that is no UTF-8", frame(8, 0, [...content(3, ""), 0x22, 0xff, 0x22])],
    ["text", new TextEncoder().encode("Segmentation fault (core dumped)\n")],
  ];
  for (const [name, bytes] of cases) {
    await t.step(name, () => {
      throws(() => [...new MessageReader().read(bytes)], ProtocolError);
      throws(() => readPieces(bytes, bytes.keys().toArray()), ProtocolError);
    });
  }
  await t.step("and none of these is wrong as such", () => {
    deepStrictEqual(readPieces(frame(7, 0, content(2, "{}")), []).length, 1);
  });
});

Deno.test("a message that is cut off is an error at the end, wherever it was cut", () => {
  const bytes = bytesOf({ id: 1 }, Uint8Array.of(1, 2, 3));
  for (let length = 1; length < bytes.length; length++) {
    const reader = new MessageReader();
    deepStrictEqual([...reader.read(bytes.subarray(0, length))], []);
    throws(() => reader.end(), ProtocolError);
  }
});

Deno.test("garbage is an error or incomplete, and never another exception", () => {
  const valid = bytesOf({ id: 1, value: ["x"] }, Uint8Array.of(1, 2, 3));
  const damaged = fc.tuple(fc.nat(valid.length - 1), fc.nat(255)).map(([at, byte]) =>
    valid.with(at, byte)
  );
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 500 }), damaged), fc.array(fc.nat()), (
      bytes,
      cuts,
    ) => {
      try {
        for (const { body } of readPieces(bytes, cuts)) ok(body.length <= bytes.length);
      } catch (error) {
        ok(error instanceof ProtocolError, String(error));
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("a message without end is an error at its limit, and takes no more memory than that", () => {
  const reader = new MessageReader();
  const more = frame(1 + MAX_CHUNK_BYTES, 1, Array(MAX_CHUNK_BYTES).fill(0));
  let frames = 0;
  throws(() => {
    for (; frames < 10_000; frames++) [...reader.read(more)];
  }, ProtocolError);
  strictEqual(frames, Math.floor((4 + MAX_JSON_BYTES + MAX_BODY_BYTES) / MAX_CHUNK_BYTES));
});

Deno.test("a message of frames of one byte takes no more memory than its bytes", () => {
  const reader = new MessageReader();
  const row = joined(Array.from({ length: 10_000 }, () => frame(2, 1, [0])));
  const before = Deno.memoryUsage().heapUsed;
  for (let round = 0; round < 100; round++) [...reader.read(row)];
  // Kept as parts, each of a million bytes would be an object of about a hundred.
  ok(Deno.memoryUsage().heapUsed - before < 64 * 1024 ** 2);
  throws(() => reader.end(), ProtocolError);
});
