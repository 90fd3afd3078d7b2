/** The first wait before a task is tried again, in milliseconds; it doubles each time. */
const FIRST_WAIT_MS = 10_000;

/** No wait of ours is longer, in milliseconds: who waits longer had better start the batch again. */
const MAX_WAIT_MS = 5 * 60_000;

/** The longest wait that a server may ask for, in milliseconds: an hour. */
const MAX_ASKED_MS = 60 * 60_000;

/**
 * How long to wait before a task that could not be done now is tried again, in milliseconds: what
 * the model's server asks for, else more each time. Pure; `random` is in [0, 1).
 */
export function retryWait(
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_ASKED_MS);
  const bound = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
  // Half of it by chance, so that tasks that were refused together do not come back together.
  return Math.round(bound / 2 + random * bound / 2);
}
