import { ok } from "node:assert/strict";
import fc from "fast-check";
import { applyCodexHunks } from "../../edit/codex.ts";
import { parseCodex } from "../../edit/codex_grammar.ts";
import type { EditForm } from "../../edit/advice.ts";
import { failureMessage } from "../../edit/failure_message.ts";
import { parseHunks } from "../../edit/hunk_grammar.ts";
import { applyHunks } from "../../edit/hunks.ts";
import type { Replacement } from "../../edit/ladder.ts";
import { isRefusal, type Refusal } from "../../edit/refusal.ts";
import { applyChanges } from "../../edit/rewrite.ts";
import { Source } from "../../edit/source.ts";
import { codexPatch, conflictPatch, mutated } from "./mutations.ts";

/** How often each outcome came, over all patches tried. */
export interface FuzzCount {
  readonly tried: number;
  readonly landed: number;
  readonly refused: number;
}

/**
 * Applies mutated conflict and codex patches, `runs` of each, to random files: whatever they hold,
 * the answer is a landing whose changes make its text, or a refusal with a message that a model can
 * read.
 *
 * @throws what fast-check reports, with seed and counterexample
 */
export function fuzzPatches(runs: number): FuzzCount {
  const count = { tried: 0, landed: 0, refused: 0 };
  const apply = (file: string, answer: Replacement | Refusal, form: EditForm) => {
    count.tried++;
    if (!answer.ok) {
      count.refused++;
      checkMessage(file, answer, form);
      return;
    }
    count.landed++;
    ok(answer.text !== file, "success without a change");
    ok(applyChanges(file, answer.changes) === answer.text, "changes that make another text");
  };
  fc.assert(
    fc.property(mutated(conflictPatch), ({ file, patch }) => {
      const hunks = parseHunks(patch);
      apply(file, isRefusal(hunks) ? hunks : applyHunks(file, hunks), "patch");
    }),
    { numRuns: runs },
  );
  fc.assert(
    fc.property(mutated(codexPatch), ({ file, patch }) => {
      const files = parseCodex(patch);
      const [update] = isRefusal(files) ? [] : files;
      const hunks = update?.kind === "update" ? update.hunks : [];
      apply(file, isRefusal(files) ? files : applyCodexHunks(file, hunks), "codex");
    }),
    { numRuns: runs },
  );
  return count;
}

/** A refusal has a reason first, a next step last, and less than 40 lines in between. */
function checkMessage(file: string, refusal: Refusal, form: EditForm): void {
  const source = new Source(file);
  const context = { path: "f", source, form, recovery: "place", expired: () => false } as const;
  const lines = failureMessage(refusal, context).split("\n");
  ok(lines.length < 40, `a message of ${lines.length} lines`);
  ok(/^(?:hunk \d\/\d failed: )?[a-z_]+[:;] /.test(lines[0] ?? ""), lines[0]);
  ok(lines.at(-1)?.startsWith("Next: "), lines.at(-1));
}

if (import.meta.main) {
  const { tried, landed, refused } = fuzzPatches(10_000);
  console.log(`${tried} patches: ${landed} landed, ${refused} refused, none threw`);
}
