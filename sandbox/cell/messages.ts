/** What warden and cell say to each other; plain JSON, with bytes in the body of a message. */
import type { FileVersion, ReadManyQuery, SearchQuery, WalkQuery } from "../files/files.ts";
import type { Roots } from "../files/guard.ts";

/** Raised with every change that an older side would misunderstand. */
export const PROTOCOL_VERSION = 3;

/** The first message of each side, the warden's before the cell's. */
export interface Hello {
  readonly type: "hello";
  readonly version: number;
}

/** The warden's hello: with it the cell knows what it serves. */
export interface Setup extends Hello, CellSetup {}

/** What a cell serves. */
export interface CellSetup {
  readonly roots: Roots;
  readonly home?: string;
  /** Whether the view shows an `rg` that searches may use. */
  readonly ripgrep?: boolean;
}

/** A request; `id` comes back in its answer. */
export interface Request {
  readonly type: "request";
  readonly id: number;
  /** The shell's working folder at this moment, absolute. */
  readonly cwd: string;
  readonly call: Call;
}

/** An operation of the capability `files`, or of the sweeper of the workspace. */
export type Call =
  | { readonly method: "stat"; readonly path: string }
  | { readonly method: "read"; readonly path: string; readonly maxBytes: number }
  | { readonly method: "list"; readonly path: string }
  | { readonly method: "walk"; readonly query: WalkQuery }
  | { readonly method: "search"; readonly query: SearchQuery }
  /** The stamps are the body, see `bulk.ts`. */
  | { readonly method: "survey"; readonly path: string }
  /** The contents are the body, one after the other. */
  | { readonly method: "read_many"; readonly query: ReadManyQuery }
  /** The body is the content. */
  | { readonly method: "create"; readonly path: string; readonly mode?: number }
  /** The body is the new bytes of all splices, one after the other. */
  | {
    readonly method: "replace";
    readonly path: string;
    readonly expected: FileVersion;
    readonly splices: readonly Cut[];
  }
  | { readonly method: "remove"; readonly path: string; readonly expected: FileVersion }
  | { readonly method: "sweep_before" }
  /** The contents of what was found are the body. */
  | { readonly method: "sweep_after"; readonly look: number }
  | { readonly method: "sweep_undo"; readonly look: number }
  | { readonly method: "sweep_secrets" };

export type Method = Call["method"];

/** A splice whose `length` new bytes are in the body. */
export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

/** The answer to a request is of no interest any more. */
export interface Cancel {
  readonly type: "cancel";
  readonly id: number;
}

export type ToCell = Setup | Request | Cancel;

/** What an operation brought, refusals included; of a file's content the bytes are the body. */
export interface AnswerMessage {
  readonly type: "answer";
  readonly id: number;
  readonly value: unknown;
}

/** An operation threw. */
export interface FailureMessage {
  readonly type: "failure";
  readonly id: number;
  readonly failure: Failure;
}

/** An error as data. */
export interface Failure {
  /** Of its class, as "PermissionDenied". */
  readonly name: string;
  readonly message: string;
  /** The system's short name, as "ENOSPC". */
  readonly code?: string;
}

export type FromCell = Hello | AnswerMessage | FailureMessage;

/** Whether an operation changes nothing, so that it may be done twice. */
export function isReadOnly({ method }: Call): boolean {
  switch (method) {
    case "stat":
    case "read":
    case "list":
    case "walk":
    case "search":
    case "survey":
    case "read_many":
    case "sweep_before":
    case "sweep_secrets":
      return true;
    case "create":
    case "replace":
    case "remove":
    // Another cell knows nothing of the look that it is about.
    case "sweep_after":
    case "sweep_undo":
      return false;
  }
}
