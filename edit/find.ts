import { type Hit, onLineBorders, type Query } from "./hit.ts";
import { findLines, type LineHits } from "./line_rungs.ts";
import type { Source } from "./source.ts";
import { findExact, findFolded, findPlain } from "./substring_rungs.ts";
import { withBreaks } from "./text.ts";
import type { Repaired } from "./transport.ts";

/** A text to be found in a file, and where. */
export interface Wanted {
  readonly old: string;
  /** Every hit of the first rung that has one; else there must be exactly one. */
  readonly replaceAll?: boolean;
  /** The texts are whole lines, each with its break. */
  readonly wholeLines?: boolean;
  /** Offsets of the region of the file where hits may lie; the whole file by default. */
  readonly from?: number;
  readonly to?: number;
}

/** Files above this size, in UTF-16 units, have rungs 1 and 2 only. */
const MAX_TOLERANT_LENGTH = 20 * 1024 * 1024;

type Search = (source: Source, query: Query, lines: () => LineHits) => readonly Hit[];

/** From strict to tolerant; the first that finds anything decides. */
const RUNGS: readonly { readonly find: Search; readonly anySize: boolean }[] = [
  { find: findExact, anySize: true },
  { find: findPlain, anySize: true },
  { find: (_source, _query, lines) => lines().blanks, anySize: false },
  { find: (_source, _query, lines) => lines().indented, anySize: false },
  { find: findFolded, anySize: false },
  { find: (_source, _query, lines) => lines().typographic, anySize: false },
];

/** The hits of the first rung that has any, repairs left out; nothing is decided about them. */
export function findOld(source: Source, wanted: Wanted): readonly Hit[] {
  const query = queryOf(source, wanted);
  let lines: LineHits | undefined;
  const lineHits = () => lines ??= findLines(source, query);
  for (const { find, anySize } of RUNGS) {
    if (!anySize && source.text.length > MAX_TOLERANT_LENGTH) continue;
    const hits = find(source, query, lineHits);
    if (hits.length > 0) return hits;
  }
  return [];
}

/** The hits of a repaired old text, on the strict rungs alone: a repair does not add up with others. */
export function findRepaired(source: Source, wanted: Wanted, repaired: Repaired): readonly Hit[] {
  if (source.text.length > MAX_TOLERANT_LENGTH) return [];
  const query = queryOf(source, { ...wanted, old: repaired.old });
  const exact = findExact(source, query);
  const hits = exact.length > 0 ? exact : findPlain(source, query);
  const [only] = hits;
  const inside = hits.length === 1 && only !== undefined && repaired.wholeLines &&
    !onLineBorders(source.text, only.start, only.end);
  return inside ? [] : hits.map((hit) => ({ ...hit, rung: "transport" }));
}

function queryOf(source: Source, wanted: Wanted): Query {
  return {
    raw: wanted.old,
    plain: withBreaks(wanted.old, "\n"),
    wholeLines: wanted.wholeLines ?? false,
    from: wanted.from ?? 0,
    to: wanted.to ?? source.text.length,
    overlapping: !wanted.replaceAll,
  };
}
