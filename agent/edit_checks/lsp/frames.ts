/** A message of a language server is at most so large, in bytes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** The lines before it, in bytes. */
const MAX_HEAD_BYTES = 4 * 1024;

const SEPARATOR = [13, 10, 13, 10];

/** What came is no frame of the language server protocol. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

/** A message with the lines that the protocol puts before it (Language Server Protocol 3.17, base). */
export function encodeFrame(message: unknown): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(message));
  const head = new TextEncoder().encode(`Content-Length: ${body.length}\r\n\r\n`);
  const frame = new Uint8Array(head.length + body.length);
  frame.set(head);
  frame.set(body, head.length);
  return frame;
}

/** Takes bytes in pieces of any size, and hands out whole messages. */
export class FrameReader {
  #bytes = new Uint8Array(0);
  /** Bytes of the message that is being read; undefined while its head is. */
  #wanted: number | undefined;
  /** Pieces that came, joined only when enough of them are there. */
  #pieces: Uint8Array[] = [];
  #held = 0;

  /**
   * The messages that are whole with these bytes.
   * @throws {FrameError} where they can be none; nothing more is to be read then.
   */
  take(piece: Uint8Array): unknown[] {
    this.#pieces.push(piece);
    this.#held += piece.length;
    const messages: unknown[] = [];
    if (this.#wanted !== undefined && this.#held < this.#wanted) return messages;
    this.#join();
    for (;;) {
      this.#wanted ??= this.#readHead();
      if (this.#wanted === undefined || this.#bytes.length < this.#wanted) break;
      messages.push(parseBody(this.#bytes.subarray(0, this.#wanted)));
      this.#bytes = this.#bytes.subarray(this.#wanted);
      this.#wanted = undefined;
    }
    this.#held = this.#bytes.length;
    return messages;
  }

  #join(): void {
    const joined = new Uint8Array(this.#held);
    let at = 0;
    for (const piece of [this.#bytes, ...this.#pieces]) {
      joined.set(piece, at);
      at += piece.length;
    }
    this.#bytes = joined;
    this.#pieces = [];
  }

  /** The length of the next message, once the lines before it are there. */
  #readHead(): number | undefined {
    const end = endOfHead(this.#bytes);
    if (end === undefined) {
      if (this.#bytes.length > MAX_HEAD_BYTES) throw new FrameError("it sent no message");
      return undefined;
    }
    const head = new TextDecoder().decode(this.#bytes.subarray(0, end));
    this.#bytes = this.#bytes.subarray(end + SEPARATOR.length);
    const [, length] = /^Content-Length:[ \t]*(\d+)[ \t]*$/im.exec(head) ?? [];
    if (length === undefined) throw new FrameError("it sent a message without its length");
    if (Number(length) > MAX_BODY_BYTES) throw new FrameError("it sent a message over 32 MB");
    return Number(length);
  }
}

function endOfHead(bytes: Uint8Array): number | undefined {
  const last = Math.min(bytes.length, MAX_HEAD_BYTES + SEPARATOR.length) - SEPARATOR.length;
  for (let at = 0; at <= last; at++) {
    if (SEPARATOR.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return undefined;
}

function parseBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    if (error instanceof SyntaxError) throw new FrameError("it sent a message that is no JSON");
    throw error;
  }
}
