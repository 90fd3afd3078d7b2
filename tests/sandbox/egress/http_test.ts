import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { chunkedDecoder, encodeChunk } from "../../../sandbox/egress/chunked.ts";
import {
  type ByteSource,
  framingOf,
  headBytes,
  HttpSyntaxError,
  readHead,
} from "../../../sandbox/egress/head.ts";

/** Gives bytes in pieces of the given sizes, then what is left. */
function sourceOf(bytes: Uint8Array, sizes: readonly number[]): ByteSource {
  const left = [...sizes];
  let at = 0;
  return {
    read(into) {
      if (at >= bytes.length) return Promise.resolve(null);
      const piece = bytes.subarray(at, at + Math.min(left.shift() ?? Infinity, into.length));
      into.set(piece);
      at += piece.length;
      return Promise.resolve(piece.length);
    },
  };
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60, size: "max" });
const value = fc.stringMatching(/^[!-~]([ -~\xa0-\xff]*[!-~])?$/);
const field = fc.tuple(fc.stringMatching(/^[A-Za-z-]{1,12}$/), value);

Deno.test("readHead() reads what headBytes() writes, however it is torn", async () => {
  const heads = fc.record({
    startLine: fc.stringMatching(/^[!-~][ -~]{0,40}$/),
    fields: fc.array(field, { maxLength: 8 }),
  }, { noNullPrototype: true });
  await fc.assert(fc.asyncProperty(heads, fc.uint8Array(), sizes, async (head, body, cuts) => {
    const bytes = new Uint8Array([...headBytes(head), ...body]);
    const read = await readHead(sourceOf(bytes, cuts));
    deepStrictEqual(read?.head, head);
    // Of the body only what came in the same pieces has been read.
    deepStrictEqual(read?.rest, body.slice(0, read?.rest.length));
  }));
});

Deno.test("readHead() never takes a head for whole whose lines end otherwise", async () => {
  const odd = fc.constantFrom("\n", "\r", "\0", "\r\r\n", "\n\r");
  await fc.assert(fc.asyncProperty(field, odd, sizes, async ([name, value], end, cuts) => {
    const text = `GET / HTTP/1.1\r\n${name}: ${value}${end}x: y\r\n\r\n`;
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    const error = await readHead(sourceOf(bytes, cuts)).catch((error: unknown) => error);
    strictEqual(error instanceof HttpSyntaxError, true);
  }));
});

Deno.test("chunkedDecoder() gives back what encodeChunk() packed, however it is torn", () => {
  const parts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 });
  fc.assert(fc.property(parts, fc.uint8Array(), sizes, (payload, after, cuts) => {
    const packed = [...payload, new Uint8Array()].flatMap((part) => [...encodeChunk(part)]);
    const decoder = chunkedDecoder();
    const got: number[] = [];
    const bytes = new Uint8Array([...packed, ...after]);
    for (let at = 0, index = 0; at < bytes.length; index++) {
      const size = cuts[index] ?? bytes.length;
      for (const part of decoder.push(bytes.subarray(at, at + size))) got.push(...part);
      at += size;
    }
    deepStrictEqual(got, payload.flatMap((part) => [...part]));
    strictEqual(decoder.done, true);
  }));
});

Deno.test("chunkedDecoder() refuses what another reader could read otherwise", async (t) => {
  const cases: [name: string, text: string][] = [
    ["no size", "\r\nhi"],
    ["a signed size", "+2\r\nhi\r\n"],
    ["a prefix", "0x2\r\nhi\r\n"],
    ["a huge size", "fffffffffffffffff\r\n"],
    ["a lone LF", "2\nhi\r\n"],
    ["a lone LF after the data", "2\r\nhi\n0\r\n\r\n"],
    ["more data than said", "2\r\nhiho\r\n"],
    ["a CR in an extension", "2;a\rb\r\nhi\r\n"],
    ["a line without end", `2;${"x".repeat(5000)}`],
  ];
  for (const [name, text] of cases) {
    await t.step(name, () => {
      const bytes = new TextEncoder().encode(text);
      throws(() => chunkedDecoder().push(bytes), HttpSyntaxError);
    });
  }
});

Deno.test("framingOf()", () => {
  deepStrictEqual(framingOf([]), undefined);
  deepStrictEqual(framingOf([["Content-Length", "5"]]), { kind: "length", bytes: 5 });
  deepStrictEqual(framingOf([["transfer-encoding", "Chunked"]]), { kind: "chunked" });
  throws(() => framingOf([["Content-Length", "5, 5"]]), HttpSyntaxError);
  throws(() => framingOf([["Content-Length", "0x5"]]), HttpSyntaxError);
  throws(() => framingOf([["Transfer-Encoding", "gzip, chunked"]]), HttpSyntaxError);
});
