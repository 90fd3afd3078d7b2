import type { Rung } from "./hit.ts";
import type { Replacement } from "./ladder.ts";
import type { Repair } from "./transport.ts";
import { changedRanges, numberedRanges, rangeWords } from "./numbered.ts";
import { type Lines, splitLines } from "./text.ts";

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

/** What a model should leave away the next time. */
const REPAIRED: Readonly<Record<Repair, string>> = {
  "outer newlines": "without the line breaks around both texts",
  "line numbers": "without the line numbers in the arguments",
  "code fence": "without the code fence around both texts",
  "backslash escapes": "with one level of backslash escapes undone",
  html: "with html entities undone",
};

function howFound({ rung, repair }: Replacement): string {
  return repair === undefined ? HOW[rung] : `matched ${REPAIRED[repair]}`;
}

/**
 * What an edit did: file, rung, ranges, and the new lines in their context. `lines` are those of
 * the new text.
 */
export function successMessage(
  path: string,
  edit: Replacement,
  lines: Lines = splitLines(edit.text),
): string {
  if (lines.count === 0) return `Edited ${path}: ${howFound(edit)}, the file is empty now.`;
  const ranges = changedRanges(lines, edit.changes);
  const where = ranges.slice(0, 10).map(rangeWords).join(", ") + (ranges.length > 10 ? ", …" : "");
  const places = edit.count > 1 ? `${edit.count} places, ` : "";
  return [
    `Edited ${path}: ${places}${howFound(edit)}, ${where} now:`,
    ...numberedRanges(lines, ranges, MAX_ROWS),
    ...conflictWarning(lines),
  ].join("\n");
}

const CONFLICT = /^(?:<{7}|>{7})(?: |\r?$)/m;

function conflictWarning({ text }: Lines): string[] {
  return CONFLICT.test(text) ? ["Warning: the file has merge-conflict markers."] : [];
}
