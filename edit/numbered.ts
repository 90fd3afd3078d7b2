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

/** Digits of a line number with its padding, as in `cat -n` and read_file. */
const NUMBER_WIDTH = 6;

/**
 * Lines with their numbers, the range cut to the lines there are. The gutter is the one that the
 * ladder takes off again where a model copies it.
 */
export function numberedLines(lines: Lines, { first, last }: LineRange): string[] {
  const rows: string[] = [];
  for (let line = Math.max(1, first); line <= Math.min(last, lines.count); line++) {
    rows.push(`${String(line).padStart(NUMBER_WIDTH)}\t${shownLine(lineText(lines, line - 1))}`);
  }
  return rows;
}

/** Lines shown on both sides of a place. */
export const AROUND_LINES = 2;

/**
 * Ranges in file order with the lines around them, each line once, and an ellipsis where lines are
 * left out; past `maxRows` it ends with a word that says so.
 */
export function numberedRanges(
  lines: Lines,
  ranges: readonly LineRange[],
  maxRows = Infinity,
): string[] {
  const rows: string[] = [];
  let next = 1;
  for (const range of ranges) {
    const first = Math.max(next, range.first - AROUND_LINES);
    const last = Math.min(range.last + AROUND_LINES, lines.count);
    if (first > last) continue;
    if (rows.length > 0 && first > next) rows.push("…");
    const room = maxRows - rows.length;
    rows.push(...numberedLines(lines, { first, last: Math.min(last, first + room - 1) }));
    if (last - first >= room) return [...rows, "… (more changed)"];
    next = last + 1;
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
