import { type FileState, isSameState } from "../../sandbox/snapshots/entry.ts";
import { removeTree } from "../../sandbox/files/remove_tree.ts";
import { presentIn } from "../../sandbox/snapshots/present.ts";
import { readOwn } from "../../sandbox/snapshots/read_own.ts";
import { restore, type Restored } from "../../sandbox/snapshots/restore.ts";
import { type Scan, scanWorkspace } from "../../sandbox/snapshots/scan.ts";
import type { SeenFolder } from "../../sandbox/snapshots/seen.ts";
import { planRestore } from "../snapshots/plan.ts";
import type { Recorder } from "../snapshots/recorder.ts";
import { SnapshotGone } from "../snapshots/trees.ts";
import {
  type Differences,
  differences,
  namedPaths,
  patchText,
  placesOfNew,
  type SeenWorktree,
} from "./changes.ts";
import { type Copied, markAt } from "./copy_tree.ts";
import type { Git } from "./git.ts";
import { removeCheckout, trackedThoughIgnored } from "./git_checkout.ts";
import { keepCommits, ownCommits } from "./git_commits.ts";
import { hasCheckout, isThere, type Nest, type WorktreeRecord } from "./record.ts";
import { isObstacle } from "./obstacle.ts";
import { type OpenRepository, ownRepositories } from "./own_repositories.ts";
import { type MergePlace, planMerge } from "./three_way.ts";
import {
  type Closed,
  type LeftBehind,
  type MergeOutcome,
  type Patch,
  type PatchedFile,
  type Worktree,
  WorktreeError,
} from "./worktree.ts";

/** What an open worktree is made of. */
export interface OpenParts {
  /** Of the workspace that it is a copy of. */
  readonly recorder: Recorder;
  readonly workspace: string;
  readonly nest: Nest;
  readonly record: WorktreeRecord;
  /** Held as long as it is open. */
  readonly lock: Deno.FsFile;
  readonly git?: Git | undefined;
  readonly openRepository: OpenRepository;
  /** Undefined where it was found again. */
  readonly copied?: Copied;
}

/** How long a look at a worktree reads, in milliseconds, and how much, in bytes. */
const LOOK = { maxMs: 60_000, maxNewBytes: 2 * 1024 * 1024 * 1024 };

export class OpenWorktree implements Worktree {
  readonly name: string;
  readonly path: string;
  readonly branch?: string;
  readonly leftOut: readonly LeftBehind[];
  readonly #parts: OpenParts;
  readonly #landed = new Map<string, PatchedFile>();
  #seen: SeenFolder | undefined;
  #isLetGo = false;

  constructor(parts: OpenParts) {
    const { record, nest, copied } = parts;
    this.#parts = parts;
    this.name = record.name;
    this.path = nest.checkout;
    if (record.git) this.branch = record.git.branch;
    this.leftOut = copied?.leftOut ?? [];
  }

