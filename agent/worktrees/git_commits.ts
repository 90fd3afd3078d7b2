import { isMissing } from "../../sandbox/files/system_errors.ts";
import type { Git } from "./git.ts";
import { type GitCheckout, makeBranch } from "./git_checkout.ts";

/** How many commits are told of one by one. */
const MAX_COMMITS = 50;

/** The commits that are in this checkout and nowhere else, the newest first: hash and first line. */
export async function ownCommits(
  git: Git,
  path: string,
  { branch, start }: GitCheckout,
): Promise<string[]> {
  const tips = await tipsOf(git, path, branch);
  if (tips.length === 0) return [];
  const out = await git.need([
    "log",
    `--max-count=${MAX_COMMITS}`,
    "--format=%h %s",
    "--no-show-signature",
    ...tips,
    "--not",
    start,
    // Taken as seen from refs/heads, where --branches looks.
    `--exclude=${branch}`,
    "--branches",
    "--tags",
    "--remotes",
  ]);
  return out.split("\n").filter((line) => line !== "");
}

/** Where the head of the checkout and its branch stand, as far as they are there. */
async function tipsOf(git: Git, path: string, branch: string): Promise<string[]> {
  const head = await headOf(git, path);
  const tip = await git.run(["rev-parse", "--quiet", "--verify", `refs/heads/${branch}`]);
  return [...head === undefined ? [] : [head], ...tip.ok ? [tip.out] : []];
}

/** The commit that a checkout is at; undefined where it is no checkout of this repository any more. */
async function headOf(git: Git, path: string): Promise<string | undefined> {
  if (!await isFolder(path)) return undefined;
  const head = await git.in(path).run(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]);
  if (!head.ok) return undefined;
  return (await git.run(["cat-file", "-e", `${head.out}^{commit}`])).ok ? head.out : undefined;
}

/**
 * Sees to it that a branch holds every commit of a checkout, also those on a detached head; resolves
 * to its name.
 * @throws {GitError}
 */
export async function keepCommits(
  git: Git,
  path: string,
  { branch }: GitCheckout,
): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const tip = await git.run(["rev-parse", "--quiet", "--verify", ref]);
  const head = await headOf(git, path);
  if (head === undefined) return branch;
  if (!tip.ok) {
    await git.need(["update-ref", ref, head, ""]);
    return branch;
  }
  if (await isAncestor(git, head, tip.out)) return branch;
  if (await isAncestor(git, tip.out, head)) {
    await git.need(["update-ref", ref, head, tip.out]);
    return branch;
  }
  const second = await makeBranch(git, `${branch.replace(/^cordon[/-]/, "")}-head`, head);
  return `${branch} and ${second}`;
}

async function isAncestor(git: Git, one: string, other: string): Promise<boolean> {
  return (await git.run(["merge-base", "--is-ancestor", one, other])).ok;
}

/** The branch of a checkout whose making was cut off; undefined where there is none. */
export async function branchAt(git: Git, path: string): Promise<string | undefined> {
  if (!await isFolder(path)) return undefined;
  const { ok, out } = await git.in(path).run(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  return ok && /^cordon[/-]/.test(out) ? out : undefined;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
