/** Why a file could not be read or changed; stable identifiers that models, logs and tests see. */
export type RefusalReason =
  /** The path leads outside what this process may touch. */
  | "denied"
  /** Not there, or a folder, FIFO, socket or device. */
  | "not_a_file"
  /** Not there, or no folder. */
  | "not_a_folder"
  /** Something is already there. */
  | "exists"
  /** The file is not as it was read. */
  | "stale"
  /** Past the size that this operation handles. */
  | "too_large";

/** A "no" that is an answer and not an error: nothing was changed. */
export interface Refusal<R extends string = RefusalReason> {
  readonly ok: false;
  readonly reason: R;
  /** The path as it was given. */
  readonly path: string;
  /** One sentence without final period: what is so, why, and what to do. */
  readonly message: string;
}

/** What an operation brought, or why it was refused. */
export type Answer<T, R extends string = RefusalReason> = (T & { readonly ok: true }) | Refusal<R>;
