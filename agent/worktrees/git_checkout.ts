import { join, resolve } from "node:path";
import { isMissing } from "../../sandbox/files/system_errors.ts";
import { removeTree } from "../../sandbox/files/remove_tree.ts";
import { type Git, GitError } from "./git.ts";

/** A checkout of git's own, on a branch of ours. */
export interface GitCheckout {
  /** As `cordon/NAME`. */
  readonly branch: string;
  /** The commit that it began with: the work of the parent, committed or not. */
  readonly start: string;
}

/** A new checkout. */
export interface AddedCheckout extends GitCheckout {
  /** The repository's own folder; absolute, links resolved. */
  readonly store: string;
}

/** Where a checkout is to be, and what it is made from. */
export interface CheckoutOptions {
  /** Of the workspace. */
  readonly git: Git;
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** The folder to be made. */
  readonly path: string;
  /** Fit for a branch. */
  readonly name: string;
  /** A file in a folder of ours, for an index that nobody else sees. */
  readonly index: string;
}

/** How many names are tried for a branch. */
const MAX_TRIES = 1_000;

/**
 * Makes a linked worktree without files in it. Its branch begins with a commit of all that the
 * workspace holds, so that what is done there shows by itself; its index is made from a copy of the
 * workspace's, which is only read. No hook runs and no stash is touched.
 * @throws {GitError}
 */
export async function addCheckout(options: CheckoutOptions): Promise<AddedCheckout> {
  const { git, path, name, index } = options;
  await copyIndex(options);
  const start = await commitWork(options);
  const branch = await makeBranch(git, name, start);
  try {
    await git.alone(() => addWorktree(git, path, branch));
    const own = await git.in(path).need(["rev-parse", "--absolute-git-dir"]);
    await moveIfThere(index, join(own, "index"));
    return { branch, start, store: await Deno.realPath(await git.store()) };
  } catch (error) {
    await removeCheckout(git, path, { branch, start }, false);
    throw error;
  }
}

/** A person's own git may be in the way just then, so a failure is no answer yet. */
async function addWorktree(git: Git, path: string, branch: string): Promise<void> {
  const add = ["worktree", "add", "--no-checkout", path, branch];
  if (!(await git.run(add)).ok) await git.need(add);
}

/** The index is copied with what git keeps beside it: a split one is in two files. */
async function copyIndex({ git, workspace, index }: CheckoutOptions): Promise<void> {
  const own = resolve(workspace, await git.need(["rev-parse", "--git-path", "index"]));
  try {
    await Deno.copyFile(own, index);
  } catch (error) {
    // A new repository has none.
    if (!isMissing(error)) throw error;
  }
}

/** How long git may take to read all that is new in a workspace, in milliseconds. */
const ADD_LIMIT_MS = 600_000;

/** Commits what the workspace holds, on top of what is committed there; nothing points at it yet. */
async function commitWork({ git, index }: CheckoutOptions): Promise<string> {
  // What cannot be added, as a file that may not be read, is left out, and the rest is added.
  const add = ["add", "-A", "--sparse", "--ignore-errors"];
  const inside = await repositoriesInside(git, index);
  const paths = [".", ...inside.map((path) => `:(exclude,literal)${path}`)];
  await git.run([...add, "--pathspec-from-file=-", "--pathspec-file-nul"], {
    ...{ index, input: paths.join("\0"), limitMs: ADD_LIMIT_MS },
  });
  const tree = await git.need(["write-tree"], { index });
  const committed = await git.run(["rev-parse", "HEAD^{commit}", "HEAD^{tree}"]);
  if (!committed.ok) return await git.need(["commit-tree", tree, "-m", MESSAGE]);
  const [head = "", before] = committed.out.split("\n");
  if (tree === before) return head;
  return await git.need(["commit-tree", tree, "-p", head, "-m", MESSAGE]);
}

