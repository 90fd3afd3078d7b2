import type { Rung } from "./hit.ts";
import type { Replacement } from "./ladder.ts";
import { changedRanges, type LineRange, numberedLines, rangeWords } from "./numbered.ts";
import { type Lines, splitLines } from "./text.ts";

/** Lines shown on both sides of a change. */
const CONTEXT_LINES = 2;
/** Rows of file text in one message, at most. */
const MAX_ROWS = 30;

const HOW: Readonly<Record<Rung, string>> = {
  exact: "exact match",
  line_ending: "matched ignoring line endings",
  trailing_blanks: "matched ignoring blanks at line ends",
  blank_lines: "matched ignoring blanks in empty lines",
  indentation: "matched with other indentation, new text indented alike",
  typography: "matched ignoring typographic characters",
  transport: "matched after a repair of the arguments",
};

/** What an edit did: file, rung, ranges, and the new lines in their context. */
export function successMessage(path: string, edit: Replacement): string {
  const lines = splitLines(edit.text);
  const ranges = changedRanges(lines, edit.changes);
  const where = ranges.slice(0, 10).map(rangeWords).join(", ") + (ranges.length > 10 ? ", …" : "");
  const places = edit.count > 1 ? `${edit.count} places, ` : "";
  return [
    `Edited ${path}: ${places}${HOW[edit.rung]}, ${where} now:`,
    ...shownRanges(lines, ranges),
    ...conflictWarning(lines),
  ].join("\n");
}

function shownRanges(lines: Lines, ranges: readonly LineRange[]): string[] {
  const rows: string[] = [];
  let shown = 0;
  for (const { first, last } of ranges) {
    const from = Math.max(shown + 1, first - CONTEXT_LINES);
    if (shown > 0 && from > shown + 1) rows.push("…");
    const room = MAX_ROWS - rows.length;
    const part = numberedLines(lines, { first: from, last: last + CONTEXT_LINES });
    if (part.length > room) {
      return [...rows, ...part.slice(0, Math.max(0, room)), "… (more changed)"];
    }
    rows.push(...part);
    shown = last + CONTEXT_LINES;
  }
  return rows;
}

const CONFLICT = /^(?:<{7}|>{7})(?: |\r?$)/m;

function conflictWarning({ text }: Lines): string[] {
  return CONFLICT.test(text) ? ["Warning: the file has merge-conflict markers."] : [];
}
