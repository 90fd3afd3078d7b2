import { isMissing, isOfSystem } from "../../sandbox/files/system_errors.ts";
import { type FileState, isSameState } from "../../sandbox/snapshots/entry.ts";
import { presentIn } from "../../sandbox/snapshots/present.ts";
import { readOwn } from "../../sandbox/snapshots/read_own.ts";
import { restore, type Restored } from "../../sandbox/snapshots/restore.ts";
import { type Scan, scanWorkspace } from "../../sandbox/snapshots/scan.ts";
import type { SeenFolder } from "../../sandbox/snapshots/seen.ts";
import { planRestore } from "../snapshots/plan.ts";
import type { Recorder } from "../snapshots/recorder.ts";
import { diffTrees } from "../snapshots/trees.ts";
import { differences, patchText } from "./changes.ts";
import { type Copied, markOf } from "./copy_tree.ts";
import { type Git, GitError } from "./git.ts";
import { removeCheckout, trackedThoughIgnored } from "./git_checkout.ts";
import { keepCommits, ownCommits } from "./git_commits.ts";
import type { Nest, WorktreeRecord } from "./record.ts";
import { type MergePlace, planMerge } from "./three_way.ts";
import type { Closed, LeftBehind, MergeOutcome, Patch, PatchedFile, Worktree } from "./worktree.ts";

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
  /** Undefined where it was found again. */
  readonly copied?: Copied;
}

/** How long a look at a worktree reads, in milliseconds, and how much, in bytes. */
const LOOK = { maxMs: 60_000, maxNewBytes: 2 * 1024 * 1024 * 1024 };

/** How many paths are named in one reason. */
const MAX_NAMED = 5;

export class OpenWorktree implements Worktree {
  readonly name: string;
  readonly path: string;
  readonly branch?: string;
  readonly leftOut: readonly LeftBehind[];
  readonly #parts: OpenParts;
  readonly #landed = new Map<string, PatchedFile>();
  #seen: SeenFolder | undefined;

  constructor(parts: OpenParts) {
    const { record, nest, copied } = parts;
    this.#parts = parts;
    this.name = record.name;
    this.path = nest.checkout;
    if (record.git) this.branch = record.git.branch;
    this.leftOut = copied?.leftOut ?? [];
  }

  async changes(signal?: AbortSignal): Promise<Patch> {
    const { recorder: { store: { objects } }, record } = this.#parts;
    const load = (hash: string) => objects.load(hash);
    const { root } = await this.#look(signal);
    const look = { path: this.path, seen: root, tracked: await this.#tracked() };
    const { files, aside } = differences(record.base, look, load);
    const large = this.#changedLarge();
    const commits = await this.#commits();
    return {
      ...{ tree: root.tree, files, commits },
      text: patchText(files, load),
      aside: [...aside, ...large],
    };
  }

  async #look(signal?: AbortSignal): Promise<Scan> {
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
      const info = lookAt(`${this.path}/${path}`);
      const now = info && markOf(info);
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
    const load = (hash: string) => recorder.store.objects.load(hash);
    const places = new Map<string, string | undefined>();
    for (const { path, before, after } of diffTrees(record.base, root.tree, load)) {
      if (before !== undefined || after?.kind !== "file") continue;
      // Of two that are alike nobody knows which one it is.
      places.set(after.hash, places.has(after.hash) ? undefined : path);
    }
    return new Map([...places].flatMap(([hash, path]) => path === undefined ? [] : [[hash, path]]));
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
      if (!(error instanceof GitError) && !isOfSystem(error)) throw error;
      return { path: nest.checkout, why: error.message };
    } finally {
      this.#parts.lock.close();
    }
  }

  /** Why it must stay; undefined where all that was done in it is somewhere else, too. */
  async #worth(): Promise<string | undefined> {
    const { record, git } = this.#parts;
    if (record.git && !git) return "git does not answer for the repository it belongs to";
    const { files, aside } = await this.changes();
    const open = files.filter(({ path, to }) => {
      const landed = this.#landed.get(path);
      return landed === undefined || !isSameState(landed.to, to);
    });
    if (open.length > 0) return `it has changes that did not land: ${named(open)}`;
    return aside.length > 0 ? `it has files that do not land: ${named(aside)}` : undefined;
  }

  async discard(): Promise<Closed> {
    try {
      return await this.#remove();
    } finally {
      this.#parts.lock.close();
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
    await Deno.remove(nest.folder, { recursive: true });
    return branch === undefined ? {} : { branch };
  }
}

function lookAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function named(paths: readonly { readonly path: string }[]): string {
  const shown = paths.slice(0, MAX_NAMED).map(({ path }) => path).join(", ");
  return paths.length > MAX_NAMED ? `${shown} and ${paths.length - MAX_NAMED} more` : shown;
}
