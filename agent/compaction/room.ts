import type { KeepBudget } from "./cut.ts";

/** How a window is shared out when a conversation is compacted. */
export interface Room extends KeepBudget {
  /** Of what is given to the model to sum up, in tokens. */
  readonly transcript: number;
  readonly summaryWords: number;
  /** Of what we add to the summary ourselves, in tokens. */
  readonly facts: number;
}

/** Of the conversation or the window, whichever is smaller: kept as it is in any case. */
const TAIL_SHARE = 0.2;
/** The same for the last thing that the person said and all that followed. */
const LAST_TURN_SHARE = 0.5;
/** Where the person asks for a compaction, so much of it is kept whole in any case, in tokens. */
const LAST_TURN_TOKENS = 4_000;
/** Of the window: what the transcript may take, so that prompt and summary have room beside it. */
const TRANSCRIPT_SHARE = 0.7;
const WORDS = { share: 0.06, least: 60, most: 1_200 } as const;
const FACTS = { share: 0.1, least: 100, most: 3_000 } as const;

/**
 * Shares a window out for a conversation of `tokens`. Unasked, some of it is always older than what
 * is kept, since the window is full; what the person asked for may come to nothing.
 */
export function shareOut(window: number, tokens: number, asked: boolean): Room {
  const base = Math.min(window, tokens);
  const least = asked ? Math.min(LAST_TURN_TOKENS, window * LAST_TURN_SHARE) : 0;
  return {
    tail: Math.floor(base * TAIL_SHARE),
    lastTurn: Math.floor(Math.max(base * LAST_TURN_SHARE, least)),
    transcript: Math.floor(window * TRANSCRIPT_SHARE),
    summaryWords: between(window, WORDS),
    facts: between(window, FACTS),
  };
}

function between(
  window: number,
  { share, least, most }: { readonly share: number; readonly least: number; readonly most: number },
): number {
  return Math.floor(Math.min(most, Math.max(least, window * share)));
}
