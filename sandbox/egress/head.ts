/** Start line and fields of an HTTP/1.1 message. */
export interface Head {
  readonly startLine: string;
  readonly fields: readonly Field[];
}

/** A header field; the name as it was sent, the value without the blanks around it, one char a byte. */
export type Field = readonly [name: string, value: string];

/** What of a message has been read: its head, and bytes that follow it. */
export interface HeadRead {
  readonly head: Head;
  readonly rest: Uint8Array;
}

/** A message that breaks the grammar; the text says how, as half a sentence. */
export class HttpSyntaxError extends SyntaxError {
  override readonly name = "HttpSyntaxError";
}

/** Servers commonly take 8 to 64 KB of head, in bytes. */
export const MAX_HEAD_BYTES = 32 * 1024;

const MAX_FIELDS = 128;

/** RFC 9110, token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Tab, and what RFC 9110 calls visible and obs-text. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Something that gives bytes; a connection. */
export interface ByteSource {
  read(into: Uint8Array): Promise<number | null>;
}

/**
 * Reads up to the empty line that ends a head; undefined where the source ends before its first
 * byte.
 * @throws {HttpSyntaxError} for a head that is too long, torn or against the grammar.
 */
export async function readHead(
  source: ByteSource,
  given?: Uint8Array,
): Promise<HeadRead | undefined> {
  const buffer = new Uint8Array(MAX_HEAD_BYTES + 1);
  let length = 0;
  if (given) {
    if (given.length > MAX_HEAD_BYTES) return splitHead(given);
    buffer.set(given);
    length = given.length;
  }
  let searched = 0;
  while (true) {
    const end = endOfHead(buffer.subarray(0, length), Math.max(0, searched - 3));
    searched = length;
    if (end !== undefined || length > MAX_HEAD_BYTES) {
      return splitHead(buffer.subarray(0, length), end);
    }
    const count = await source.read(buffer.subarray(length));
    if (count === null) {
      if (length === 0) return undefined;
      throw new HttpSyntaxError("its head is torn");
    }
    length += count;
  }
}

function splitHead(bytes: Uint8Array, end = endOfHead(bytes, 0)): HeadRead {
  if (end === undefined || end > MAX_HEAD_BYTES) {
    throw new HttpSyntaxError(`its head is longer than ${MAX_HEAD_BYTES} bytes`);
  }
  return { head: parseHead(latin1(bytes.subarray(0, end - 4))), rest: bytes.slice(end) };
}

/** Where the body begins. */
function endOfHead(bytes: Uint8Array, from: number): number | undefined {
  for (let at = bytes.indexOf(13, from); at >= 0; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at + 4;
  }
  return undefined;
}

/**
 * Parses a head without its empty line. Strict, since whoever is lenient in another way than the
 * next reader can be made to see another message: lines end in CR LF alone, no folded lines, no
 * blank before the colon.
 * @throws {HttpSyntaxError}
 */
export function parseHead(text: string): Head {
  const [startLine = "", ...lines] = text.split("\r\n");
  if (!/^[\x20-\x7e\x80-\xff]+$/.test(startLine)) {
    throw new HttpSyntaxError("its first line holds control characters");
  }
  if (lines.length > MAX_FIELDS) {
    throw new HttpSyntaxError(`it has more than ${MAX_FIELDS} header fields`);
  }
  return { startLine, fields: lines.map(parseField) };
}

function parseField(line: string): Field {
  const colon = line.indexOf(":");
  const name = line.slice(0, colon);
  if (colon < 1 || !TOKEN.test(name)) {
    throw new HttpSyntaxError(`the header field ${JSON.stringify(line.slice(0, 40))} has no name`);
  }
  const value = line.slice(colon + 1).replace(/^[ \t]+/, "").replace(/[ \t]+$/, "");
  if (!VALUE.test(value)) {
    throw new HttpSyntaxError(`the header field ${name} holds control characters`);
  }
  return [name, value];
}

/** The values of a field, by its name in any case. */
export function valuesOf(fields: readonly Field[], name: string): string[] {
  return fields.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
}

/** How long the body of a message is. */
export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" };

/**
 * The framing that the fields state; undefined where they state none.
 * @throws {HttpSyntaxError} where they can be read in two ways (request smuggling).
 */
export function framingOf(fields: readonly Field[]): Framing | undefined {
  const codings = valuesOf(fields, "transfer-encoding");
  const lengths = valuesOf(fields, "content-length");
  if (codings.length > 0) {
    if (lengths.length > 0) throw new HttpSyntaxError("its length is given in two ways");
    if (codings.length > 1 || codings[0]?.toLowerCase() !== "chunked") {
      throw new HttpSyntaxError("its transfer coding is not chunked alone");
    }
    return { kind: "chunked" };
  }
  const [first] = lengths;
  if (first === undefined) return undefined;
  if (lengths.some((other) => other !== first) || !/^\d{1,15}$/.test(first)) {
    throw new HttpSyntaxError("its content length is no number");
  }
  return { kind: "length", bytes: Number(first) };
}

/** Bytes as a string of one character each; a TextDecoder's latin1 is another encoding. */
function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

/** A head as bytes; the other way of {@linkcode parseHead}. */
export function headBytes({ startLine, fields }: Head): Uint8Array<ArrayBuffer> {
  const lines = [startLine, ...fields.map(([name, value]) => `${name}: ${value}`)];
  return Uint8Array.from(`${lines.join("\r\n")}\r\n\r\n`, (char) => char.charCodeAt(0));
}
