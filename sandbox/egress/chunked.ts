import { HttpSyntaxError } from "./head.ts";

/** Takes the chunked transfer coding off bytes that come in pieces (RFC 9112, 7.1). */
export interface ChunkedDecoder {
  /**
   * The payload in the next piece. Bytes after the end are ignored.
   * @throws {HttpSyntaxError}
   */
  push(bytes: Uint8Array): Uint8Array[];
  /** Whether the last chunk and its trailer have been read. */
  readonly done: boolean;
}

/** Sizes, extensions and trailers are short; in bytes a line. */
const MAX_LINE = 4096;
const MAX_TRAILERS = 64;

type State = "size" | "data" | "data_end" | "trailer" | "done";

/** A decoder that has read nothing. Extensions and trailers are dropped. */
export function chunkedDecoder(): ChunkedDecoder {
  let state: State = "size";
  let line = "";
  let left = 0;
  let trailers = 0;

  /** Takes one byte of a line; the line without CR LF once it is whole. */
  function lineWith(byte: number): string | undefined {
    line += String.fromCharCode(byte);
    if (byte !== 10) {
      if (line.length > MAX_LINE) throw new HttpSyntaxError("a chunk's line is too long");
      return undefined;
    }
    if (!line.endsWith("\r\n")) throw new HttpSyntaxError("a chunk's line does not end in CR LF");
    const whole = line.slice(0, -2);
    if (whole.includes("\r")) throw new HttpSyntaxError("a chunk's line holds a lone CR");
    line = "";
    return whole;
  }

  function endLine(text: string): void {
    if (state === "size") {
      left = chunkSize(text);
      state = left > 0 ? "data" : "trailer";
    } else if (state === "data_end") {
      if (text !== "") throw new HttpSyntaxError("a chunk is longer than it says");
      state = "size";
    } else if (text === "") state = "done";
    else if (++trailers > MAX_TRAILERS) throw new HttpSyntaxError("it has too many trailers");
  }

  return {
    get done() {
      return state === "done";
    },
    push(bytes) {
      const payload: Uint8Array[] = [];
      for (let at = 0; at < bytes.length && state !== "done";) {
        if (state === "data") {
          const part = bytes.subarray(at, at + left);
          payload.push(part);
          at += part.length;
          left -= part.length;
          if (left === 0) state = "data_end";
          continue;
        }
        const whole = lineWith(bytes[at++] ?? 0);
        if (whole !== undefined) endLine(whole);
      }
      return payload;
    },
  };
}

function chunkSize(line: string): number {
  const match = /^([0-9a-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line);
  if (!match) throw new HttpSyntaxError("a chunk has no size");
  return parseInt(match[1] ?? "", 16);
}

/** One chunk with its framing; of no bytes at all the last one. */
export function encodeChunk(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = new TextEncoder().encode(`${bytes.length.toString(16)}\r\n`);
  const chunk = new Uint8Array(size.length + bytes.length + 2);
  chunk.set(size);
  chunk.set(bytes, size.length);
  chunk.set([13, 10], size.length + bytes.length);
  return chunk;
}
