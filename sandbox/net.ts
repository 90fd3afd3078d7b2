import type { EgressRefusal } from "./egress/rules.ts";

/**
 * The capability `net`: how a tool gets something from the network, under the rules of this
 * session. Every hop of a redirect is judged anew, the address that was checked is the one that is
 * connected to, and no cookie, credential or proxy of this machine plays a part.
 */
export interface Net {
  /**
   * Asks for one page or file. An answer of the server is an answer, whatever its status; `ok` is
   * false only where none was had.
   */
  fetch(url: string, request?: NetRequest): Promise<NetAnswer>;
}

/** How to ask; see the defaults for the bounds. */
export interface NetRequest {
  /** Default GET. */
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** For all of it, redirects included; default {@linkcode NET_LIMIT_MS}. */
  readonly timeoutMs?: number;
  /** Of the unpacked body; what is longer is cut. Default {@linkcode NET_MAX_BYTES}. */
  readonly maxBytes?: number;
  /** Default {@linkcode NET_MAX_REDIRECTS}. */
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
}

/** A page that takes longer is taken as not answering, in milliseconds. */
export const NET_LIMIT_MS = 30_000;
/** Large pages have some megabytes; in bytes. */
export const NET_MAX_BYTES = 8 * 1024 * 1024;
/** Browsers follow 20; more than a few are a loop or a tracker. */
export const NET_MAX_REDIRECTS = 10;

/** What came, or why nothing. */
export type NetAnswer =
  | {
    readonly ok: true;
    /** Where it was found, redirects followed. */
    readonly url: string;
    readonly status: number;
    /** Names in lower case; of repeated ones the values joined by ", ". */
    readonly headers: Readonly<Record<string, string>>;
    /** Unpacked. */
    readonly body: Uint8Array;
    /** The body was longer than `maxBytes`, and this is its beginning. */
    readonly truncated: boolean;
  }
  | {
    readonly ok: false;
    readonly reason: NetRefusal;
    /** One sentence without final period. */
    readonly message: string;
  };

/** Stable identifiers, besides those of the rules. */
export type NetRefusal =
  | EgressRefusal
  /** No URL, or neither http nor https. */
  | "bad_url"
  /** What came is no HTTP/1.1 answer, or packed in a way that is not known. */
  | "bad_answer"
  | "too_many_redirects"
  | "timeout";
