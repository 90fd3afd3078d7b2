import { AttemptFailure, type Failure, isRetriable, wordsOf } from "./failure.ts";
import type { ModelEvent } from "./model.ts";

/** Retries after the first attempt, whatever the reasons. */
export const MAX_RETRIES = 4;
/** Bound of the first wait; it doubles with each retry, so that all four stay within 15 s. */
const FIRST_DELAY_MS = 1_000;
/** The longest wait that a server may ask for; a longer one ends the run as "try later". */
const MAX_RETRY_AFTER_MS = 60_000;
/** How long a server that never answers is tried, all attempts together. */
export const UNREACHABLE_LIMIT_MS = 20_000;

/** What is known when an attempt has failed. */
export interface RetryState {
  /** Retries made so far. */
  readonly retries: number;
  /** How long the last attempt took, in milliseconds. */
  readonly attemptMs: number;
  /** Since the first of the attempts that found no server, in milliseconds. */
  readonly unreachableMs: number;
  /** In [0, 1). */
  readonly random: number;
}

/** The wait before the next attempt in milliseconds; undefined where there is none. Pure. */
export function retryDelay(failure: Failure, state: RetryState): number | undefined {
  if (!isRetriable(failure) || state.retries >= MAX_RETRIES) return undefined;
  const asked = failure.kind === "refused" ? failure.retryAfterMs : undefined;
  if (asked !== undefined && asked > MAX_RETRY_AFTER_MS) return undefined;
  // Full jitter, as "Exponential Backoff And Jitter" (AWS, 2015) measured it.
  const delay = asked || Math.floor(state.random * FIRST_DELAY_MS * 2 ** state.retries);
  if (failure.kind !== "unreachable") return delay;
  // The next attempt is taken to last as long as this one did.
  const endMs = state.unreachableMs + delay + state.attemptMs;
  return endMs > UNREACHABLE_LIMIT_MS ? undefined : delay;
}

/** What time and chance are, so that tests need no waiting. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now`. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  /** Resolves after `ms`, or early where `signal` is raised. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Runs attempts until one ends by itself. Each further attempt is announced by a `retry` event,
 * which voids the deltas before it.
 * @throws {AttemptFailure} the last failure, where no further attempt is due.
 */
export async function* withRetries(
  attempt: () => AsyncIterable<ModelEvent>,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let unreachableSince: number | undefined;
  for (let retries = 0;; retries++) {
    const started = clock.now();
    try {
      yield* attempt();
      return;
    } catch (error) {
      if (!(error instanceof AttemptFailure)) throw error;
      const { failure } = error;
      const now = clock.now();
      unreachableSince = failure.kind === "unreachable" ? unreachableSince ?? started : undefined;
      const delayMs = retryDelay(failure, {
        retries,
        attemptMs: now - started,
        unreachableMs: now - (unreachableSince ?? now),
        random: clock.random(),
      });
      if (delayMs === undefined) throw error;
      yield { type: "retry", attempt: retries + 1, delayMs, reason: wordsOf(failure) };
      await clock.sleep(delayMs, signal);
      signal.throwIfAborted();
    }
  }
}
