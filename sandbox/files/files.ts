import type { Answer, Refusal } from "./answer.ts";

/**
 * The capability `files`: the one way in which tools see and change files. It has two
 * implementations, in-process behind a guard (`guarded_files.ts`) and in the kernel view, and so
 * every value that crosses it is plain data.
 *
 * Paths are absolute or relative to the shell's working folder; they are resolved, links included,
 * and what lies outside the roots is refused with reason `denied`. Errors of the system other than
 * "not there" (permission, disk full) are thrown.
 */
export interface ReadFiles {
  stat(path: string): Promise<Answer<{ facts: FileFacts }>>;
  /** Reads a whole regular file of at most `maxBytes` (default {@linkcode MAX_FILE_BYTES}). */
  read(path: string, options?: { maxBytes?: number }): Promise<Answer<FileContent>>;
  /** The entries of one folder, by name; ignore files play no part. */
  list(path: string): Promise<Answer<{ path: string; entries: FileEntry[] }>>;
  /** The files below a folder whose path matches, ignore files respected, sorted by path. */
  walk(query: WalkQuery): Promise<Answer<{ paths: string[]; total: number } & Extent>>;
  /**
   * The lines that match in one file or in the files below a folder, ignore files respected, sorted
   * by path; files that hold a NUL byte are left out.
   */
  search(
    query: SearchQuery,
  ): Promise<Answer<{ hits: SearchHit[]; total: number } & Extent, SearchReason>>;
  /** All files below a folder as `walk` finds them, each with what tells whether it changed. */
  survey(path: string): Promise<Answer<{ files: FileStamp[] } & Extent>>;
  /**
   * Reads many files below a folder at once, in the order of `paths`; when `maxBytes` are full the
   * rest is left out, but never the first.
   */
  readMany(query: ReadManyQuery): Promise<Answer<{ items: ReadItem[] }>>;
}

/** `files` with the right to change them. */
export interface WriteFiles extends ReadFiles {
  /**
   * Makes a new file and its missing parent folders; refuses with `exists` where one is. Its
   * permission bits are `mode`, else those that the system gives new files.
   */
  create(
    path: string,
    bytes: Uint8Array,
    options?: { mode?: number },
  ): Promise<Answer<{ facts: FileFacts }>>;
  /**
   * Replaces byte ranges of a file that still is as it was read, atomically: readers see the old
   * bytes or the new ones, links and mode survive. Refuses with `stale`, and the new content,
   * where it changed meanwhile.
   */
  replace(
    path: string,
    expected: FileVersion,
    splices: readonly Splice[],
  ): Promise<Answer<{ facts: FileFacts }> | StaleRefusal>;
  /** Removes a file that still is as it was read; of a link the link itself. */
  remove(path: string, expected: FileVersion): Promise<Answer<{ path: string }> | StaleRefusal>;
}

/** A line of a search's answer is cut to so many UTF-16 units, besides the marks of the cut. */
export const MAX_HIT_CHARS = 500;

/** The default limit of {@linkcode ReadFiles.read}, in bytes (edit.md: above 64 MB no edit). */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

export type FileKind = "file" | "folder" | "link" | "other";

export interface FileFacts {
  /** How to show it: relative to the working folder where it lies below it, else absolute. */
  readonly path: string;
  /** Where it really is, links resolved. */
  readonly real: string;
  readonly kind: FileKind;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Permission bits, as 0o644. */
  readonly mode: number;
}

/** What a file was when it was read; {@linkcode WriteFiles.replace} compares against it. */
export interface FileVersion {
  readonly size: number;
  /** SHA-256 of the content, in hex. */
  readonly hash: string;
}

export interface FileContent {
  readonly facts: FileFacts;
  readonly version: FileVersion;
  readonly bytes: Uint8Array;
}

/** The refusal of a write, with the content that was found instead. */
export interface StaleRefusal extends Refusal<"stale"> {
  readonly current: FileContent;
}

/** Bytes to put in place of the range from `start` to before `end`, offsets in the file as read. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

export interface FileEntry {
  readonly name: string;
  readonly kind: FileKind;
  /** In bytes; of a folder or link 0. */
  readonly size: number;
}

/** A file as a survey sees it: while these stay the same, so does its content. */
export interface FileStamp {
  /** Relative to the folder that was surveyed. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly mtimeMs: number;
  readonly inode: number;
}

export interface ReadManyQuery {
  readonly folder: string;
  /** Below the folder, as a survey of it names them. */
  readonly paths: readonly string[];
  /** Of all contents together; at most {@linkcode MAX_FILE_BYTES}. */
  readonly maxBytes: number;
  /** Larger files are not read. */
  readonly maxFileBytes: number;
}

/** A file of {@linkcode ReadFiles.readMany}: its content, and its stamp just before; or why not. */
export type ReadItem =
  | FileStamp & { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly path: string; readonly problem: "denied" | "not_a_file" | "too_large" };

export interface WalkQuery {
  readonly path: string;
  /** Glob over the path below `path`; `**` crosses folders. Default: every file. */
  readonly pattern?: string;
  /** Also what ignore files and the leading dot hide. `.git` stays hidden. */
  readonly hidden?: boolean;
  /** How many paths to answer at the most; `total` counts on. */
  readonly limit: number;
}

/** How much of a tree was looked at. */
export interface Extent {
  /** The walk ended early, at its limit of entries: there may be more. */
  readonly stopped: boolean;
  /** Folders that could not be read and were left out. */
  readonly unreadable: number;
}

export interface SearchQuery {
  /** A folder or one file. */
  readonly path: string;
  /** A regular expression, in the common part of Rust's and JavaScript's syntax. */
  readonly pattern: string;
  readonly ignoreCase?: boolean;
  /** Also in what ignore files and the leading dot hide. `.git` stays hidden. */
  readonly hidden?: boolean;
  /** Only files that match this glob: over the path below `path`, without "/" over the name. */
  readonly include?: string;
  /** Lines to show before and after a hit. */
  readonly context?: number;
  /** How many hits to answer at the most; `total` counts on. */
  readonly limit: number;
}

export type SearchReason = "denied" | "not_a_file" | "too_large" | "bad_pattern";

export interface SearchHit {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line; of one longer than {@linkcode MAX_HIT_CHARS} a part around the match. */
  readonly text: string;
  /** Whether this is the match itself, or a line of its context. */
  readonly kind: "match" | "context";
}
