import type { Indentation } from "./indentation.ts";

/** How text was found, from strict to tolerant; of several the last. */
export type Rung =
  | "exact"
  | "line_ending"
  | "trailing_blanks"
  | "blank_lines"
  | "indentation"
  | "typography"
  | "transport";

/** The rungs in their order. */
const RUNG_ORDER: readonly Rung[] = [
  "exact",
  "line_ending",
  "trailing_blanks",
  "blank_lines",
  "indentation",
  "typography",
  "transport",
];

/** The most tolerant of some rungs; exact for none. */
export function lastRung(rungs: Iterable<Rung>): Rung {
  let last = 0;
  for (const rung of rungs) last = Math.max(last, RUNG_ORDER.indexOf(rung));
  return RUNG_ORDER[last] ?? "exact";
}

/** A range of the file that a rung takes for the old text. */
export interface Hit {
  /** Offset of the first character in the file's text. */
  readonly start: number;
  readonly end: number;
  readonly rung: Rung;
  /** Set when the file's indentation is another than that of the old text. */
  readonly indentation?: Indentation;
  /** True when old ends in a line break that the file's last line lacks. */
  readonly unterminated: boolean;
}

/** What is looked for, and where. */
export interface Query {
  /** The old text as given. */
  readonly raw: string;
  /** The old text with LF line breaks. */
  readonly plain: string;
  /** Hits must start and end on line borders. */
  readonly wholeLines: boolean;
  /** Offsets between which hits lie. */
  readonly from: number;
  readonly to: number;
  /** Count overlapping hits as well; off where all hits are to be replaced. */
  readonly overlapping: boolean;
}

/** Hits past this number are not collected; nobody replaces one of them. */
export const MAX_HITS = 10_000;

/** Characters compared for hits that overlap, at most; bounds the cost of periodic text. */
const MAX_OVERLAP_WORK = 64 * 1024 * 1024;

/** Start offsets of a text in another, in order; all of them where hits may not overlap. */
export function occurrences(
  text: string,
  wanted: string,
  overlapping: boolean,
  accept: (offset: number) => boolean,
): number[] {
  const found: number[] = [];
  if (wanted === "") return found;
  const limit = overlapping
    ? Math.max(2, Math.min(MAX_HITS, MAX_OVERLAP_WORK / wanted.length))
    : Infinity;
  let at = text.indexOf(wanted);
  while (at >= 0 && found.length < limit) {
    const accepted = accept(at);
    if (accepted) found.push(at);
    at = text.indexOf(wanted, at + (accepted && !overlapping ? wanted.length : 1));
  }
  return found;
}

/** True when the range may be a hit of the query: inside its region, on borders, no character cut. */
export function fits(text: string, query: Query, start: number, end: number): boolean {
  return start >= query.from && end <= query.to &&
    !cutsCharacter(text, start) && !cutsCharacter(text, end) &&
    (!query.wholeLines || onLineBorders(text, start, end));
}

/** True when an offset lies inside a CRLF or a surrogate pair. */
function cutsCharacter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return (before === 13 && after === 10) ||
    ((before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00);
}

/** True when a range starts where a line starts and ends where a line or its break ends. */
export function onLineBorders(text: string, start: number, end: number): boolean {
  if (start > 0 && text.charCodeAt(start - 1) !== 10) return false;
  return end === text.length || text.charCodeAt(end) === 10 ||
    (text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10) ||
    (end > 0 && text.charCodeAt(end - 1) === 10);
}
