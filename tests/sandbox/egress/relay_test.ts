import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { copy, type Duplex, relay } from "../../../sandbox/egress/relay.ts";

/** A connection that takes one write at a time, each when it is let. */
function slowSink(): Duplex & { readonly written: number[]; let(): void } {
  const written: number[] = [];
  let waiting: (() => void) | undefined;
  return {
    written,
    let: () => waiting?.(),
    read: () => Promise.resolve(null),
    write: (bytes) =>
      new Promise((resolve) => {
        waiting = () => {
          written.push(bytes.length);
          resolve(bytes.length);
        };
      }),
    closeWrite: () => Promise.resolve(),
    close() {},
    [Symbol.dispose]() {},
  };
}

/** Lets everything run that can run by itself. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
}

Deno.test("copy() reads the next piece once the last is written", async () => {
  let reads = 0;
  const source = { read: () => Promise.resolve(++reads <= 3 ? 10 : null) };
  const sink = slowSink();
  const copied = copy(source, sink, () => {});
  for (const written of [[], [10], [10, 10]]) {
    await settled();
    deepStrictEqual([sink.written, reads], [written, written.length + 1]);
    sink.let();
  }
  await copied;
  strictEqual(reads, 4);
});

Deno.test("copy() writes all of a piece that is taken in parts", async () => {
  let text = "";
  const pieces = ["hello ", "world"];
  const source = {
    read(into: Uint8Array) {
      const piece = pieces.shift();
      if (piece === undefined) return Promise.resolve(null);
      into.set(new TextEncoder().encode(piece));
      return Promise.resolve(piece.length);
    },
  };
  const sink: Duplex = {
    ...slowSink(),
    write(bytes) {
      text += String.fromCharCode(bytes[0] ?? 0);
      return Promise.resolve(1);
    },
  };
  let counted = 0;
  await copy(source, sink, (count) => counted += count);
  deepStrictEqual([text, counted], ["hello world", 11]);
});

Deno.test("relay() ends when a side is broken, and throws what is no end of a connection", async () => {
  let closed = 0;
  const broken = (error: Error): Duplex => ({
    ...slowSink(),
    read: () => Promise.reject(error),
    close: () => void closed++,
  });
  const meter = { up() {}, down() {} };
  const silent = broken(new Deno.errors.BadResource());
  await relay(silent, broken(new Deno.errors.ConnectionReset()), meter, 60_000);
  ok(closed >= 2);
  await rejects(relay(silent, broken(new RangeError("ours")), meter, 60_000), { message: "ours" });
});
