/** One thing that was looked at, and what was found. */
export interface Check {
  /** `warn`: it works with less; `fail`: runs will not. */
  readonly status: "ok" | "warn" | "fail";
  readonly what: string;
  readonly fact: string;
  /** What a person can do; with all that is not ok. */
  readonly fix?: string;
}

/** A check that found nothing wrong. */
export function ok(what: string, fact: string): Check {
  return { status: "ok", what, fact };
}

/** A check of what works with less; `fix` begins with a verb. */
export function warn(what: string, fact: string, fix: string): Check {
  return { status: "warn", what, fact, fix };
}

/** A check of what keeps runs from working; `fix` begins with a verb. */
export function fail(what: string, fact: string, fix: string): Check {
  return { status: "fail", what, fact, fix };
}
