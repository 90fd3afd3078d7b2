/** How the lines of a text end; "none" is a text without any line break. */
export type LineEnding = "LF" | "CRLF" | "mixed" | "none";

/** A line break that ends a line; a lone CR, VT, FF, NEL and U+2028 are content. */
export type LineBreak = "\n" | "\r\n";

/** Line borders of a text, by offset. A final line break ends the last line and starts no empty one. */
export interface Lines {
  readonly text: string;
  /** Number of lines; 0 for an empty text. */
  readonly count: number;
  /** Offset of each line's first character, from 0, and `text.length` at index `count`. */
  readonly starts: Uint32Array;
}

/** Finds the line borders of a text: LF and CRLF end a line, nothing else does. */
export function splitLines(text: string): Lines {
  let size = 64;
  let starts = new Uint32Array(size);
  let count = 0;
  let start = 0;
  while (start < text.length) {
    if (count + 1 >= size) starts = grown(starts, size *= 2);
    starts[count++] = start;
    const newline = text.indexOf("\n", start);
    start = newline < 0 ? text.length : newline + 1;
  }
  starts[count] = text.length;
  return { text, count, starts: starts.subarray(0, count + 1) };
}

function grown(array: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(size);
  wider.set(array);
  return wider;
}

/** Offset where line `index` (from 0) starts; `index` = `count` gives the end of the text. */
export function lineStart({ starts, text }: Lines, index: number): number {
  return starts[index] ?? text.length;
}

/** Offset just past the content of line `index`, before its line break. */
export function lineEnd(lines: Lines, index: number): number {
  const { text } = lines;
  const next = lineStart(lines, index + 1);
  const start = lineStart(lines, index);
  if (next === start || text.charCodeAt(next - 1) !== LF) return next;
  return next - 2 >= start && text.charCodeAt(next - 2) === CR ? next - 2 : next - 1;
}

/** Content of line `index`, without its line break. */
export function lineText(lines: Lines, index: number): string {
  return lines.text.slice(lineStart(lines, index), lineEnd(lines, index));
}

/** Line break of line `index`; empty for an unterminated last line. */
export function lineBreak(lines: Lines, index: number): LineBreak | "" {
  const length = lineStart(lines, index + 1) - lineEnd(lines, index);
  return length === 2 ? "\r\n" : length === 1 ? "\n" : "";
}

/** Index of the line that holds `offset`; the end of the text belongs to the last line. */
export function lineAt({ starts, count }: Lines, offset: number): number {
  let low = 0;
  let high = Math.max(0, count - 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Line numbers of ascending offsets, from 1, without splitting the whole text. */
export function lineNumbers(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let next = text.indexOf("\n");
  return offsets.map((offset) => {
    while (next >= 0 && next < offset) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  });
}

/** All lines' contents, without their line breaks. */
export function linesOf(text: string): string[] {
  const lines = splitLines(text);
  return Array.from({ length: lines.count }, (_, index) => lineText(lines, index));
}

/** Which line endings a text has. */
export function lineEnding(text: string): LineEnding {
  let crlf = false;
  let lf = false;
  for (let at = text.indexOf("\n"); at >= 0 && !(crlf && lf); at = text.indexOf("\n", at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === CR) crlf = true;
    else lf = true;
  }
  return crlf && lf ? "mixed" : crlf ? "CRLF" : lf ? "LF" : "none";
}

/** The line break that most lines of a text have; LF on a draw and for a text of one line. */
export function usualBreak(text: string): LineBreak {
  let lead = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    lead += at > 0 && text.charCodeAt(at - 1) === CR ? 1 : -1;
  }
  return lead > 0 ? "\r\n" : "\n";
}

/** The break of the line at an offset; that of the last line with a break where it has none. */
export function breakAt(text: string, offset: number): LineBreak | undefined {
  const next = text.indexOf("\n", offset);
  const at = next < 0 ? text.lastIndexOf("\n") : next;
  if (at < 0) return undefined;
  return at > 0 && text.charCodeAt(at - 1) === CR ? "\r\n" : "\n";
}

/** The same text with every line break as given. */
export function withBreaks(text: string, lineBreak: LineBreak): string {
  const plain = text.includes("\r\n") ? text.split("\r\n").join("\n") : text;
  return lineBreak === "\n" ? plain : plain.split("\n").join("\r\n");
}

/** True for a space or a tab, the only characters that count as blanks. */
export function isBlankCode(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** True when a text holds nothing but blanks, or nothing. */
export function isBlank(text: string): boolean {
  return leadingBlanks(text).length === text.length;
}

/** The blanks that a text starts with. */
export function leadingBlanks(text: string): string {
  let end = 0;
  while (end < text.length && isBlankCode(text.charCodeAt(end))) end++;
  return text.slice(0, end);
}

/** A text without the blanks at its end; no other white space goes. */
export function trimBlanksEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlankCode(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A text without the blanks at both ends; no other white space goes. */
export function trimBlanks(text: string): string {
  return trimBlanksEnd(text.slice(leadingBlanks(text).length));
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
