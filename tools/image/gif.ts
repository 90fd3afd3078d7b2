import type { Size } from "./picture.ts";

/** What a GIF holds, as far as its blocks tell. */
export interface GifFrames {
  readonly count: number;
  /** Of the first frame, which may be larger than the screen that the file speaks of. */
  readonly first: Size;
}

const EXTENSION = 0x21;
const IMAGE = 0x2c;

/** Counts the frames of a GIF without decoding any (GIF89a, 19 to 24). Pure. */
export function gifFrames(bytes: Uint8Array): GifFrames {
  let at = 13 + colourTableBytes(bytes[10] ?? 0);
  let count = 0;
  let first: Size = { width: 0, height: 0 };
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === EXTENSION) at = afterSubBlocks(bytes, at + 2);
    else if (kind === IMAGE && at + 10 < bytes.length) {
      if (count === 0) first = { width: word(bytes, at + 5), height: word(bytes, at + 7) };
      count++;
      at = afterSubBlocks(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0));
    } else break;
  }
  return { count, first };
}

/** Of the colour table that a flags byte announces. */
function colourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function afterSubBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) break;
  }
  return at;
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | (bytes[at + 1] ?? 0) << 8;
}
