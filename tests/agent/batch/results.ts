import type { TaskResult } from "../../../agent/batch/result.ts";

/** A result as a run of one turn leaves it. */
export function result(id: string, more: Partial<TaskResult> = {}): TaskResult {
  return {
    ...{ id, index: 0, reason: "done", exit_code: 0, text: `of ${id}`, turns: 1 },
    usage: {
      input_tokens: 10,
      cached_input_tokens: 0,
      output_tokens: 5,
      reasoning_tokens: 0,
      cost_usd: 0.5,
    },
    ...{ duration_ms: 3, attempt: 1, task: `digest-${id}`, ended: "2026-12-01T10:00:00.000Z" },
    ...more,
  };
}

/** One that a later run of the batch does again. */
export const TRY_LATER = { reason: "model_error", exit_code: 75 } as const;
