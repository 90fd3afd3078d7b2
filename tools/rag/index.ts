import type { FileStamp } from "../../sandbox/files/files.ts";
import type { TextKind } from "./structure.ts";

/**
 * The capability `index`: what can be searched of one workspace, kept in the state folder where no
 * command sees it. It holds words and where they stand, and no text of any file; what it knows of
 * files it is told by a tool, which reads them by its own capability.
 */
export interface Index {
  /** The workspace as tools see it, absolute; paths are relative to it. */
  readonly root: string;
  /**
   * Lets `work` change the index while nobody else does. Calls of this process wait for each other;
   * `busy`: another process is at it, and nothing was done.
   * @throws {Error} where the index cannot be kept: disk full, not writable, of a newer version.
   */
  update(work: (writer: IndexWriter) => Promise<void>): Promise<"updated" | "busy">;
  /** Takes in what was said in earlier sessions of this workspace. */
  followSessions(signal: AbortSignal): Promise<void>;
  search(query: IndexQuery, signal: AbortSignal): Promise<IndexAnswer>;
  status(): Promise<IndexStatus>;
  /** Forgets everything, so that the next update reads all files again; `busy` as for `update`. */
  clear(): Promise<"updated" | "busy">;
}

/** Changes an index. */
export interface IndexWriter {
  /** What is indexed, by path. */
  known(): ReadonlyMap<string, FileStamp>;
  /** Takes files in, or anew, all of them or none. */
  put(files: readonly FileToIndex[], signal: AbortSignal): Promise<void>;
  drop(paths: readonly string[]): void;
  /** The index is as the tree was when it was surveyed. */
  finish(): void;
}

/** Why a file cannot be searched. */
export type SkipReason = "binary" | "too_large" | "unreadable" | "holds_a_key";

/** A file as it was read. */
export interface FileToIndex {
  readonly stamp: FileStamp;
  /** Its text, or why it has none. */
  readonly content: { readonly text: string } | { readonly skipped: SkipReason };
}

/** What to look for. */
export interface IndexQuery {
  /** Words, and phrases in quotes; anything else separates them. */
  readonly text: string;
  readonly limit: number;
  /** Glob over paths, without "/" over names; or a folder. */
  readonly include?: string;
  readonly kind?: TextKind;
  /** Also what was said in earlier sessions. */
  readonly sessions: boolean;
}

/** What was found, the best first; `reset`: the index was damaged and is empty now. */
export type IndexAnswer =
  | { readonly ok: true; readonly hits: readonly IndexHit[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly reason: "reset" };

/** A place that answers a query. */
export type IndexHit =
  & { readonly score: number; readonly title: string }
  & (
    | {
      readonly source: "file";
      /** As it was when it was indexed. */
      readonly stamp: FileStamp;
      readonly first: number;
      readonly last: number;
    }
    | {
      readonly source: "session";
      readonly session: string;
      /** ISO 8601. */
      readonly time: string;
      readonly text: string;
    }
  );

/** What an index holds. */
export interface IndexStatus {
  readonly files: number;
  readonly chunks: number;
  readonly sessions: number;
  /** Chunks with a vector; absent where no embeddings are configured. */
  readonly embedded?: number;
  /** Of the index on the disk, in bytes. */
  readonly bytes: number;
  /** ISO 8601; absent where it was never whole. */
  readonly updated?: string;
  /** Files that cannot be searched, counted by reason, with some of them. */
  readonly skipped: readonly {
    readonly reason: SkipReason;
    readonly count: number;
    readonly examples: readonly string[];
  }[];
}