  async changes(signal?: AbortSignal): Promise<Patch> {
    const { objects } = this.#parts.recorder.store;
    const { root } = await this.#look(signal);
    const look = { path: this.path, seen: root, tracked: await this.#tracked() };
    const { files, aside } = this.#differences(look);
    const large = this.#changedLarge();
    const repositories = await ownRepositories(this.path, root, this.#parts.openRepository);
    const commits = await this.#commits();
    return {
      ...{ tree: root.tree, files, commits },
      text: patchText(files, (hash) => objects.load(hash)),
      aside: [...aside, ...large, ...repositories],
    };
  }

  #differences(look: SeenWorktree): Differences {
    const { recorder: { store: { objects } }, record } = this.#parts;
    try {
      return differences(record.base, look, (hash) => objects.load(hash));
    } catch (error) {
      if (!(error instanceof SnapshotGone)) throw error;
      const why = `what it began with is no longer kept, compare "${this.path}" by hand`;
      throw new WorktreeError(`Cannot look into worktree "${this.name}": ${why}`, { cause: error });
    }
  }

  async #look(signal?: AbortSignal): Promise<Scan> {
    // Nothing at all would pass for a tree from which all was removed.
    if (!hasCheckout(this.#parts.nest)) {
      throw new WorktreeError(`Cannot look into worktree "${this.name}": its folder is gone`);
    }
    const { objects } = this.#parts.recorder.store;
    const scan = await scanWorkspace({
      ...LOOK,
      root: this.path,
      previous: this.#seen,
      // What a new ignore rule hides was work when it began.
      keepsCovered: true,
      except: [],
      now: () => Date.now(),
      keep: (bytes) => objects.keep(bytes),
    }, signal);
    objects.flush();
    this.#seen = scan.root;
    return scan;
  }

  /** Large files are in no snapshot; that they changed can be told, and no more. */
  #changedLarge(): LeftBehind[] {
    return [...this.#parts.copied?.large ?? []].flatMap(([path, mark]) => {
      const now = markAt(`${this.path}/${path}`);
      if (now?.size === mark.size && now.mtimeMs === mark.mtimeMs) return [];
      return [{ path, why: "it changed, and is too large for a snapshot" }];
    });
  }

  async #tracked(): Promise<ReadonlySet<string>> {
    const { git, nest } = this.#parts;
    return git ? await trackedThoughIgnored(git, nest.checkout) : new Set();
  }

  async #commits(): Promise<string[]> {
    const { git, record, nest } = this.#parts;
    return git && record.git ? await ownCommits(git, nest.checkout, record.git) : [];
  }

  async mergeBack(patch: Patch, signal?: AbortSignal): Promise<MergeOutcome> {
    const { workspace, recorder: { store: { objects } } } = this.#parts;
    const place = await this.#mergePlace(patch.files, signal);
    const { wishes, conflicts } = planMerge(patch.files, place);
    if (conflicts.length > 0) return { ok: false, reason: "conflicts", conflicts };
    objects.flush();
    const { actions, kept } = planRestore([wishes], {
      present: presentIn(workspace),
      isStored: (hash) => objects.has(hash),
      afterCutOff: false,
    });
    if (kept.length > 0) return { ok: false, reason: "conflicts", conflicts: kept };
    const restored = restore(workspace, actions, (hash) => objects.load(hash));
    return this.#outcome(patch.files, restored);
  }

  #outcome(files: readonly PatchedFile[], { done, kept }: Restored): MergeOutcome {
    const open = new Set(kept.map(({ path }) => path));
    for (const file of files) if (!open.has(file.path)) this.#landed.set(file.path, file);
    const changed = done.map(({ path }) => path);
    return kept.length === 0
      ? { ok: true, changed }
      : { ok: false, reason: "partial", changed, conflicts: kept };
  }

  async #mergePlace(files: readonly PatchedFile[], signal?: AbortSignal): Promise<MergePlace> {
    const { workspace, recorder: { store: { objects } } } = this.#parts;
    const present = presentIn(workspace);
    const mayHaveMoved = files.some(({ path, from, to }) =>
      from?.kind === "file" && to?.kind === "file" && present.state(path) === undefined
    );
    const moved = mayHaveMoved ? await this.#moved(signal) : new Map<string, string>();
    return {
      state: (path) => present.state(path),
      names: (path) => present.names(path),
      content: (path, { hash }) => objects.load(hash) ?? readOwn(`${workspace}/${path}`),
      keep: (bytes) => objects.keep(bytes),
      movedTo: (_, was: FileState) => moved.get(was.hash),
    };
  }

  /** Files that the workspace has got since, by their content: where something was moved to. */
  async #moved(signal?: AbortSignal): Promise<Map<string, string>> {
    const { recorder, record } = this.#parts;
    const { root } = await recorder.take("before", signal);
    return placesOfNew(record.base, root.tree, (hash) => recorder.store.objects.load(hash));
  }

  async close(): Promise<Closed> {
    const { record, nest } = this.#parts;
    try {
      const why = await this.#worth();
      if (why === undefined) return await this.#remove();
      const branch = await this.#keepCommits() ?? record.git?.branch;
      return { path: nest.checkout, why, ...(branch !== undefined && { branch }) };
    } catch (error) {
      // Where nothing can be proven, nothing is removed.
      if (!isObstacle(error)) throw error;
      return { path: nest.checkout, why: error.message };
    } finally {
      this[Symbol.dispose]();
    }
  }

  /** Why it must stay; undefined where all that was done in it is somewhere else, too. */
  async #worth(): Promise<string | undefined> {
    const { record, git, nest, workspace } = this.#parts;
    if (!hasCheckout(nest)) return undefined;
    if (record.git && !git) return "git does not answer for the repository it belongs to";
    const { files, aside } = await this.changes();
    const present = isThere(workspace) ? presentIn(workspace) : undefined;
    const open = files.filter(({ path, to }) => {
      const landed = this.#landed.get(path);
      if (landed !== undefined && isSameState(landed.to, to)) return false;
      // Somebody may have brought it there by hand, or a process that was killed since.
      return !present || !isSameState(present.state(path), to);
    });
    if (open.length > 0) return `it has changes that did not land: ${namedPaths(open)}`;
    return aside.length > 0 ? `it has files that do not land: ${namedPaths(aside)}` : undefined;
  }

  async discard(): Promise<Closed> {
    try {
      return await this.#remove();
    } finally {
      this[Symbol.dispose]();
    }
  }

  /** The branch that has its commits from now on; undefined where it has none. */
  async #keepCommits(): Promise<string | undefined> {
    const { git, record, nest } = this.#parts;
    if (!git || !record.git || (await this.#commits()).length === 0) return undefined;
    return await keepCommits(git, nest.checkout, record.git);
  }

  async #remove(): Promise<Closed> {
    const { git, record, nest } = this.#parts;
    const branch = await this.#keepCommits();
    if (git && record.git) {
      await removeCheckout(git, nest.checkout, record.git, branch !== undefined);
    }
    await removeTree(nest.folder);
    return branch === undefined ? {} : { branch };
  }

  [Symbol.dispose](): void {
    if (this.#isLetGo) return;
    this.#isLetGo = true;
    this.#parts.lock.close();
  }
}
