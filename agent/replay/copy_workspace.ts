import { isForbidden, isMissing } from "../../sandbox/files/system_errors.ts";
import { presentIn } from "../../sandbox/snapshots/present.ts";
import { type Kept, restore } from "../../sandbox/snapshots/restore.ts";
import { scanWorkspace } from "../../sandbox/snapshots/scan.ts";
import { ObjectStore } from "../snapshots/object_store.ts";
import { planRestore } from "../snapshots/plan.ts";
import { SnapshotStore, storeFolder } from "../snapshots/snapshot_store.ts";
import { diffTrees, SnapshotGone } from "../snapshots/trees.ts";
import { sessionsWithWorktrees } from "../worktrees/record.ts";

/** How long a copy works before it lets others, in milliseconds. */
const SLICE_MS = 25;

/** How much of a copy is looked at before it is brought to an earlier state, in bytes and ms. */
const LOOK = { maxNewBytes: 2 * 1024 * 1024 * 1024, maxMs: 60_000 };

/** What is copied. */
export interface WorkspaceCopy {
  /** Absolute, links resolved. */
  readonly from: string;
  /** Is made. */
  readonly to: string;
  /** Absolute paths that are left out, as the folder of the copy itself. */
  readonly except: readonly string[];
}

/**
 * Copies a folder with all that is in it, sharing blocks where the file system can. A `.git` that
 * points elsewhere is left out: commands in the copy would write to the repository of the original.
 * @throws the reason of `signal` once it is raised.
 */
export async function copyWorkspace(
  { from, to, except }: WorkspaceCopy,
  signal: AbortSignal,
): Promise<Kept[]> {
  const kept: Kept[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  async function copyFolder(below: string): Promise<void> {
    signal.throwIfAborted();
    Deno.mkdirSync(`${to}${below}`, { mode: 0o700 });
    for (const entry of Deno.readDirSync(`${from}${below}`)) {
      if (performance.now() > sliceEnd) {
        await new Promise((resolve) => setTimeout(resolve));
        sliceEnd = performance.now() + SLICE_MS;
      }
      const path = `${below}/${entry.name}`;
      if (except.includes(`${from}${path}`)) continue;
      const why = await copyEntry(path, entry);
      if (why !== undefined) kept.push({ path: path.slice(1), why });
    }
    Deno.chmodSync(`${to}${below}`, (Deno.statSync(`${from}${below}`).mode ?? 0o755) & 0o7777);
  }
  async function copyEntry(path: string, entry: Deno.DirEntry): Promise<string | undefined> {
    const [source, target] = [`${from}${path}`, `${to}${path}`];
    try {
      if (entry.isDirectory) await copyFolder(path);
      else if (entry.isSymlink) Deno.symlinkSync(Deno.readLinkSync(source), target);
      else if (!entry.isFile) return "it is a pipe, socket or device";
      else if (entry.name === ".git") return "it points to a repository elsewhere";
      else {
        Deno.copyFileSync(source, target);
        const { atime, mtime } = Deno.statSync(source);
        Deno.utimeSync(target, atime ?? 0, mtime ?? 0);
      }
      return undefined;
    } catch (error) {
      if (!isMissing(error) && !isForbidden(error)) throw error;
      return error instanceof Error ? error.message : String(error);
    }
  }
  await copyFolder("");
  return kept;
}

/** Where the state is that a copy is to be brought to. */
export interface EarlierState {
  /** Names it in the snapshot store of the workspace. */
  readonly tree: string;
  readonly workspace: string;
  /** The state folder, and the session that has the snapshot. */
  readonly state: string;
  readonly session: string;
  /** A folder for what a look at the copy finds. */
  readonly scratch: string;
}

/**
 * Brings a copy to what its workspace was in a snapshot; resolves to the paths where that did not go,
 * or to a sentence where the snapshot is not there any more.
 * @throws the reason of `signal` once it is raised.
 */
export async function bringBack(
  copy: string,
  { tree, workspace, state, session, scratch }: EarlierState,
  signal: AbortSignal,
): Promise<readonly Kept[] | string> {
  using store = await SnapshotStore.open({
    folder: storeFolder(state, workspace),
    logs: `${state}/sessions`,
    session,
    inWorktrees: sessionsWithWorktrees(state, workspace),
  });
  const now = new ObjectStore(scratch);
  const load = (hash: string) => store.objects.load(hash) ?? now.load(hash);
  const { root } = await scanWorkspace({
    ...LOOK,
    root: copy,
    previous: undefined,
    keepsCovered: false,
    except: [],
    now: () => Date.now(),
    keep: (bytes) => now.keep(bytes),
  }, signal);
  try {
    const wishes = diffTrees(root.tree, tree, load)
      .map(({ path, before, after }) => ({ path, from: before, to: after }))
      // What no snapshot covers is as it was, as far as anybody knows.
      .filter(({ from, to }) => from?.kind !== "left_out" && to?.kind !== "left_out");
    const plan = planRestore([wishes], {
      present: presentIn(copy),
      isStored: (hash) => load(hash) !== undefined,
      afterCutOff: false,
    });
    return [...plan.kept, ...restore(copy, plan.actions, load).kept];
  } catch (error) {
    if (!(error instanceof SnapshotGone)) throw error;
    return "the files are those of now: the snapshot from before the session is no longer kept";
  }
}
