import { fits, type Hit, occurrences, type Query, type Rung } from "./hit.ts";
import type { Source } from "./source.ts";
import { foldTypography, hasTypography } from "./typography.ts";

/**
 * Rung 1: the same characters. Whole lines are left to rung 2: their breaks are those of the format
 * that they came in, so that of twins which differ in the break alone neither is meant.
 */
export function findExact({ text }: Source, query: Query): Hit[] {
  const { raw, overlapping, wholeLines } = query;
  if (wholeLines) return [];
  const accept = (at: number) => fits(text, query, at, at + raw.length);
  return occurrences(text, raw, overlapping, accept)
    .map((start) => ({ start, end: start + raw.length, rung: "exact", unterminated: false }));
}

/** Rung 2: CRLF is LF, and a final line break fits a last line that has none. */
export function findPlain(source: Source, query: Query): Hit[] {
  return findIn(source, source.plain.text, query.plain, query, "line_ending");
}

/** Rung 6, first part: typographic characters are their ASCII twins. */
export function findFolded(source: Source, query: Query): Hit[] {
  if (!hasTypography(query.plain) && source.folded === source.plain.text) return [];
  return findIn(source, source.folded, foldTypography(query.plain), query, "typography");
}

function findIn(source: Source, text: string, wanted: string, query: Query, rung: Rung): Hit[] {
  const { original } = source.plain;
  const hit = (at: number, length: number, unterminated: boolean): Hit => ({
    start: original(at),
    end: original(at + length),
    rung,
    unterminated,
  });
  const accept = (at: number) =>
    fits(source.text, query, original(at), original(at + wanted.length));
  const hits = occurrences(text, wanted, query.overlapping, accept)
    .map((at) => hit(at, wanted.length, false))
    .map((hit) => sameCharacters(source, query, hit) ? { ...hit, rung: "exact" as const } : hit);
  if (wanted.length > 1 && wanted.endsWith("\n") && !text.endsWith("\n")) {
    const length = wanted.length - 1;
    const last = hit(text.length - length, length, true);
    if (text.endsWith(wanted.slice(0, -1)) && fits(source.text, query, last.start, last.end)) {
      hits.push(last);
    }
  }
  return hits;
}

function sameCharacters({ text }: Source, { raw }: Query, { start, end }: Hit): boolean {
  return end - start === raw.length && text.startsWith(raw, start);
}
