import {
  breakAt,
  type LineBreak,
  lineEnd,
  type LineEnding,
  lineEnding,
  type Lines,
  lineStart,
  splitLines,
} from "./text.ts";
import { foldTypography, lineHash } from "./typography.ts";

/**
 * A file's text with what the rungs need to know of it, each worked out once and only when asked
 * for: hunks of one patch share it.
 */
export class Source {
  readonly text: string;
  #lines: Lines | undefined;
  #hashes: Uint32Array | undefined;
  #plain: PlainText | undefined;
  #folded: string | undefined;
  #ending: LineEnding | undefined;

  /** `text` is the file without byte order mark. */
  constructor(text: string) {
    this.text = text;
  }

  get lines(): Lines {
    return this.#lines ??= splitLines(this.text);
  }

  /** {@linkcode lineHash} of every line. */
  get hashes(): Uint32Array {
    return this.#hashes ??= hashLines(this.lines);
  }

  /** The text with LF for every CRLF. */
  get plain(): PlainText {
    return this.#plain ??= plainText(this.text);
  }

  /** The break of the line at an offset; that of the last line with a break where it has none. */
  breakAt(offset: number): LineBreak | undefined {
    switch (this.#ending ??= lineEnding(this.text)) {
      case "none":
        return undefined;
      case "LF":
        return "\n";
      case "CRLF":
        return "\r\n";
      case "mixed":
        return breakAt(this.text, offset);
    }
  }

  /** The plain text with typographic characters folded. */
  get folded(): string {
    return this.#folded ??= foldTypography(this.plain.text);
  }
}

/** A text with LF line breaks, and the way back to the offsets of the text it was made from. */
export interface PlainText {
  readonly text: string;
  /** Offset in the original; that of a line break is where the whole CRLF starts. */
  original(offset: number): number;
}

function plainText(text: string): PlainText {
  if (!text.includes("\r\n")) return { text, original: (offset) => offset };
  const pieces = text.split("\r\n");
  const breaks = new Uint32Array(pieces.length - 1);
  let length = 0;
  for (let index = 0; index < breaks.length; index++) {
    breaks[index] = length += (pieces[index] ?? "").length;
    length++;
  }
  return {
    text: pieces.join("\n"),
    original: (offset) => offset + countBelow(breaks, offset),
  };
}

function countBelow(sorted: Uint32Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function hashLines(lines: Lines): Uint32Array {
  const hashes = new Uint32Array(lines.count);
  for (let index = 0; index < lines.count; index++) {
    hashes[index] = lineHash(lines.text, lineStart(lines, index), lineEnd(lines, index));
  }
  return hashes;
}
