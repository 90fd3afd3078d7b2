import stringWidth from "string-width";
import { stripControls } from "../printable.ts";

/** Columns from one tab stop to the next. */
const TAB_COLUMNS = 4;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** How many columns a terminal takes for a line; markup takes none. */
export function columnsOf(line: string): number {
  return /^[\x20-\x7e]*$/.test(line) ? line.length : stringWidth(line);
}

/** What a person sees as one character each. */
export function graphemesOf(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("");
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/**
 * Lines that are safe to draw: nothing in them acts on a terminal, tabs are spaces, and every line
 * end is one. Trailing line ends make no line.
 */
export function drawableLines(text: string): string[] {
  return withoutLastBreaks(drawable(text)).split("\n").map(expandTabs);
}

/** Text that is safe to draw, its line ends LF; tabs stay. */
export function drawable(text: string): string {
  return withLineFeeds(stripControls(text));
}

/** Text whose controls are gone already, its line ends LF. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n|\u2028|\u2029/g, "\n");
}

/** Spaces up to each tab stop. */
export function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  const [first = "", ...rest] = line.split("\t");
  return rest.reduce((done, part) => {
    const fill = TAB_COLUMNS - columnsOf(done) % TAB_COLUMNS;
    return done + " ".repeat(fill) + part;
  }, first);
}

/** A line cut to `width` columns, with an ellipsis where something is missing. For unmarked text. */
export function cutToWidth(line: string, width: number, unicode: boolean): string {
  if (columnsOf(line) <= width) return line;
  const ellipsis = unicode ? "…" : "...";
  const room = width - ellipsis.length;
  if (room <= 0) return ellipsis.slice(0, Math.max(0, width));
  return headOf(line, room).trimEnd() + ellipsis;
}

/** As much of the beginning as fits `width` columns. */
export function headOf(line: string, width: number): string {
  let head = "";
  let used = 0;
  for (const grapheme of graphemesOf(line)) {
    used += columnsOf(grapheme);
    if (used > width) break;
    head += grapheme;
  }
  return head;
}

function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end--;
  return text.slice(0, end);
}
