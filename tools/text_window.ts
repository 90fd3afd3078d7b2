import { type Lines, lineText, splitLines } from "../edit/text.ts";

/** Lines shown at the most where the call does not ask for fewer. */
export const MAX_LINES = 2_000;

/** Bytes of one answer's lines at the most, as UTF-8. */
export const MAX_WINDOW_BYTES = 50 * 1024;

/** Longer lines are cut, in UTF-16 units: data on one line must not crowd out all else. */
export const MAX_LINE_CHARS = 2_000;

/** Which lines of a text to show. */
export interface Window {
  /** First line, from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** Some lines of a text, each cut to a bearable length. */
export interface Excerpt {
  readonly offset: number;
  /** Number of lines shown. */
  readonly lines: number;
  readonly total_lines: number;
  /** Whether lines after the shown ones are left out. */
  readonly truncated: boolean;
  /** The shown lines, joined by line feeds. */
  readonly text: string;
  /** Number of shown lines that were cut. */
  readonly cut_lines: number;
}

/** The lines of a text that fall into a window. */
export function excerptOf(text: string, { offset, limit, maxBytes }: Window): Excerpt {
  const all = splitLines(text);
  const shown: string[] = [];
  let cutLines = 0;
  let bytesLeft = maxBytes;
  const end = Math.min(all.count, offset - 1 + Math.min(limit, MAX_LINES));
  for (let index = offset - 1; index < end; index++) {
    const line = cutLine(all, index);
    bytesLeft -= new TextEncoder().encode(line.text).length + 1;
    if (bytesLeft < 0 && shown.length > 0) break;
    shown.push(line.text);
    if (line.cut) cutLines++;
  }
  return {
    offset,
    lines: shown.length,
    total_lines: all.count,
    truncated: offset - 1 + shown.length < all.count,
    text: shown.join("\n"),
    cut_lines: cutLines,
  };
}

/** Numbered rows as `cat -n` prints them, and the markers that say what is left out. */
export function renderExcerpt(excerpt: Excerpt): string {
  return [...numberedRows(excerpt), ...markers(excerpt)].join("\n");
}

function cutLine(lines: Lines, index: number): { text: string; cut: boolean } {
  const line = lineText(lines, index);
  if (line.length <= MAX_LINE_CHARS) return { text: line, cut: false };
  // The cut may fall between the two halves of a character.
  const head = line.slice(0, MAX_LINE_CHARS).toWellFormed();
  return { text: `${head}… [line cut: ${line.length} characters]`, cut: true };
}

function numberedRows({ offset, lines, text }: Excerpt): string[] {
  if (lines === 0) return [];
  return text.split("\n").map((row, index) => `${String(offset + index).padStart(6)}\t${row}`);
}

function markers({ offset, lines, total_lines, truncated, cut_lines }: Excerpt): string[] {
  if (total_lines === 0) return ["[empty file]"];
  if (lines === 0) return [`[offset ${offset} is past the end: the file has ${total_lines} lines]`];
  const cut = cut_lines === 0
    ? []
    : [`[lines cut at ${MAX_LINE_CHARS} characters: ${cut_lines}; search them with grep]`];
  const last = offset + lines - 1;
  if (truncated) {
    const next = `continue with offset=${last + 1}`;
    return [...cut, `[lines ${offset}-${last} of ${total_lines}; ${next}]`];
  }
  return offset > 1 ? [...cut, `[lines ${offset}-${last} of ${total_lines}, the last]`] : cut;
}
