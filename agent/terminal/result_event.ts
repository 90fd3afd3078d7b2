import type { ResultEvent, UsageTotals } from "../events.ts";
import type { TaskEnd } from "../loop/loop.ts";

/** What was used before anything was asked. */
export const NO_USAGE = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
};

/**
 * The last event of a turn that began at `beganMs` of the process; where it is left out, the process
 * does nothing but this turn.
 */
export function resultEvent(end: TaskEnd, usage: UsageTotals, beganMs = 0): ResultEvent {
  return {
    type: "result",
    reason: end.reason,
    exit_code: end.exitCode,
    text: end.text,
    turns: end.turns,
    usage,
    duration_ms: Math.round(performance.now() - beganMs),
  };
}
