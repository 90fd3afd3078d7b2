/** What went wrong with a session log. */
export type SessionLogErrorKind =
  /** The log could not be written (disk full, read-only); nothing is appended after that. */
  | "write"
  /** Another process has the session open. */
  | "locked"
  /** There is no such session. */
  | "missing"
  /** The file cannot be opened, is no log of ours, is damaged, or is of a newer format. */
  | "unreadable";

/** A session log could not be opened, read or written; the message is one sentence for people. */
export class SessionLogError extends Error {
  override readonly name = "SessionLogError";

  constructor(
    readonly kind: SessionLogErrorKind,
    /** The log, or the file beside it. */
    readonly file: string,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

/** Words for the cause of a failed write or read, without final period. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
