import { diffLines } from "./line_diff.ts";
import type { TextChange } from "./rewrite.ts";
import { lineAt, splitLines } from "./text.ts";

/**
 * True when a file that changed since it was read did so in other lines than an edit wants to
 * change: then the edit may be worked out anew on the text as it is now, else it is stale.
 */
export function changedElsewhere(
  read: string,
  now: string,
  changes: readonly TextChange[],
): boolean {
  const lines = splitLines(read);
  const foreign = diffLines(read.split("\n"), now.split("\n"));
  return changes.every(({ start, end }) => {
    const first = lineAt(lines, start);
    const last = lineAt(lines, Math.max(start, end - 1));
    return foreign.every(({ oldStart, oldEnd }) => oldEnd <= first || oldStart > last);
  });
}
