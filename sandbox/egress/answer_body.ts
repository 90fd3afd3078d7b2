import { chunkedDecoder } from "./chunked.ts";
import {
  type ByteSource,
  framingOf,
  type Head,
  HttpSyntaxError,
  readHead,
  valuesOf,
} from "./head.ts";

/** The answer of a server: its head, and its body as it was packed. */
export interface Answered {
  readonly status: number;
  readonly head: Head;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

const BUFFER_BYTES = 64 * 1024;

/** A server may announce itself some times (100, 103) before it answers. */
const MAX_INTERIM = 8;

/**
 * Reads the answer to one request (RFC 9112, 6.3); the body breaks with an
 * {@linkcode HttpSyntaxError} where it is torn.
 * @throws {HttpSyntaxError}
 */
export async function readAnswer(source: ByteSource, method: string): Promise<Answered> {
  let rest: Uint8Array | undefined;
  for (let interim = 0; interim <= MAX_INTERIM; interim++) {
    const read = await readHead(source, rest);
    if (!read) throw new HttpSyntaxError("it ended before its head");
    const status = statusOf(read.head.startLine);
    rest = read.rest;
    if (status >= 200) {
      const body = ReadableStream.from(bodyOf(source, rest, read.head, status, method));
      return { status, head: read.head, body };
    }
    if (status === 101) throw new HttpSyntaxError("it changed the protocol");
  }
  throw new HttpSyntaxError("it announces itself without end");
}

function statusOf(line: string): number {
  const [, status] = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(line) ?? [];
  if (status === undefined) {
    throw new HttpSyntaxError("it does not begin with HTTP/1.1 and a status");
  }
  return Number(status);
}

async function* bodyOf(
  source: ByteSource,
  rest: Uint8Array,
  head: Head,
  status: number,
  method: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (method === "HEAD" || status === 204 || status === 304) return;
  const framing = framingOf(head.fields);
  if (framing?.kind === "chunked") return yield* chunks(source, rest);
  let left = framing?.kind === "length" ? framing.bytes : Infinity;
  for await (const piece of pieces(source, rest, () => left)) {
    const part = piece.subarray(0, left);
    left -= part.length;
    yield part.slice();
  }
  if (left > 0 && left !== Infinity) throw new HttpSyntaxError("its body is torn");
}

async function* chunks(
  source: ByteSource,
  rest: Uint8Array,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const decoder = chunkedDecoder();
  for await (const piece of pieces(source, rest, () => decoder.done ? 0 : Infinity)) {
    for (const part of decoder.push(piece)) yield part.slice();
  }
  if (!decoder.done) throw new HttpSyntaxError("its body is torn");
}

/** What was read with the head, then what comes, for as long as something is wanted. */
async function* pieces(
  source: ByteSource,
  rest: Uint8Array,
  wanted: () => number,
): AsyncGenerator<Uint8Array> {
  if (rest.length > 0 && wanted() > 0) yield rest;
  const buffer = new Uint8Array(BUFFER_BYTES);
  while (wanted() > 0) {
    const count = await source.read(buffer);
    if (count === null) return;
    yield buffer.subarray(0, count);
  }
}

/**
 * The body without its content coding.
 * @throws {HttpSyntaxError} for a coding that was not asked for.
 */
export function unpacked({ head, body }: Answered): ReadableStream<Uint8Array<ArrayBuffer>> {
  const codings = valuesOf(head.fields, "content-encoding").join(",").toLowerCase().split(",")
    .map((coding) => coding.trim()).filter((coding) => coding !== "" && coding !== "identity");
  const [coding, ...more] = codings;
  if (coding === undefined) return body;
  if (more.length > 0) throw new HttpSyntaxError("its body is packed more than once");
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return body.pipeThrough(new DecompressionStream("gzip"));
    case "deflate":
      return body.pipeThrough(new DecompressionStream("deflate"));
  }
  throw new HttpSyntaxError(`its body is packed by "${coding}", which was not asked for`);
}

/** The first `maxBytes` of a stream; reading stops there, so a bomb unpacks no further. */
export async function readUpTo(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<{ readonly body: Uint8Array; readonly truncated: boolean }> {
  const parts: Uint8Array[] = [];
  let left = maxBytes;
  for await (const part of stream) {
    parts.push(part.subarray(0, left));
    if (part.length > left) return { body: joined(parts), truncated: true };
    left -= part.length;
  }
  return { body: joined(parts), truncated: false };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
