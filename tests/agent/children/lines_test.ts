import { deepStrictEqual, rejects } from "node:assert/strict";
import fc from "fast-check";
import { jsonLines } from "../../../agent/children/lines.ts";

/** A stream of these bytes, cut where the sizes say. */
function streamOf(bytes: Uint8Array, sizes: readonly number[]): ReadableStream<Uint8Array> {
  return ReadableStream.from((function* () {
    let at = 0;
    for (const size of [...sizes, bytes.length]) {
      yield bytes.slice(at, at + size);
      at += size;
    }
  })());
}

async function read(text: string, sizes: readonly number[] = [], maxChars?: number) {
  const bytes = new TextEncoder().encode(text);
  return await Array.fromAsync(jsonLines(streamOf(bytes, sizes), maxChars));
}

Deno.test("jsonLines() reads what was written, wherever its bytes are cut", async () => {
  const values = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 });
  const sizes = fc.array(fc.nat({ max: 9 }), { maxLength: 30 });
  await fc.assert(fc.asyncProperty(values, sizes, async (values, sizes) => {
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    // What JSON makes of a value is what comes: it knows no -0.
    deepStrictEqual(await read(text, sizes), JSON.parse(JSON.stringify(values)));
  }));
});

Deno.test("jsonLines() drops a torn end and passes over empty lines", async () => {
  deepStrictEqual(await read('1\n\n2\n{"torn":'), [1, 2]);
});

Deno.test("jsonLines() refuses what is no JSON, and lines that do not end", async (t) => {
  const long = `"${"x".repeat(20)}"`;
  await t.step("no JSON", () => rejects(read("1\nhello\n"), /Cannot read the line "hello"/));
  await t.step("too long", () => rejects(read(`${long}\n`, [3, 3], 21), /over 21 characters/));
  await t.step("too long without an end", () => rejects(read(long, [3], 21), /over 21/));
  await t.step("as long as may be", async () => {
    deepStrictEqual(await read(`${long}\n`, [3, 3], 22), [JSON.parse(long)]);
  });
});
