/** Why an edit was refused; stable identifiers, which the tools pass on. */
export type Reason =
  | "not_found"
  | "ambiguous"
  | "no_change"
  | "empty_old"
  | "placeholder"
  | "malformed"
  | "overlap"
  | "stale_anchor"
  | "guard_failed"
  | "duplicate_anchor"
  | "unverified"
  | "exists"
  | "not_a_file";

/** A refused edit: nothing has changed, and the facts a message needs. */
export interface Refusal {
  readonly ok: false;
  readonly reason: Reason;
  /** One clause for the reader, without final period; the reason itself says the rest when empty. */
  readonly detail: string;
  /** First lines of the places found, from 1, at most {@linkcode MAX_PLACES}. */
  readonly places?: readonly number[];
  /** How many places there are. */
  readonly count?: number;
  /** The text that was looked for, in case it is not the caller's own (one hunk of a patch). */
  readonly old?: string;
  readonly fresh?: string;
  /** The anchor of a codex hunk that is not there or not unique. */
  readonly anchor?: string;
  /** Which hunk failed, from 1, and how many there are; only when there are several. */
  readonly hunk?: HunkPosition;
  /** The file concerned, where an edit names its files itself. */
  readonly path?: string;
}

/** Where in a patch the failing hunk stands. */
export interface HunkPosition {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /** How many of the other hunks would have gone. */
  readonly fitting: number;
}

/** How many places of an ambiguous text are named. */
export const MAX_PLACES = 10;

/** Builds a refusal. */
export function refuse(
  reason: Reason,
  detail: string,
  facts: Partial<Omit<Refusal, "ok" | "reason" | "detail">> = {},
): Refusal {
  return { ok: false, reason, detail, ...facts };
}

/** Tells a refusal from what would have come instead. */
export function isRefusal(answer: object): answer is Refusal {
  return "ok" in answer && answer.ok === false;
}
