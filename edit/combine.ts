import { type Hit, lastRung } from "./hit.ts";
import type { Landing, Replacement } from "./ladder.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import { applyChanges, sortChanges, type TextChange } from "./rewrite.ts";
import { lineAt, splitLines } from "./text.ts";

/** A range of the original that one part of a patch claims for itself. */
export type Claim = Pick<Hit, "start" | "end">;

/** One part of a patch that landed, and what no other part may touch. */
export interface Part {
  readonly landing: Landing;
  readonly claims: readonly Claim[];
}

/**
 * Joins parts that were all located in the original; parts that claim the same characters are
 * refused. The rung is the most tolerant of all.
 */
export function combine(text: string, parts: readonly Part[]): Replacement | Refusal {
  const clash = findClash(parts);
  if (clash !== undefined) {
    const { one, other, at } = clash;
    const [first, second] = [Math.min(one, other) + 1, Math.max(one, other) + 1];
    const line = lineAt(splitLines(text), at) + 1;
    return refuse("overlap", `hunks ${first} and ${second} both want line ${line}`);
  }
  const changes: TextChange[] = sortChanges(parts.flatMap((part) => part.landing.changes));
  const result = applyChanges(text, changes);
  if (result === text) return refuse("no_change", "the hunks undo one another");
  const repair = parts.find(({ landing }) => landing.repair)?.landing.repair;
  return {
    ok: true,
    text: result,
    rung: lastRung(parts.map((part) => part.landing.rung)),
    ...(repair === undefined ? {} : { repair }),
    changes,
    count: parts.length,
  };
}

/** Two parts by index, and an offset that both claim. */
interface Clash {
  readonly one: number;
  readonly other: number;
  readonly at: number;
}

/** The first clash of two parts; an insertion overlaps only what lies around it. */
function findClash(parts: readonly Part[]): Clash | undefined {
  const claims = parts.flatMap(({ claims }, index) => claims.map((claim) => ({ ...claim, index })));
  claims.sort((a, b) => a.start - b.start || a.end - b.end);
  let widest = claims[0];
  for (const claim of claims.slice(1)) {
    if (widest !== undefined && claim.start < widest.end) {
      return { one: widest.index, other: claim.index, at: claim.start };
    }
    if (widest === undefined || claim.end >= widest.end) widest = claim;
  }
  return undefined;
}

/** Lands every hunk, or refuses with the first that does not land and how many others would. */
export function landEach<H>(
  hunks: readonly H[],
  landOne: (hunk: H) => Part | Refusal,
): Part[] | Refusal {
  const parts: Part[] = [];
  let failed: { refusal: Refusal; index: number } | undefined;
  for (const [at, hunk] of hunks.entries()) {
    const answer = landOne(hunk);
    if (!isRefusal(answer)) parts.push(answer);
    else failed ??= { refusal: answer, index: at + 1 };
  }
  if (failed === undefined) return parts;
  const { refusal, index } = failed;
  const hunk = { index, count: hunks.length, fitting: parts.length };
  return hunks.length === 1 ? refusal : { ...refusal, hunk };
}
