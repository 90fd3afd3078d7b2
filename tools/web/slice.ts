/** A part of a text. */
export interface Slice {
  readonly text: string;
  /** Where the next part begins; absent after the last. */
  readonly next?: number;
}

/** How far back a part is ended for a line's sake, as a share of its length. */
const LINE_SHARE = 0.2;

/**
 * The part of a text from `offset` on, of at most `limit` UTF-16 units: it ends with a line where
 * one ends not far before, and never within a character.
 */
export function sliceOf(text: string, offset: number, limit: number): Slice {
  const start = Math.min(offset, text.length);
  const most = start + limit;
  if (most >= text.length) return { text: text.slice(start) };
  const line = text.lastIndexOf("\n", most - 1) + 1;
  const end = line > most - limit * LINE_SHARE && line > start ? line : wholeAt(text, most, start);
  return { text: text.slice(start, end), next: end };
}

/** The place, or the one before where it lies between the halves of a character. */
function wholeAt(text: string, at: number, start: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  const isHigh = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return isLow && isHigh && at - 1 > start ? at - 1 : at;
}
