/**
 * Messages of the cell as bytes. A message is a JSON head and a raw body; it travels in frames of
 * at most 256 KB, which follow one another, so that no length ever claims much:
 *
 *     frame   := u32 length of the rest | u8 kind: 0 last, 1 more follow | content
 *     message := u32 length of the JSON | JSON | body
 *
 * Numbers are big-endian. Who reads does not trust who writes: every length is bounded, nothing is
 * allocated before its bytes have come, and what is no message is a {@linkcode ProtocolError}.
 */
import { MAX_FILE_BYTES } from "../files/files.ts";

/** Content of one frame at the most, in bytes. */
export const MAX_CHUNK_BYTES = 256 * 1024;

/** JSON of one message at the most, in bytes: a folder of some 200 000 entries. */
export const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** Body of one message at the most, in bytes: the largest file that is read or edited. */
export const MAX_BODY_BYTES = MAX_FILE_BYTES;

/** Before the content of a frame: its length and its kind. */
const FRAME_HEAD_BYTES = 5;

/** Before the JSON of a message: its length. */
const JSON_LENGTH_BYTES = 4;

const MAX_MESSAGE_BYTES = JSON_LENGTH_BYTES + MAX_JSON_BYTES + MAX_BODY_BYTES;

const LAST = 0;
const MORE = 1;

/** What came is no message of ours; who sent it cannot be talked to any more. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

export interface Message {
  /** Any JSON value. */
  readonly head: unknown;
  readonly body: Uint8Array<ArrayBuffer>;
}

const NOTHING = new Uint8Array();

/**
 * The frames of a message, made one at a time.
 * @throws {RangeError} where head or body is larger than a message may be.
 */
export function encodeMessage(
  head: unknown,
  body: Uint8Array = NOTHING,
): Generator<Uint8Array<ArrayBuffer>> {
  const json = new TextEncoder().encode(JSON.stringify(head));
  if (json.length > MAX_JSON_BYTES || body.length > MAX_BODY_BYTES) {
    const size = `${json.length} bytes of JSON and ${body.length} of content`;
    throw new RangeError(`Cannot send ${size}: more than one message holds`);
  }
  const start = new Uint8Array(JSON_LENGTH_BYTES + json.length);
  new DataView(start.buffer).setUint32(0, json.length);
  start.set(json, JSON_LENGTH_BYTES);
  return framesOf(start, body);
}

function* framesOf(start: Uint8Array, body: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  const total = start.length + body.length;
  for (let at = 0; at < total; at += MAX_CHUNK_BYTES) {
    const end = Math.min(at + MAX_CHUNK_BYTES, total);
    const frame = new Uint8Array(FRAME_HEAD_BYTES + end - at);
    new DataView(frame.buffer).setUint32(0, 1 + end - at);
    frame[4] = end < total ? MORE : LAST;
    const head = start.subarray(at, end);
    frame.set(head, FRAME_HEAD_BYTES);
    const from = Math.max(0, at - start.length);
    const to = Math.max(0, end - start.length);
    frame.set(body.subarray(from, to), FRAME_HEAD_BYTES + head.length);
    yield frame;
  }
}

/** Puts messages together from bytes that come in pieces of any size. */
export class MessageReader {
  readonly #head = new Uint8Array(FRAME_HEAD_BYTES);
  #headLength = 0;
  /** Bytes of the frame's content that are still to come. */
  #left = 0;
  #kind = LAST;
  #content = new GrowingBytes();

  /**
   * The messages that end in this piece.
   * @throws {ProtocolError} for what is no message; nothing can be read after it.
   */
  *read(piece: Uint8Array): Generator<Message> {
    for (let at = 0; at < piece.length;) {
      if (this.#left === 0) {
        at += this.#readHead(piece.subarray(at));
        continue;
      }
      const part = piece.subarray(at, at + this.#left);
      this.#content.append(part);
      this.#left -= part.length;
      at += part.length;
      if (this.#left === 0 && this.#kind === LAST) yield parseMessage(this.#content.take());
    }
  }

  /**
   * To be called when no more bytes come.
   * @throws {ProtocolError} in the middle of a message.
   */
  end(): void {
    if (this.#headLength + this.#left + this.#content.length > 0) {
      throw new ProtocolError("the stream ends in the middle of a message");
    }
  }

  /** Takes what belongs to a frame's head, and resolves to how many bytes that were. */
  #readHead(bytes: Uint8Array): number {
    const part = bytes.subarray(0, FRAME_HEAD_BYTES - this.#headLength);
    this.#head.set(part, this.#headLength);
    this.#headLength += part.length;
    if (this.#headLength === FRAME_HEAD_BYTES) this.#beginFrame();
    return part.length;
  }

  #beginFrame(): void {
    const left = new DataView(this.#head.buffer).getUint32(0) - 1;
    const kind = this.#head[4] ?? LAST;
    // An empty frame would carry nothing, and a row of them never end.
    if (left < 1 || left > MAX_CHUNK_BYTES || kind > MORE) {
      throw new ProtocolError("a frame has no valid head");
    }
    if (this.#content.length + left > MAX_MESSAGE_BYTES) {
      throw new ProtocolError(`a message has more than ${MAX_MESSAGE_BYTES} bytes`);
    }
    this.#left = left;
    this.#kind = kind;
    this.#headLength = 0;
  }
}

function parseMessage(content: Uint8Array<ArrayBuffer>): Message {
  if (content.length < JSON_LENGTH_BYTES) throw new ProtocolError("a message has no head");
  const length = new DataView(content.buffer).getUint32(0);
  const end = JSON_LENGTH_BYTES + length;
  if (length > MAX_JSON_BYTES || end > content.length) {
    throw new ProtocolError("a message's head is longer than it may be");
  }
  return { head: parseJson(content.subarray(JSON_LENGTH_BYTES, end)), body: content.subarray(end) };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ProtocolError("a message's head is no JSON", { cause });
  }
}

/** Bytes in one piece, however small the parts that they came in: their number costs nothing. */
class GrowingBytes {
  #bytes = new Uint8Array();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const capacity = Math.max(length, 2 * this.#bytes.length);
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(capacity));
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
  }

  /** Hands the bytes over and is empty again. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#bytes.buffer.transfer(this.#length));
    this.#bytes = new Uint8Array();
    this.#length = 0;
    return bytes;
  }
}
