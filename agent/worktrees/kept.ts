import { basename, join } from "node:path";
import type { Environment } from "../../sandbox/commands/environment.ts";
import { removeTree } from "../../sandbox/files/remove_tree.ts";
import { isMissing } from "../../sandbox/files/system_errors.ts";
import { isLogOpen } from "../session/log_file.ts";
import { openGit } from "./git.ts";
import {
  allWorktrees,
  hasCheckout,
  isThere,
  type Nest,
  nestAt,
  nestsIn,
  readRecord,
  takeNest,
  type WorktreeRecord,
  worktreesFolder,
} from "./record.ts";
import type { Worktree } from "./worktree.ts";
import { createWorktrees } from "./worktrees.ts";

/**
 * How a worktree stands: nobody has it; somebody works in it; its session runs and may still tell of
 * it; its folder is gone; its making was cut off, or its record is damaged.
 */
export type Standing = "kept" | "in use" | "session runs" | "folder gone" | "no record";

/** A worktree that is there, whoever made it. */
export interface KeptWorktree {
  /** Unlike all others of its workspace. */
  readonly id: string;
  /** Of the copy, or of what is there instead; absolute. */
  readonly path: string;
  readonly standing: Standing;
  /** Undefined where there is none that can be read. */
  readonly record: WorktreeRecord | undefined;
}

/** Where worktrees lie, and what git is run with. */
export interface KeptPlace {
  readonly state: string;
  /** Of the host, for git. */
  readonly environment: Environment;
}

/** The worktrees of a workspace, or of all of them, in the order of their folders. Opens none. */
export async function keptWorktrees(
  state: string,
  workspace: string | undefined,
): Promise<KeptWorktree[]> {
  const folders = workspace === undefined
    ? foldersIn(allWorktrees(state))
    : [worktreesFolder(state, workspace)];
  const nests = folders.flatMap((folder) => nestsIn(folder, workspace ?? ""));
  const all: KeptWorktree[] = [];
  // One after the other: whoever asks whether a log is open has it open for a moment.
  for (const nest of nests) all.push(await kept(nest, state));
  return all;
}

async function kept(found: Nest, state: string): Promise<KeptWorktree> {
  const id = basename(found.folder);
  const record = readRecord(found);
  if (!record) return { id, path: found.folder, standing: "no record", record };
  const nest = nestAt(found.folder, record.workspace);
  return { id, path: nest.checkout, standing: await standingOf(nest, record, state), record };
}

async function standingOf(
  nest: Nest,
  { session }: WorktreeRecord,
  state: string,
): Promise<Standing> {
  using lock = takeNest(nest);
  if (!lock) return "in use";
  if (await isLogOpen(join(state, "sessions", `${session}.jsonl`))) return "session runs";
  return hasCheckout(nest) ? "kept" : "folder gone";
}

function foldersIn(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].filter(({ isDirectory }) => isDirectory)
      .map(({ name }) => join(path, name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** A worktree that was opened again, with all that it took. */
export interface ReopenedWorktree extends Disposable {
  readonly worktree: Worktree;
}

/**
 * Opens one of them as its own session would, which so keeps what the worktree began with.
 * @throws {WorktreeError} where it is gone, or somebody has it.
 */
export async function reopenKept(
  { name, workspace, session }: WorktreeRecord,
  { state, environment }: KeptPlace,
): Promise<ReopenedWorktree> {
  using held = new DisposableStack();
  const worktrees = held.use(createWorktrees({ workspace, state, session, environment }));
  const worktree = held.use(await worktrees.reopen(name));
  const all = held.move();
  return { worktree, [Symbol.dispose]: () => all.dispose() };
}

/**
 * Removes what has no record that could be read, with all that is in it; false where somebody is just
 * making it.
 */
export async function removeUnrecorded(path: string): Promise<boolean> {
  using lock = takeNest(nestAt(path, ""));
  if (!lock) return false;
  await removeTree(path);
  return true;
}

/** Branches of worktrees that were let go, which keep their commits; none where git does not answer. */
export async function keptBranches(
  workspace: string,
  worktrees: readonly KeptWorktree[],
  { state, environment }: KeptPlace,
): Promise<string[]> {
  // Without worktrees there never was a branch of one.
  const locks = allWorktrees(state);
  if (!isThere(locks)) return [];
  const git = await openGit(workspace, { environment, locks });
  if (!git) return [];
  const { out } = await git.run([
    "for-each-ref",
    "--format=%(refname:short)",
    "refs/heads/cordon/",
  ]);
  const open = new Set(worktrees.map(({ record }) => record?.git?.branch));
  return out.split("\n").filter((branch) => branch !== "" && !open.has(branch));
}
