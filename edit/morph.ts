import { type Change, diffLines } from "./line_diff.ts";
import { counted } from "./numbered.ts";
import { isOmission, leakedOmission } from "./placeholder.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { applyChanges, rewrite, type TextChange } from "./rewrite.ts";
import { Source } from "./source.ts";
import { isBlank, linesOf, trimBlanks, withBreaks } from "./text.ts";

/** A merge that holds: what the apply model was not asked to change is as it was. */
export interface Merge {
  readonly ok: true;
  readonly text: string;
  readonly changes: readonly TextChange[];
}

/** What an apply model was given, and what it answered. */
export interface MergeQuestion {
  readonly original: string;
  /** New code, with omission comments for the code that stays. */
  readonly update: string;
  readonly merged: string;
}

/**
 * Checks a merged text before it is written: each new line comes from the update, lines go only
 * where the update speaks of their place, and no omission comment is left. Otherwise `unverified`
 * or `placeholder`. Line endings and the final line break are the file's.
 */
export function verifyMerge({ original, update, merged }: MergeQuestion): Merge | Refusal {
  const old = withBreaks(original, "\n");
  const fresh = likeFinalBreak(old, unfenced(withBreaks(merged, "\n"), old));
  if (fresh === old) return refuse("no_change", "the merged text is the file as it is");
  const leak = leakedOmission(fresh, old);
  if (leak !== undefined) {
    return refuse("placeholder", `the merged text leaves code out ("${leak}")`);
  }
  if (isBlank(fresh.replaceAll("\n", "")) && old !== "") {
    return refuse("unverified", "the merged text is empty");
  }
  const doubt = firstDoubt(linesOf(old), linesOf(fresh), linesOf(update));
  if (doubt !== undefined) return refuse("unverified", doubt);
  const hit = { start: 0, end: original.length, rung: "exact", unterminated: false } as const;
  const changes = rewrite(new Source(original), hit, { old, fresh }) ?? [];
  return { ok: true, text: applyChanges(original, changes), changes };
}

/** Apply models like to answer in a code fence. */
function unfenced(merged: string, original: string): string {
  const body = /^```[^\n`]*\n(.*\n)```\s*$/s.exec(merged)?.[1];
  return body === undefined || original.trimStart().startsWith("```") ? merged : body;
}

function likeFinalBreak(original: string, merged: string): string {
  if (original === "" || original.endsWith("\n") === merged.endsWith("\n")) return merged;
  return merged.endsWith("\n") ? merged.slice(0, -1) : merged + "\n";
}

/** The first change that the update does not account for, in words. */
function firstDoubt(
  old: readonly string[],
  fresh: readonly string[],
  update: readonly string[],
): string | undefined {
  const told = update.map((line) => isOmission(line) ? undefined : trimBlanks(line));
  const wanted = new Set(told);
  const present = new Set(fresh.map(trimBlanks));
  const lost = told.find((line) => line !== undefined && !present.has(line));
  if (lost !== undefined) return `line "${lost}" of the update is not in the merged text`;
  let added = 0;
  for (const change of diffLines(old, fresh)) {
    const gone = old.slice(change.oldStart, change.oldEnd).filter((line) => !isBlank(line));
    const come = fresh.slice(change.newStart, change.newEnd).filter((line) => !isBlank(line));
    added += come.length;
    const foreign = come.map(trimBlanks).find((line) => !wanted.has(line));
    if (foreign !== undefined) return `line "${foreign}" is not in the update`;
    // Between two lines of the update all is told; beside kept code lines may only be exchanged.
    if (gone.length > come.length && !isFramed(told, fresh, change, gone)) {
      const lines = counted(gone.length, "line");
      return `${lines} from line ${change.oldStart + 1} went where the update keeps code`;
    }
  }
  return added > update.length
    ? `${counted(added, "line")} came, and the update has ${update.length}`
    : undefined;
}

/**
 * True when the lines around a change stand in the update with no omission (undefined) between, and
 * none of the lines that went is their twin: then the frame may have been meant to close before.
 */
function isFramed(
  told: readonly (string | undefined)[],
  fresh: readonly string[],
  { newStart, newEnd }: Change,
  gone: readonly string[],
): boolean {
  const above = fresh.slice(0, newStart).findLast((line) => !isBlank(line));
  const below = fresh.slice(newEnd).find((line) => !isBlank(line));
  if (gone.some((line) => line === above || line === below)) return false;
  const first = above === undefined ? undefined : trimBlanks(above);
  const last = below === undefined ? undefined : trimBlanks(below);
  const starts = first === undefined ? [-1] : [...told.keys()].filter((at) => told[at] === first);
  return starts.some((start) => {
    const stop = told.indexOf(undefined, start + 1);
    const behind = told.slice(start + 1, stop < 0 ? told.length : stop);
    return last === undefined ? stop < 0 : behind.includes(last);
  });
}
