/** What an entry is; links are never followed. */
export type EntryKind = "file" | "link" | "fifo" | "socket" | "device";

/** An entry as a scan saw it. */
export interface Seen {
  /** Relative to the workspace, "/" between the names. */
  readonly path: string;
  readonly kind: EntryKind;
  /** Why it is obeyed unasked, as half a sentence; absent for what is only watched. */
  readonly reason?: string;
  readonly inode: number;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Permission bits with set-id bits, as 0o4755. */
  readonly mode: number;
}

/** What a scan found: files that are obeyed, programs with set-id bits, FIFOs, sockets, devices. */
export interface Scan {
  readonly seen: ReadonlyMap<string, Seen>;
  /** Paths of files whose names say that they hold secrets (`secret_values.ts`). */
  readonly secretFiles: readonly string[];
  /** Folders that could not be looked into: forbidden, of a path too long, of a name that is no text. */
  readonly unreadable: readonly string[];
  /** The scan ended early, at its limit of entries. */
  readonly stopped: boolean;
}

/** The set-user-id and set-group-id bits. */
export const SET_IDS = 0o6000;

/** Whether a file is as it was, by all that a look without reading can tell. */
export function isSame(left: Seen, right: Seen): boolean {
  return left.kind === right.kind && left.inode === right.inode && left.size === right.size &&
    left.mtimeMs === right.mtimeMs && left.mode === right.mode;
}
