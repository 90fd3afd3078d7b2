import type { CompactionOutcome } from "../compaction/keeper.ts";
import type { CompactionEnded, Observe } from "./observation.ts";

/** Makes a compaction, and tells that it began and how it ended; one that was stopped, too. */
export async function observedCompaction(
  asked: boolean,
  observe: Observe | undefined,
  compact: () => Promise<CompactionOutcome>,
): Promise<CompactionOutcome> {
  if (!observe) return await compact();
  observe({ type: "compaction_started", asked });
  let outcome: CompactionOutcome = { ok: false, reason: "it was stopped" };
  try {
    return outcome = await compact();
  } finally {
    observe(endOf(outcome));
  }
}

function endOf(outcome: CompactionOutcome): CompactionEnded {
  const type = "compaction_ended";
  if (!outcome.ok) return { type, ...outcome };
  const { beforeTokens: before_tokens, afterTokens: after_tokens } = outcome;
  return { type, ok: true, before_tokens, after_tokens };
}
