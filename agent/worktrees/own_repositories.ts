import { isMissing } from "../../sandbox/files/system_errors.ts";
import type { SeenFolder } from "../../sandbox/snapshots/seen.ts";
import type { Git } from "./git.ts";
import type { LeftBehind } from "./worktree.ts";

/** Git for a folder that is the top of a repository's checkout; undefined where it does not answer. */
export type OpenRepository = (folder: string) => Promise<Git | undefined>;

/**
 * Repositories that were made in a worktree and have commits that no remote has: a snapshot holds
 * their files and not these. None of the workspace's own is in a worktree.
 */
export async function ownRepositories(
  worktree: string,
  seen: SeenFolder,
  open: OpenRepository,
): Promise<LeftBehind[]> {
  const found: LeftBehind[] = [];
  for (const folder of repositoriesIn(worktree, "", seen)) {
    const absolute = folder === "" ? worktree : `${worktree}/${folder}`;
    if (await hasOwnCommits(await open(absolute))) {
      found.push({ path: folder === "" ? ".git" : `${folder}/.git`, why: WHY });
    }
  }
  return found;
}

const WHY = "it is a repository of its own, with commits";

function* repositoriesIn(
  worktree: string,
  path: string,
  { entries }: SeenFolder,
): Generator<string> {
  const kind = kindOf(`${worktree}/${path === "" ? "" : `${path}/`}.git`);
  // At the top, a file is the worktree's own link to its repository.
  if (kind === "folder" || (kind === "file" && path !== "")) yield path;
  for (const [name, entry] of entries) {
    if (entry.kind !== "folder") continue;
    yield* repositoriesIn(worktree, path === "" ? name : `${path}/${name}`, entry);
  }
}

function kindOf(path: string): "folder" | "file" | undefined {
  try {
    return Deno.lstatSync(path).isDirectory ? "folder" : "file";
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** What cannot be asked may have some. */
async function hasOwnCommits(git: Git | undefined): Promise<boolean> {
  if (!git) return true;
  const { ok, out } = await git.run(["rev-list", "--max-count=1", "--all", "--not", "--remotes"]);
  return !ok || out !== "";
}
