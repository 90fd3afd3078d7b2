import type { TextChange } from "./rewrite.ts";
import { lineAt, type Lines, lineText } from "./text.ts";

/** A run of lines by number, both ends included, from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Characters of a line that a message shows. */
const SHOWN_LENGTH = 200;

/** A line as a message shows it: tabs as they are, the end of a very long one left out. */
export function shownLine(text: string): string {
  return text.length <= SHOWN_LENGTH
    ? text
    : `${text.slice(0, SHOWN_LENGTH)}… (${text.length} characters)`;
}

/** A line with its blanks made visible: a dot for a space, an arrow for a tab. */
export function visibleBlanks(text: string): string {
  return shownLine(text).replaceAll(" ", "·").replaceAll("\t", "→");
}

/** Lines with their numbers, the range cut to the lines there are. */
export function numberedLines(lines: Lines, { first, last }: LineRange): string[] {
  const end = Math.min(last, lines.count);
  const width = String(end).length;
  const rows: string[] = [];
  for (let line = Math.max(1, first); line <= end; line++) {
    rows.push(`${String(line).padStart(width)}  ${shownLine(lineText(lines, line - 1))}`);
  }
  return rows;
}

/** The range as words. */
export function rangeWords({ first, last }: LineRange): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

/**
 * Where changes of an original stand in the text that they made, in file order; a deletion is the
 * line that now stands at its place. `lines` are those of the new text.
 */
export function changedRanges(lines: Lines, changes: readonly TextChange[]): LineRange[] {
  const ranges: LineRange[] = [];
  let shift = 0;
  for (const { start, end, text } of changes) {
    const from = start + shift + (text.match(/^(?:\r?\n)+/)?.[0].length ?? 0);
    const to = Math.max(from, start + shift + text.replace(/\r?\n$/, "").length);
    shift += text.length - (end - start);
    const range = { first: lineAt(lines, from) + 1, last: lineAt(lines, to) + 1 };
    const before = ranges.at(-1);
    if (before !== undefined && range.first <= before.last + 1) {
      ranges[ranges.length - 1] = { first: before.first, last: range.last };
    } else ranges.push(range);
  }
  return ranges;
}

/** A number with its noun: `1 line`, `2 lines`. */
export function counted(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
