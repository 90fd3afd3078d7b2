import type { Captured } from "./commands.ts";

/** What one stream of a command keeps in memory, in bytes: half as head, half as tail. */
export const CAPTURE_BYTES = 64 * 1024;

/**
 * Keeps the head and the tail of a stream of UTF-8 text in bounded memory. Pieces are whole code
 * points, and none is torn where head and tail are cut.
 */
export class Capture {
  readonly #head: Uint8Array;
  readonly #tail: Uint8Array;
  #headLength = 0;
  #headClosed = false;
  #tailLength = 0;
  #total = 0;

  /** @param limit What is kept at the most, in bytes. */
  constructor(limit = CAPTURE_BYTES) {
    this.#head = new Uint8Array(Math.floor(limit / 2));
    this.#tail = new Uint8Array(limit - this.#head.length);
  }

  write(bytes: Uint8Array): void {
    this.#total += bytes.length;
    const rest = this.#headClosed ? bytes : bytes.subarray(this.#fillHead(bytes));
    if (rest.length > 0) this.#keepTail(rest);
  }

  /** `bytes` is what the command wrote before stripping; only the caller knows it. */
  result(bytes: number): Captured {
    const start = this.#isWhole() ? 0 : startOfCodePoint(this.#tail.subarray(0, this.#tailLength));
    const head = this.#head.subarray(0, this.#headLength);
    const tail = this.#tail.subarray(start, this.#tailLength);
    const omitted = this.#total - head.length - tail.length;
    if (omitted > 0) return { head: decode(head), tail: decode(tail), bytes, omitted };
    return { head: decode(head) + decode(tail), tail: "", bytes, omitted: 0 };
  }

  /** The same as {@linkcode Capture.result}, and begins anew: what comes next is no part of it. */
  take(bytes: number): Captured {
    const taken = this.result(bytes);
    this.#headLength = this.#tailLength = this.#total = 0;
    this.#headClosed = false;
    return taken;
  }

  #isWhole(): boolean {
    return this.#total === this.#headLength + this.#tailLength;
  }

  /** Answers how many bytes went into the head; it closes where one did not fit any more. */
  #fillHead(bytes: Uint8Array): number {
    const room = this.#head.length - this.#headLength;
    const taken = bytes.length <= room ? bytes.length : endOfCodePoint(bytes, room);
    this.#head.set(bytes.subarray(0, taken), this.#headLength);
    this.#headLength += taken;
    this.#headClosed = taken < bytes.length;
    return taken;
  }

  #keepTail(bytes: Uint8Array): void {
    const limit = this.#tail.length;
    const added = bytes.subarray(Math.max(0, bytes.length - limit));
    const kept = Math.min(this.#tailLength, limit - added.length);
    this.#tail.copyWithin(0, this.#tailLength - kept, this.#tailLength);
    this.#tail.set(added, kept);
    this.#tailLength = kept + added.length;
  }
}

/** The largest cut at most at `at` that tears no code point. */
function endOfCodePoint(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return end;
}

function startOfCodePoint(bytes: Uint8Array): number {
  let start = 0;
  while (start < bytes.length && isContinuation(bytes[start])) start++;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function decode(bytes: Uint8Array): string {
  // Not the default of dropping a BOM: the text is as the command wrote it.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
