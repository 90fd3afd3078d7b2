/**
 * Ascending numbers as Slurm's `--array` takes them: `0-3,7`. Pure.
 */
export function indexRanges(indexes: Iterable<number>): string {
  const ranges: string[] = [];
  let first: number | undefined;
  let last = NaN;
  const close = () => {
    if (first !== undefined) ranges.push(first === last ? `${first}` : `${first}-${last}`);
  };
  for (const index of indexes) {
    if (index !== last + 1) {
      close();
      first = index;
    }
    last = index;
  }
  close();
  return ranges.join(",");
}

/** The places, from 0, of those ids of which something is so. */
export function indexesOf(
  ids: ReadonlyMap<string, unknown>,
  isSo: (id: string) => boolean,
): number[] {
  return [...ids.keys()].flatMap((id, index) => isSo(id) ? [index] : []);
}
