import { after } from "./timers.ts";

/** What is read at once, in bytes: what a pipe of Linux holds. */
const READ_BYTES = 64 * 1024;

/** Time for data that had come but was not yet looked at when the drain time passed, in milliseconds. */
const LAST_LOOK_MS = 25;

/**
 * Reads a pipe to its end and hands on what comes, in one buffer that is used again: 50 MB of output
 * cost no 50 MB.
 */
export class Pipe {
  readonly #reader: ReadableStreamBYOBReader;
  readonly #ended: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>, onBytes: (bytes: Uint8Array) => void) {
    this.#reader = stream.getReader({ mode: "byob" });
    this.#ended = readAll(this.#reader, onBytes);
  }

  /** Waits for the pipe's end, at most about `ms` milliseconds; after it no more bytes come. */
  async finish(ms: number): Promise<void> {
    using patience = after(ms);
    if (await Promise.race([this.#ended.then(() => true), patience.passed])) return;
    // A busy event loop runs timers first: without this, what waits in the pipe would be lost.
    using lastLook = after(LAST_LOOK_MS);
    await Promise.race([this.#ended, lastLook.passed]);
    await this.#reader.cancel();
  }
}

async function readAll(
  reader: ReadableStreamBYOBReader,
  onBytes: (bytes: Uint8Array) => void,
): Promise<void> {
  let buffer = new ArrayBuffer(READ_BYTES);
  while (true) {
    const { value, done } = await reader.read(new Uint8Array(buffer));
    if (done || !value) return;
    onBytes(value);
    buffer = value.buffer;
  }
}
