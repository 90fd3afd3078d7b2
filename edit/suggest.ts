import { diffLines } from "./line_diff.ts";
import type { Source } from "./source.ts";
import { isBlank, lineEnd, lineStart, lineText, trimBlanks } from "./text.ts";
import { foldTypography, lineHash } from "./typography.ts";

/** The place of a file that is closest to an old text; nothing is ever written there. */
export interface Closest {
  /** First line of the place, from 0. */
  readonly first: number;
  /** Number of lines there. */
  readonly size: number;
  /** How many lines of the old text stand there, outer blanks aside. */
  readonly equal: number;
  /** The first line of old that differs there, and the file's line, both from 0. */
  readonly difference?: { readonly old: number; readonly file: number };
}

/** Lines are compared up to this length, in UTF-16 units; minified files have longer ones. */
const MAX_LINE = 2_000;
/** Share of trigrams from which two lines are alike. */
const LIKENESS = 0.5;
/** Old texts of more lines are scored by this many of them. */
const MAX_OLD_LINES = 400;
/** A line that the file has more often says nothing of the place. */
const COMMON_LINE = 500;
/** Lines between two looks at the deadline. */
const LOOK_LINES = 2_048;
const BEST_DIAGONALS = 3;

/** Finds the closest place; undefined when nothing is alike, or `expired` says that time is up. */
export function findClosest(
  source: Source,
  old: string,
  expired: () => boolean,
): Closest | undefined {
  const whole = withoutFinal(old.split("\n"));
  const lines = whole.slice(0, MAX_OLD_LINES);
  if (lines.every(isBlank)) return undefined;
  const starts = lines.length > 1 ? bestDiagonals(source, lines, expired) : [];
  if (starts === undefined) return undefined;
  if (starts.length === 0) {
    const lead = longest(lines);
    const alike = mostAlike(source, lines[lead] ?? "", expired);
    if (alike === undefined) return undefined;
    starts.push(alike - lead);
  }
  const places = starts.map((start) => score(source, lines, start));
  return extended(source, whole, places.reduce((a, b) => b.equal > a.equal ? b : a));
}

/** A place at which all lines that were scored are equal, compared to the end of a longer old text. */
function extended({ lines }: Source, old: readonly string[], place: Closest): Closest {
  const { first, difference } = place;
  if (difference !== undefined || place.size === old.length) return place;
  const size = Math.min(old.length, lines.count - first);
  const odd: number[] = [];
  for (let at = place.size; at < old.length; at++) {
    const isEqual = at < size &&
      trimBlanks(old[at] ?? "") === trimBlanks(lineText(lines, first + at));
    if (!isEqual) odd.push(at);
  }
  const [at] = odd;
  const grown = { first, size, equal: old.length - odd.length };
  return at === undefined ? grown : { ...grown, difference: { old: at, file: first + at } };
}

function withoutFinal(lines: string[]): string[] {
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function longest(lines: readonly string[]): number {
  const lengths = lines.map((line) => trimBlanks(line).length);
  return lengths.indexOf(lengths.reduce((most, length) => Math.max(most, length)));
}

/** Starts of the windows that share most lines with old at the same distance. */
function bestDiagonals(
  source: Source,
  old: readonly string[],
  expired: () => boolean,
): number[] | undefined {
  const wanted = Map.groupBy(old.keys(), (at) => lineHash(old[at] ?? "", 0, old[at]?.length ?? 0));
  wanted.delete(0);
  const found = new Map<number, number[]>([...wanted.keys()].map((hash) => [hash, []]));
  for (const [line, hash] of source.hashes.entries()) {
    if (line % LOOK_LINES === 0 && expired()) return undefined;
    found.get(hash)?.push(line);
  }
  const scores = new Map<number, number>();
  for (const [hash, places] of found) {
    if (places.length > COMMON_LINE) continue;
    for (const place of places) {
      for (const at of wanted.get(hash) ?? []) {
        scores.set(place - at, (scores.get(place - at) ?? 0) + 1 / places.length + 0.5);
      }
    }
    if (expired()) return undefined;
  }
  return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, BEST_DIAGONALS).map(([diagonal]) => diagonal);
}

/** The file's line that shares most trigrams with a line, when they are alike at all. */
function mostAlike(source: Source, line: string, expired: () => boolean): number | undefined {
  const wanted = foldTypography(trimBlanks(line)).slice(0, MAX_LINE);
  if (wanted.length < 3) return undefined;
  const table = new Uint8Array(1 << 16);
  eachTrigram(wanted, 0, wanted.length, (gram) => table[gram] = 1);
  const { lines } = source;
  let best: number | undefined;
  let bestShare = LIKENESS;
  for (let at = 0; at < lines.count; at++) {
    if (at % LOOK_LINES === 0 && expired()) return undefined;
    const start = lineStart(lines, at);
    const end = Math.min(lineEnd(lines, at), start + MAX_LINE);
    if (end - start < wanted.length * bestShare / 2) continue;
    let shared = 0;
    let blanks = 0;
    while (start + blanks < end && lines.text.charCodeAt(start + blanks) <= 32) blanks++;
    eachTrigram(lines.text, start + blanks, end, (gram) => shared += table[gram] ?? 0);
    const share = 2 * shared / (wanted.length - 2 + Math.max(1, end - start - blanks - 2));
    if (share <= bestShare) continue;
    best = at;
    bestShare = share;
  }
  return best;
}

function eachTrigram(text: string, start: number, end: number, use: (gram: number) => void): void {
  for (let at = start; at + 2 < end; at++) {
    const gram = Math.imul(text.charCodeAt(at), 0x9e37) ^
      Math.imul(text.charCodeAt(at + 1), 0x79b9) ^ Math.imul(text.charCodeAt(at + 2), 0x7f4b);
    use((gram ^ (gram >>> 16)) & 0xffff);
  }
}

/** Compares old with as many lines from `start`; a line more or less on either side may shift them. */
function score({ lines }: Source, old: readonly string[], start: number): Closest {
  const first = Math.max(0, Math.min(start, lines.count - 1));
  const size = Math.min(old.length, lines.count - first);
  const window = Array.from({ length: size }, (_, at) => trimBlanks(lineText(lines, first + at)));
  const changes = diffLines(old.map(trimBlanks), window);
  const gone = changes.reduce((sum, change) => sum + change.oldEnd - change.oldStart, 0);
  const place = { first, size, equal: old.length - gone };
  const [change] = changes;
  if (change === undefined) return place;
  return { ...place, difference: { old: change.oldStart, file: first + change.newStart } };
}
