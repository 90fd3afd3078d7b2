import {
  AROUND_LINES,
  counted,
  type LineRange,
  numberedLines,
  rangeWords,
  shownLine,
  visibleBlanks,
} from "./numbered.ts";
import { findIndentation, type IndentPair } from "./indentation.ts";
import type { Source } from "./source.ts";
import { type Closest, findClosest } from "./suggest.ts";
import { isBlank, leadingBlanks, lineText } from "./text.ts";

/** How much of the file to show after a miss: the closest place, the whole file, or nothing. */
export type Recovery = "place" | "file" | "none";

/** Rows shown of the closest place, at most. */
const PLACE_ROWS = 14;
/** A whole file is shown within the limits of read_file. */
const WHOLE_LINES = 2_000;
const WHOLE_LENGTH = 50 * 1_024;

/** What of the file a message shows after a miss, and where it differs from the old text. */
export function placeLines(
  old: readonly string[],
  source: Source,
  recovery: Recovery,
  expired: () => boolean,
): string[] {
  if (recovery === "none") return [];
  if (recovery === "file" && isSmall(source)) {
    return ["The file now:", ...numberedLines(source.lines, { first: 1, last: WHOLE_LINES })];
  }
  const closest = findClosest(source, old.join("\n"), expired);
  if (closest === undefined) return ["No place in the file is close to it."];
  const first = closest.first + 1;
  const last = closest.first + closest.size;
  const equal = old.length === 1 ? "" : `, ${closest.equal} of ${old.length} lines equal`;
  const difference = differenceOf(old, source, closest);
  const shown = shownRange(closest, difference.line, source.lines.count);
  return [
    `Closest place: ${rangeWords({ first, last })}${equal}.`,
    ...difference.words,
    `${rangeWords(shown).replace("line", "Line")} now:`,
    ...numberedLines(source.lines, shown),
  ];
}

function isSmall({ text, lines }: Source): boolean {
  return text.length <= WHOLE_LENGTH && lines.count <= WHOLE_LINES;
}

/** The place with its surroundings, or what lies around one line of a long one. */
function shownRange({ first, size }: Closest, line: number, count: number): LineRange {
  const whole = {
    first: Math.max(1, first + 1 - AROUND_LINES),
    last: Math.min(count, first + size + AROUND_LINES),
  };
  if (size + 2 * AROUND_LINES <= PLACE_ROWS) return whole;
  const from = Math.max(whole.first, line - PLACE_ROWS / 2);
  return { first: from, last: Math.min(whole.last, from + PLACE_ROWS - 1) };
}

/** What differs first at a place, in words, and the file's line there, from 1. */
interface Difference {
  readonly words: readonly string[];
  readonly line: number;
}

function differenceOf(old: readonly string[], source: Source, closest: Closest): Difference {
  const { lines } = source;
  const { difference } = closest;
  if (difference === undefined) return blankDifference(old, source, closest);
  const mine = old[difference.old];
  const line = difference.file + 1;
  const theirs = difference.file < lines.count ? lineText(lines, difference.file) : undefined;
  const words = [
    `First difference at line ${line}:`,
    `  - ${mine === undefined ? "(nothing more)" : shownLine(mine)}    <- your old text`,
    `  + ${theirs === undefined ? "(end of the file)" : shownLine(theirs)}    <- file`,
    ...(mine === undefined || theirs === undefined ? [] : innerBlanks(mine, theirs)),
  ];
  return { words, line };
}

/** Names a difference that lies in blanks alone, where eyes do not find it. */
function innerBlanks(mine: string, theirs: string): string[] {
  const bare = (text: string) => text.replace(/[ \t]+/g, "");
  if (bare(mine) !== bare(theirs)) return [];
  return ["They differ in blanks only (· is a space, → a tab):", ...visiblePair(mine, theirs)];
}

function visiblePair(mine: string, theirs: string): string[] {
  return [`  - ${visibleBlanks(mine)}`, `  + ${visibleBlanks(theirs)}`];
}

/** All lines are equal but for outer blanks: names the first that leaves the rule of those above. */
function blankDifference(
  old: readonly string[],
  { lines }: Source,
  { first }: Closest,
): Difference {
  const rows = old.map((mine, index) => ({ mine, theirs: lineText(lines, first + index), index }))
    .filter(({ mine }) => !isBlank(mine));
  const indents = rows.map(({ mine, theirs }): IndentPair => [
    leadingBlanks(mine),
    leadingBlanks(theirs),
  ]);
  const odd = rows[firstOdd(indents)];
  if (odd === undefined) return { words: [], line: first + 1 };
  const { mine, theirs, index } = odd;
  const line = first + index + 1;
  const words = [
    `Only indentation differs, and not by one rule: at line ${line} the file has ` +
    `${blankWords(theirs)}, old has ${blankWords(mine)} (· is a space, → a tab):`,
    ...visiblePair(mine, theirs),
  ];
  return { words, line };
}

/** Index of the first pair that no rule explains together with those above; their number for none. */
function firstOdd(pairs: readonly IndentPair[]): number {
  // What a rule explains it explains in part: the border can be found by halves.
  const isRegular = (count: number) => {
    const above = pairs.slice(0, count);
    return above.every(([mine, theirs]) => mine === theirs) || findIndentation(above) !== undefined;
  };
  let regular = 0;
  let odd = pairs.length + 1;
  while (odd - regular > 1) {
    const middle = (regular + odd) >> 1;
    if (isRegular(middle)) regular = middle;
    else odd = middle;
  }
  return regular;
}

function blankWords(line: string): string {
  const indent = leadingBlanks(line);
  const tabs = indent.split("\t").length - 1;
  const words: string[] = [];
  if (tabs > 0) words.push(counted(tabs, "tab"));
  if (indent.length > tabs) words.push(counted(indent.length - tabs, "space"));
  return words.length === 0 ? "no indentation" : words.join(" and ");
}
