import { type Change, diffLines } from "./line_diff.ts";

/** What two texts that come from one base are together, or where they contradict each other. */
export type MergedText =
  | { readonly ok: true; readonly text: string }
  /** Lines of `ours` at which both sides want something else, from 1. */
  | { readonly ok: false; readonly lines: readonly number[] };

/**
 * Joins what `ours` and `theirs` each changed in `base`, by lines. Changes that overlap or touch must
 * be the same on both sides, as with diff3 and git; a line break counts as part of its line.
 */
export function mergeTexts(base: string, ours: string, theirs: string): MergedText {
  if (ours === theirs || theirs === base) return { ok: true, text: ours };
  if (ours === base) return { ok: true, text: theirs };
  const lines = linesOf(base);
  const sides = [linesOf(ours), linesOf(theirs)].map((side) => ({
    lines: side,
    changes: diffLines(lines, side),
  }));
  const [our, their] = sides;
  if (!our || !their) throw new TypeError("Cannot merge: there are two sides");
  return joinSides(lines, our, their);
}

interface Side {
  readonly lines: readonly string[];
  readonly changes: readonly Change[];
}

/** Lines of the base that changes of one side or of both, which overlap or touch, are about. */
interface Region {
  start: number;
  end: number;
  readonly our: Change[];
  readonly their: Change[];
}

function joinSides(base: readonly string[], our: Side, their: Side): MergedText {
  const merged: string[] = [];
  const clashes: number[] = [];
  let at = 0;
  for (const region of regionsOf(our.changes, their.changes)) {
    merged.push(...base.slice(at, region.start));
    at = region.end;
    const ours = within(region, base, our, region.our);
    const theirs = within(region, base, their, region.their);
    if (region.their.length === 0 || isSame(ours, theirs)) merged.push(...ours);
    else if (region.our.length === 0) merged.push(...theirs);
    else clashes.push((region.our[0]?.newStart ?? 0) + 1);
  }
  if (clashes.length > 0) return { ok: false, lines: clashes };
  merged.push(...base.slice(at));
  return { ok: true, text: merged.join("") };
}

function regionsOf(our: readonly Change[], their: readonly Change[]): Region[] {
  const all = [
    ...our.map((change) => ({ change, side: "our" as const })),
    ...their.map((change) => ({ change, side: "their" as const })),
  ];
  all.sort((a, b) => a.change.oldStart - b.change.oldStart || a.change.oldEnd - b.change.oldEnd);
  const regions: Region[] = [];
  for (const { change, side } of all) {
    const last = regions.at(-1);
    if (last && change.oldStart <= last.end) {
      last.end = Math.max(last.end, change.oldEnd);
      last[side].push(change);
    } else {
      const region: Region = { start: change.oldStart, end: change.oldEnd, our: [], their: [] };
      region[side].push(change);
      regions.push(region);
    }
  }
  return regions;
}

/** What a side has in place of a region. */
function within(
  { start, end }: Region,
  base: readonly string[],
  { lines }: Side,
  changes: readonly Change[],
): string[] {
  const result: string[] = [];
  let at = start;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    result.push(...base.slice(at, oldStart), ...lines.slice(newStart, newEnd));
    at = oldEnd;
  }
  result.push(...base.slice(at, end));
  return result;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

/** Lines with their line breaks. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
