import type { Action } from "../../sandbox/snapshots/restore.ts";

/** A copy of a workspace, uncommitted and untracked work included, in which somebody else works. */
export interface Worktree extends Disposable {
  /** As it was asked for, made fit for a path and a branch, and unlike all others. */
  readonly name: string;
  /** The workspace of whoever works in it; absolute, links resolved. */
  readonly path: string;
  /** Where the workspace is a git checkout: the branch on which work goes on. */
  readonly branch?: string;
  /** What of the workspace it does not have, each with its reason; none after a crash. */
  readonly leftOut: readonly LeftBehind[];
  /**
   * What was done in it since it was opened. To be asked when nobody works in it.
   * @throws {WorktreeError} where its folder is gone, or what it began with is no longer kept.
   */
  changes(signal?: AbortSignal): Promise<Patch>;
  /**
   * Brings a patch into the workspace as it is now: exactly what {@linkcode changes} showed, in three
   * ways, all of it or none. What was landed before, or is there already, is no conflict.
   */
  mergeBack(patch: Patch, signal?: AbortSignal): Promise<MergeOutcome>;
  /**
   * Lets it go. It is removed only if nothing in it is worth anything: every change landed, and
   * commits are kept by their branch. Else it stays, and this says where.
   */
  close(): Promise<Closed>;
  /** Lets it go with all that was done in it; commits are kept by their branch all the same. */
  discard(): Promise<Closed>;
  /** Leaves it as it is, for somebody else; nothing where it was let go before. */
  [Symbol.dispose](): void;
}

/** A path with a reason. */
export interface LeftBehind {
  /** From the workspace. */
  readonly path: string;
  readonly why: string;
}

/** What was done in a worktree. */
export interface Patch {
  /** Names the state of the worktree that this is about. */
  readonly tree: string;
  readonly files: readonly PatchedFile[];
  /** For people: a unified diff, other changes in words; cut at {@linkcode MAX_PATCH_CHARS}. */
  readonly text: string;
  /** Commits that are nowhere else, the newest first: short hash and first line. */
  readonly commits: readonly string[];
  /** Changes that do not land: what ignore rules hide, and what no snapshot holds. */
  readonly aside: readonly LeftBehind[];
}

/** A path that a patch is about. */
export interface PatchedFile {
  /** From the workspace. */
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
  /** What it was and is to become. */
  readonly from: Action["from"];
  readonly to: Action["to"];
}

/** A longer diff is cut, in UTF-16 units; the names of all files are in `files`. */
export const MAX_PATCH_CHARS = 256 * 1024;

/** What came of a merge. */
export type MergeOutcome =
  /** All of it is in the workspace; `changed` are the paths that had to be touched for it. */
  | { readonly ok: true; readonly changed: readonly string[] }
  /** Nothing was touched, since both sides changed these. */
  | { readonly ok: false; readonly reason: "conflicts"; readonly conflicts: readonly LeftBehind[] }
  /** The workspace changed, or the disk refused, while it was brought in; what could land did. */
  | {
    readonly ok: false;
    readonly reason: "partial";
    readonly changed: readonly string[];
    readonly conflicts: readonly LeftBehind[];
  };

/** What is left of a worktree that was let go. */
export interface Closed {
  /** The folder, where it stays. */
  readonly path?: string;
  /** The branch, or branches, that keep commits, where there are any. */
  readonly branch?: string;
  /** Why the folder stays. */
  readonly why?: string;
}

/** No worktree can be had; the message is one sentence for people. */
export class WorktreeError extends Error {
  override readonly name = "WorktreeError";
}
