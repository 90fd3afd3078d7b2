/**
 * Weight of the first places against the later ones (Cormack, Clarke and Büttcher 2009, who found
 * 60 to be good and its exact value unimportant).
 */
const RANK_OFFSET = 60;

/** Something that was found, and how well. */
export interface Ranked<T> {
  readonly item: T;
  /** Above 0; 1 for what is first in every list. */
  readonly score: number;
}

/**
 * Joins lists that were ranked by different measures, the best first: each gives its items the
 * reciprocal of their rank. Empty lists count for nothing; what is first among equals stays first.
 */
export function fuseRanks<T>(lists: readonly (readonly T[])[]): Ranked<T>[] {
  const filled = lists.filter(({ length }) => length > 0);
  const sums = new Map<T, number>();
  for (const list of filled) {
    for (const [rank, item] of [...new Set(list)].entries()) {
      sums.set(item, (sums.get(item) ?? 0) + (RANK_OFFSET + 1) / (RANK_OFFSET + 1 + rank));
    }
  }
  return [...sums]
    .map(([item, sum]) => ({ item, score: sum / filled.length }))
    .sort((a, b) => b.score - a.score);
}
