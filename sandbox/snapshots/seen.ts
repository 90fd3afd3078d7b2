import type { FileState, FolderState, LeftOut, LinkState } from "./entry.ts";

/** By what a file is taken for unchanged without being read. Times are in milliseconds since 1970. */
export interface Stamp {
  readonly inode: number;
  readonly mtimeMs: number;
  /** Deno tells it in whole seconds. */
  readonly ctimeMs: number;
  /** False where it was looked at so soon after a change that another one could have the same time. */
  readonly settled: boolean;
}

interface Seen {
  /** Ignore rules hide it, or a folder above it. */
  readonly ignored: boolean;
}

export interface SeenFile extends FileState, Seen {
  readonly stamp: Stamp;
}

export interface SeenLink extends LinkState, Seen {
  readonly stamp: Stamp;
}

export interface SeenFolder extends FolderState, Seen {
  readonly stamp: Stamp;
  /** Names the ignore rules that held in it. */
  readonly rules: string;
  readonly entries: ReadonlyMap<string, SeenEntry>;
  /** Hash of its tree object. */
  readonly tree: string;
}

export interface SeenLeftOut extends LeftOut, Seen {
  readonly stamp: Stamp;
}

/** An entry as a scan saw it; the next scan takes from it what has not changed. */
export type SeenEntry = SeenFile | SeenLink | SeenFolder | SeenLeftOut;

/**
 * So long after a change another one may show the same times, in milliseconds: Deno tells the change
 * time in whole seconds, and FAT keeps every other one.
 */
const TICK_MS = 2_000;

/** The stamp of an entry that was looked at at `now`, before its content was read. */
export function stampOf(info: Deno.FileInfo, now: number): Stamp {
  const mtimeMs = info.mtime?.getTime() ?? 0;
  // The change time, which no program can set, follows each change of content or mode.
  const ctimeMs = info.ctime?.getTime() ?? 0;
  const changedMs = ctimeMs === 0 ? mtimeMs : ctimeMs;
  return { inode: info.ino ?? 0, mtimeMs, ctimeMs, settled: changedMs + TICK_MS <= now };
}

/** Whether an entry surely is what it was when it got this stamp; sizes are compared elsewhere. */
export function isUnchanged(stamp: Stamp, info: Deno.FileInfo): boolean {
  return stamp.settled && stamp.inode === (info.ino ?? 0) &&
    stamp.mtimeMs === (info.mtime?.getTime() ?? 0) &&
    stamp.ctimeMs === (info.ctime?.getTime() ?? 0);
}

/** Permission bits, set-id and sticky bits included. */
export function modeOf(info: Deno.FileInfo): number {
  return (info.mode ?? 0) & 0o7777;
}
