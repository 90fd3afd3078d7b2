/** The byte before and after a piece of a message. */
const NUL = 0;

/** No piece is longer with its NULs and key, in bytes: what a pipe of Linux takes whole. */
const MAX_PIECE_BYTES = 4096;

/** JSON of one message at the most, in bytes: an image of 4 MB in base64, and room. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

const LAST = ".".charCodeAt(0);
const MORE = "+".charCodeAt(0);

export interface FrameHandlers {
  /** What is no message; the bytes are valid only during the call. */
  onBytes(bytes: Uint8Array): void;
  /** Any JSON value: who sends it is not trusted. */
  onMessage(message: unknown): void;
}

/**
 * Takes the messages of the driver (`driver.py`) out of a stream of bytes and hands on everything
 * else. A piece of a message is NUL, the key, `+` or `.`, text, NUL; the key keeps what programs
 * print from being taken for one.
 */
export class FrameReader {
  readonly #key: Uint8Array;
  readonly #handlers: FrameHandlers;
  #held = new Uint8Array(0);
  #message: Uint8Array[] = [];
  #messageBytes = 0;

  constructor(key: string, handlers: FrameHandlers) {
    this.#key = new TextEncoder().encode(key);
    this.#handlers = handlers;
  }

  write(bytes: Uint8Array): void {
    let rest = this.#held.length === 0 ? bytes : joined([this.#held, bytes]);
    this.#held = new Uint8Array(0);
    while (rest.length > 0) {
      const start = rest.indexOf(NUL);
      if (start < 0) return this.#handlers.onBytes(rest);
      if (start > 0) this.#handlers.onBytes(rest.subarray(0, start));
      rest = rest.subarray(start);
      const length = this.#pieceLength(rest);
      if (length === "more") {
        this.#held = rest.slice();
        return;
      }
      if (length === 0) this.#handlers.onBytes(rest.subarray(0, 1));
      else this.#take(rest.subarray(1 + this.#key.length, length - 1));
      rest = rest.subarray(length || 1);
    }
  }

  /** To be called at the end of the stream: what was held back as the start of a piece is output. */
  end(): void {
    if (this.#held.length > 0) this.#handlers.onBytes(this.#held);
    this.#held = new Uint8Array(0);
  }

  /** The length of the piece at the start of `bytes`; 0 where there is none. */
  #pieceLength(bytes: Uint8Array): number | "more" {
    const shown = bytes.subarray(1, 1 + this.#key.length);
    if (!shown.every((byte, index) => byte === this.#key[index])) return 0;
    if (shown.length < this.#key.length) return "more";
    const end = bytes.indexOf(NUL, 1);
    if (end < 0) return bytes.length < MAX_PIECE_BYTES ? "more" : 0;
    return end + 1 > MAX_PIECE_BYTES ? 0 : end + 1;
  }

  #take(piece: Uint8Array): void {
    const [kind] = piece;
    this.#messageBytes += piece.length;
    if (this.#messageBytes <= MAX_MESSAGE_BYTES) this.#message.push(piece.slice(1));
    if (kind === MORE) return;
    const whole = this.#messageBytes <= MAX_MESSAGE_BYTES ? joined(this.#message) : undefined;
    this.#message = [];
    this.#messageBytes = 0;
    const message = kind === LAST && whole ? parsed(whole) : undefined;
    if (message !== undefined) this.#handlers.onMessage(message);
  }
}

/** Undefined where it is no JSON. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
