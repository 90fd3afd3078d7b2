import type { SeenEntry, SeenLeftOut, Stamp } from "./seen.ts";

/** An entry that is left out; the known object for the same finding, so that nothing has changed. */
export function leftOut(
  why: string,
  ignored: boolean,
  stamp: Stamp,
  known?: SeenEntry,
): SeenLeftOut {
  const same = known?.kind === "left_out" && known.why === why && known.ignored === ignored &&
    known.stamp.mtimeMs === stamp.mtimeMs && known.stamp.settled === stamp.settled;
  return same ? known : { kind: "left_out", why, ignored, stamp };
}

/** The stamp of what cannot be looked at. */
export const NO_STAMP: Stamp = { inode: 0, mtimeMs: 0, ctimeMs: 0, settled: false };

/**
 * The entry for a name that a folder lists and that is not there; undefined where it is gone. A name
 * that is not UTF-8 comes with replacement characters and is not found again.
 */
export function missing(name: string): SeenLeftOut | undefined {
  return name.includes("\uFFFD")
    ? leftOut("its name is no UTF-8 text", false, NO_STAMP)
    : undefined;
}
