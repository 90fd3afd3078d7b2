import type { TextChange } from "./rewrite.ts";

/** Bytes to put in place of the range from `start` to before `end`, offsets in the file's bytes. */
export interface ByteSplice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes of a byte order mark in UTF-8. */
const MARK_BYTES = 3;

/** A text as it lies in its file. */
export interface EncodedText {
  readonly text: string;
  /** The file has a byte order mark in front of its text. */
  readonly bom: boolean;
  /** Of the whole file, in bytes. */
  readonly size: number;
}

/** Changes of a text as changes of the file's bytes; `changes` are in file order. */
export function byteSplices(
  { text, bom, size }: EncodedText,
  changes: readonly TextChange[],
): ByteSplice[] {
  const encoder = new TextEncoder();
  const lead = bom ? MARK_BYTES : 0;
  // With as many bytes as units nothing needs to be counted.
  const isAscii = size - lead === text.length;
  const lengthOf = (start: number, end: number) =>
    isAscii ? end - start : utf8Length(text, start, end);
  let at = 0;
  let offset = lead;
  return changes.map(({ start, end, text: fresh }) => {
    const from = offset + lengthOf(at, start);
    const to = from + lengthOf(start, end);
    at = end;
    offset = to;
    return { start: from, end: to, bytes: encoder.encode(fresh) };
  });
}

/** Number of bytes that a part of a text has in UTF-8; it must not cut a surrogate pair. */
function utf8Length(text: string, start: number, end: number): number {
  let length = end - start;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // A pair is two units and four bytes, any other unit beyond U+07FF three bytes.
    length += code < 0x800 || (code & 0xf800) === 0xd800 ? 1 : 2;
  }
  return length;
}
