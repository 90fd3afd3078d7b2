import { ok } from "node:assert/strict";
import fc from "fast-check";
import { applyCodexHunks } from "../../edit/codex.ts";
import { parseCodex } from "../../edit/codex_grammar.ts";
import { parseHunks } from "../../edit/hunk_grammar.ts";
import { applyHunks } from "../../edit/hunks.ts";
import type { Replacement } from "../../edit/ladder.ts";
import { isRefusal, type Refusal } from "../../edit/refusal.ts";
import { applyChanges } from "../../edit/rewrite.ts";
import { codexPatch, conflictPatch, mutated } from "./mutations.ts";

/** How often each outcome came, over all patches tried. */
export interface FuzzCount {
  readonly tried: number;
  readonly landed: number;
  readonly refused: number;
}

/**
 * Applies mutated conflict and codex patches, `runs` of each, to random files: whatever they hold,
 * the answer is a landing whose changes make its text, or a refusal.
 *
 * @throws what fast-check reports, with seed and counterexample
 */
export function fuzzPatches(runs: number): FuzzCount {
  const count = { tried: 0, landed: 0, refused: 0 };
  const apply = (file: string, answer: Replacement | Refusal) => {
    count.tried++;
    if (!answer.ok) {
      count.refused++;
      return;
    }
    count.landed++;
    ok(answer.text !== file, "success without a change");
    ok(applyChanges(file, answer.changes) === answer.text, "changes that make another text");
  };
  fc.assert(
    fc.property(mutated(conflictPatch), ({ file, patch }) => {
      const hunks = parseHunks(patch);
      apply(file, isRefusal(hunks) ? hunks : applyHunks(file, hunks));
    }),
    { numRuns: runs },
  );
  fc.assert(
    fc.property(mutated(codexPatch), ({ file, patch }) => {
      const files = parseCodex(patch);
      const [update] = isRefusal(files) ? [] : files;
      const hunks = update?.kind === "update" ? update.hunks : [];
      apply(file, isRefusal(files) ? files : applyCodexHunks(file, hunks));
    }),
    { numRuns: runs },
  );
  return count;
}

if (import.meta.main) {
  const { tried, landed, refused } = fuzzPatches(10_000);
  console.log(`${tried} patches: ${landed} landed, ${refused} refused, none threw`);
}
