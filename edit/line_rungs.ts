import { fits, type Hit, type Query, type Rung } from "./hit.ts";
import { findIndentation, type Indentation, type IndentPair } from "./indentation.ts";
import type { Source } from "./source.ts";
import {
  isBlank,
  leadingBlanks,
  lineAt,
  lineBreak,
  lineEnd,
  lineStart,
  lineText,
  trimBlanks,
  trimBlanksEnd,
} from "./text.ts";
import { foldTypography, lineHash } from "./typography.ts";

/** Hits of the rungs that compare whole lines, by the first rung that takes them. */
export interface LineHits {
  /** Rungs 3 and 4: blanks at line ends, and in blank lines. */
  readonly blanks: Hit[];
  /** Rung 5, together with 3 and 4. */
  readonly indented: Hit[];
  /** Rung 6, together with 3 to 5. */
  readonly typographic: Hit[];
}

/** Lines compared, at most; bounds the cost of files that are one line over and over. */
const MAX_COMPARED_LINES = 2_000_000;

/**
 * Finds old as whole lines in one pass over the file's line hashes. Text that is too repetitive to be
 * compared everywhere is not found: hits known in part cannot be known to be unique.
 */
export function findLines(source: Source, query: Query): LineHits {
  const hits: LineHits = { blanks: [], indented: [], typographic: [] };
  const old = oldLines(query.plain);
  let free = 0;
  let compared = 0;
  for (const first of windows(source, old.lines, query)) {
    if (!query.overlapping && first < free) continue;
    compared += old.lines.length;
    if (compared > MAX_COMPARED_LINES) return { blanks: [], indented: [], typographic: [] };
    const match = compare(source, old.lines, first);
    const range = match && rangeOf(source, query, first, old);
    if (match === undefined || range === undefined) continue;
    hits[match.group].push({ ...range, ...match.hit });
    free = first + old.lines.length;
  }
  return hits;
}

interface OldLines {
  readonly lines: string[];
  /** True when the last line's break belongs to old. */
  readonly terminated: boolean;
}

function oldLines(plain: string): OldLines {
  const lines = plain.split("\n");
  const terminated = lines.length > 1 && lines.at(-1) === "";
  return { lines: terminated ? lines.slice(0, -1) : lines, terminated };
}

/** First lines of the windows whose hashes are all equal to old's, led by old's rarest line. */
function* windows(source: Source, old: readonly string[], query: Query): Generator<number> {
  const hashes = old.map((line) => lineHash(line, 0, line.length));
  const rarest = rarestLine(hashes, source.hashes);
  if (rarest === undefined) return;
  const first = lineAt(source.lines, query.from);
  const last = Math.min(source.lines.count, lineAt(source.lines, query.to) + 1) - old.length;
  for (let at = source.hashes.indexOf(hashes[rarest] ?? 0, first + rarest); at >= 0;) {
    const start = at - rarest;
    if (start > last) return;
    if (hashes.every((hash, index) => source.hashes[start + index] === hash)) yield start;
    at = source.hashes.indexOf(hashes[rarest] ?? 0, at + 1);
  }
}

/** Index of the old line that the file has least often; undefined when one is not there at all. */
function rarestLine(wanted: readonly number[], hashes: Uint32Array): number | undefined {
  const counts = new Map(wanted.map((hash) => [hash, 0]));
  for (const hash of hashes) {
    const count = counts.get(hash);
    if (count !== undefined) counts.set(hash, count + 1);
  }
  const rarity = wanted.map((hash) => counts.get(hash) ?? 0);
  const least = rarity.reduce((least, count) => Math.min(least, count), Infinity);
  return least === 0 ? undefined : rarity.indexOf(least);
}

interface Match {
  readonly group: keyof LineHits;
  readonly hit: { readonly rung: Rung; readonly indentation?: Indentation };
}

function compare(source: Source, old: readonly string[], first: number): Match | undefined {
  const pairs: IndentPair[] = [];
  let rung: Rung = "line_ending";
  let typographic = false;
  for (const [index, line] of old.entries()) {
    const file = lineText(source.lines, first + index);
    if (isBlank(line)) {
      if (line !== file) rung = "blank_lines";
      continue;
    }
    pairs.push([leadingBlanks(line), leadingBlanks(file)]);
    if (trimBlanks(line) !== trimBlanks(file)) typographic = true;
    if (rung === "line_ending" && endBlanks(line) !== endBlanks(file)) rung = "trailing_blanks";
  }
  if (typographic && !sameFolded(source, old, first)) return undefined;
  if (pairs.every(([mine, theirs]) => mine === theirs)) {
    return typographic
      ? { group: "typographic", hit: { rung: "typography" } }
      : { group: "blanks", hit: { rung } };
  }
  const indentation = findIndentation(pairs);
  if (indentation === undefined) return undefined;
  return typographic
    ? { group: "typographic", hit: { rung: "typography", indentation } }
    : { group: "indented", hit: { rung: "indentation", indentation } };
}

function endBlanks(line: string): number {
  return line.length - trimBlanksEnd(line).length;
}

/** Equal hashes are not yet equal text. */
function sameFolded(source: Source, old: readonly string[], first: number): boolean {
  return old.every((line, index) =>
    foldTypography(trimBlanks(line)) ===
      foldTypography(trimBlanks(lineText(source.lines, first + index)))
  );
}

function rangeOf({ lines, text }: Source, query: Query, first: number, old: OldLines) {
  const last = first + old.lines.length - 1;
  const start = lineStart(lines, first);
  const end = old.terminated ? lineStart(lines, last + 1) : lineEnd(lines, last);
  const unterminated = old.terminated && lineBreak(lines, last) === "";
  return fits(text, query, start, end) ? { start, end, unterminated } : undefined;
}