/**
 * Submodules and other repositories that the index knows, which stay as it has them: git would look
 * into each by its own settings, which any command may have written, and run the filters named there.
 */
async function repositoriesInside(git: Git, index: string): Promise<string[]> {
  const out = await git.need(["ls-files", "-z", "--stage"], { index });
  return out.split("\0").filter((line) => line.startsWith("160000 "))
    .map((line) => line.slice(line.indexOf("\t") + 1));
}

const MESSAGE = "What was in the working tree and not committed yet";

/** Makes a branch that was not there, by the name or one like it; others may do the same. */
export async function makeBranch(git: Git, name: string, commit: string): Promise<string> {
  // A branch "cordon" would leave no room for branches below it.
  const prefix = await isRef(git, "refs/heads/cordon") ? "cordon-" : "cordon/";
  for (let number = 1;; number++) {
    const branch = number === 1 ? `${prefix}${name}` : `${prefix}${name}-${number}`;
    // The empty old value: only where there is none.
    const made = await git.run(["update-ref", `refs/heads/${branch}`, commit, ""]);
    if (made.ok) return branch;
    if (number >= MAX_TRIES || !await isRef(git, `refs/heads/${branch}`)) {
      throw new GitError(`Cannot make a branch "${branch}": ${made.why}`);
    }
  }
}

async function isRef(git: Git, ref: string): Promise<boolean> {
  return (await git.run(["show-ref", "--verify", "--quiet", ref])).ok;
}

/** Paths that ignore rules hide and that git knows all the same: changes to them are work. */
export async function trackedThoughIgnored(git: Git, path: string): Promise<ReadonlySet<string>> {
  const { out } = await git.in(path).run(["ls-files", "-z", "-c", "-i", "--exclude-standard"]);
  return new Set(out.split("\0").filter((name) => name !== ""));
}

/**
 * Removes a checkout with all that is in it; its branch goes, too, unless it is wanted. To be called
 * once nothing in it is worth anything.
 * @throws {GitError}
 */
export async function removeCheckout(
  git: Git,
  path: string,
  { branch }: GitCheckout,
  keepsBranch: boolean,
): Promise<void> {
  await git.alone(async () => {
    // Twice: a checkout that somebody locked is removed as well.
    const removed = await git.run(["worktree", "remove", "--force", "--force", path]);
    if (removed.ok) return;
    await removeFolder(path);
    await forget(git, path);
  });
  if (keepsBranch) return;
  const ref = `refs/heads/${branch}`;
  const tip = await git.run(["rev-parse", "--quiet", "--verify", ref]);
  // Who stands on it would stand on nothing.
  const { out: others } = await git.run(["worktree", "list", "--porcelain"]);
  if (tip.ok && !others.split("\n").includes(`branch ${ref}`)) {
    await git.need(["update-ref", "-d", ref, tip.out]);
  }
}

/** Takes the note that git has of a checkout away; `git worktree prune` would take others', too. */
async function forget(git: Git, path: string): Promise<void> {
  const notes = await git.need(["rev-parse", "--git-path", "worktrees"]);
  const folder = resolve(git.folder, notes);
  for (const name of namesIn(folder)) {
    const pointer = readIfThere(join(folder, name, "gitdir"));
    if (pointer === `${join(path, ".git")}\n`) await removeFolder(join(folder, name));
  }
}

function namesIn(folder: string): string[] {
  return unlessMissing(() => [...Deno.readDirSync(folder)].map(({ name }) => name)) ?? [];
}

function readIfThere(path: string): string | undefined {
  return unlessMissing(() => Deno.readTextFileSync(path));
}

function unlessMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function removeFolder(path: string): Promise<void> {
  try {
    await removeTree(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function moveIfThere(from: string, to: string): Promise<void> {
  try {
    // Not renamed: a state folder may lie on another disk than the repository.
    await Deno.copyFile(from, to);
    await Deno.remove(from);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
