import { clipped } from "../clipped.ts";

/** Problems are told in so many lines and characters (UTF-16 units) at the most. */
const MAX_LINES = 20;
const MAX_CHARS = 4_000;

/** What of one line is told, in UTF-16 units. */
const MAX_LINE_CHARS = 500;

/** The lines of an output that say something. */
export function linesOf(output: string): string[] {
  return output.split("\n").map((line) => line.trimEnd()).filter((line) => line !== "");
}

/**
 * What is there now and was not before, in order. Both are counted by `keyOf`, so that what only
 * moved is not new, and what is there twice now is new once.
 */
export function newOnes<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): T[] {
  const known = new Map<string, number>();
  for (const item of before) known.set(keyOf(item), (known.get(keyOf(item)) ?? 0) + 1);
  return after.filter((item) => {
    const left = known.get(keyOf(item)) ?? 0;
    if (left > 0) known.set(keyOf(item), left - 1);
    return left === 0;
  });
}

/** A line without the places in it, as `12:5`, `(12,5)`, `line 12` and the gutter of an excerpt. */
export function withoutPlaces(line: string): string {
  return line
    .replace(/^\s*\d+(?::\d+)?(?=[\s:|]|$)/, "")
    .replace(/\(\d+,\s?\d+\)/g, "()")
    .replace(/:\d+(?::\d+)?\b/g, ":")
    .replace(/\b(line|lines|col|column)\s+\d+/gi, "$1");
}

/** As many lines as may be told, and how many are left out. */
export function toldLines(lines: readonly string[]): string {
  const told: string[] = [];
  let chars = 0;
  for (const line of lines) {
    const short = clipped(line, MAX_LINE_CHARS);
    chars += short.length + 1;
    if (told.length === MAX_LINES || chars > MAX_CHARS) break;
    told.push(short);
  }
  const more = lines.length - told.length;
  return [...told, ...(more > 0 ? [`… and ${more} more lines`] : [])].join("\n");
}
