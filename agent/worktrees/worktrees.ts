import { dirname } from "node:path";
import type { Environment } from "../../sandbox/commands/environment.ts";
import { removeTree } from "../../sandbox/files/remove_tree.ts";
import { createTurns } from "../../sandbox/files/turns.ts";
import { isOfSystem } from "../../sandbox/files/system_errors.ts";
import { isInside } from "../../sandbox/rights/grants.ts";
import type { Scan } from "../../sandbox/snapshots/scan.ts";
import { Recorder } from "../snapshots/recorder.ts";
import { type Copied, copyTree } from "./copy_tree.ts";
import { type Git, GitError, openGit } from "./git.ts";
import { addCheckout, type AddedCheckout, removeCheckout } from "./git_checkout.ts";
import { branchAt } from "./git_commits.ts";
import { type OpenParts, OpenWorktree } from "./open_worktree.ts";
import {
  fitName,
  hasRecord,
  makeNest,
  type Nest,
  nestsIn,
  readRecord,
  recordOf,
  takeNest,
  type WorktreeRecord,
  worktreesFolder,
  writeRecord,
} from "./record.ts";
import { type Worktree, WorktreeError } from "./worktree.ts";

/** Whose worktrees are opened, and where they lie. */
export interface WorktreesOptions {
  /** Absolute, links resolved; this process may read and write it. */
  readonly workspace: string;
  /** The state folder; worktrees lie beside it. */
  readonly state: string;
  /** Id of the session, which keeps a log: as long as that is there, so is what they began with. */
  readonly session: string;
  /** Of the host, for git. */
  readonly environment: Environment;
  /** Whether copies are wanted also where the workspace is a checkout of git's. */
  readonly copiesOnly?: boolean;
  /** Folders of which copies have nothing; absolute, links resolved. */
  readonly except?: readonly string[];
}

/** The worktrees of a session. */
export interface Worktrees extends Disposable {
  /**
   * Makes a worktree: a checkout of git's on a branch of its own where the workspace is the top of a
   * repository, else a copy. Several are made one after the other, whoever asks.
   * @throws {WorktreeError} where none can be had; nothing is left of it then.
   * @throws the reason of `signal` once it is raised.
   */
  open(name: string, signal?: AbortSignal): Promise<Worktree>;
  /** Those of this workspace that nobody has open: kept on purpose, or left by a crash. */
  leftOver(): readonly WorktreeRecord[];
  /**
   * Opens one of {@linkcode leftOver} again, to look into it, to merge or to remove it.
   * @throws {WorktreeError} where it is gone, or somebody has it.
   */
  reopen(name: string): Promise<Worktree>;
}

/** How long a first look at a workspace reads, in milliseconds; what it did not get to is not merged. */
const MAX_READ_MS = 60_000;

/** So old is what somebody may still be about to lock, in milliseconds. */
const HALF_MADE_MS = 60_000;

function isOld({ folder }: Nest): boolean {
  return Date.now() - (Deno.statSync(folder).mtime?.getTime() ?? 0) > HALF_MADE_MS;
}

/** Worktrees for a session; nothing is made or looked at before the first one is asked for. */
export function createWorktrees(options: WorktreesOptions): Worktrees {
  return new SessionWorktrees(options);
}

class SessionWorktrees implements Worktrees {
  readonly #options: WorktreesOptions;
  readonly #folder: string;
  readonly #turns = createTurns();
  #recorder: Recorder | undefined;

  constructor(options: WorktreesOptions) {
    this.#options = options;
    this.#folder = worktreesFolder(options.state, options.workspace);
  }

  open(name: string, signal?: AbortSignal): Promise<Worktree> {
    return this.#turns.take("open", async () => {
      try {
        return await this.#make(fitName(name), signal);
      } catch (error) {
        if (!(error instanceof GitError) && !isOfSystem(error)) throw error;
        signal?.throwIfAborted();
        const why = `Cannot make a worktree "${name}": ${error.message}`;
        throw new WorktreeError(why, { cause: error });
      }
    });
  }

  async #make(wanted: string, signal: AbortSignal | undefined): Promise<Worktree> {
    const { workspace, state } = this.#options;
    signal?.throwIfAborted();
    if (isInside(state, workspace)) {
      const advice = "keep it elsewhere, by --state DIR";
      throw new WorktreeError(
        `Cannot make a worktree "${wanted}": the state folder lies in the workspace, ${advice}`,
      );
    }
    const recorder = await this.#opened();
    const scan = await recorder.take("before", signal);
    const { nest, name } = makeNest(this.#folder, wanted, workspace);
    const lock = takeNest(nest);
    if (!lock) throw new WorktreeError(`Cannot make a worktree "${name}": somebody took its place`);
    const found = await this.#openGit();
    await this.#clear(found);
    const git = this.#options.copiesOnly ? undefined : found;
    let checkout: AddedCheckout | undefined;
    try {
      checkout = await this.#checkOut(git, nest, name);
      const copied = await this.#copy(scan, nest, recorder, signal);
      const record = this.#record(name, copied, checkout);
      writeRecord(nest, record);
      return new OpenWorktree({ ...this.#parts(recorder, nest, record, lock), git, copied });
    } catch (error) {
      lock.close();
      if (git && checkout) await removeCheckout(git, nest.checkout, checkout, false);
      await removeTree(nest.folder);
      throw error;
    }
  }

  /** What a crash left half made was never worked in. */
  async #clear(git: Git | undefined): Promise<void> {
    for (const nest of nestsIn(this.#folder, this.#options.workspace)) {
      if (hasRecord(nest) || !isOld(nest)) continue;
      using lock = takeNest(nest);
      if (!lock) continue;
      const branch = git && await branchAt(git, nest.checkout);
      if (git && branch !== undefined) {
        await removeCheckout(git, nest.checkout, { branch, start: "" }, false);
      }
      await removeTree(nest.folder);
    }
  }

  #openGit(folder = this.#options.workspace): Promise<Git | undefined> {
    const { environment } = this.#options;
    return openGit(folder, { environment, locks: dirname(this.#folder) });
  }

  async #checkOut(git: Git | undefined, nest: Nest, name: string) {
    const { workspace } = this.#options;
    if (!git) {
      await Deno.mkdir(nest.checkout, { mode: 0o700 });
      return undefined;
    }
    return await addCheckout({
      ...{ git, workspace, name },
      ...{ path: nest.checkout, index: nest.index },
    });
  }

  async #copy(
    { root }: Scan,
    nest: Nest,
    recorder: Recorder,
    signal: AbortSignal | undefined,
  ): Promise<Copied> {
    const copied = await copyTree({
      from: this.#options.workspace,
      to: nest.checkout,
      seen: root,
      objects: recorder.store.objects,
      signal,
    });
    recorder.store.claim(this.#options.session, [copied.tree]);
    return copied;
  }

  #record(name: string, { tree }: Copied, checkout: AddedCheckout | undefined): WorktreeRecord {
    const { workspace, session, state } = this.#options;
    const { branch = "", start = "", store = "" } = checkout ?? {};
    // Nobody gets at more of a repository than who opened the worktree.
    const had = isInside(store, workspace) || recordOf(state, workspace)?.git?.store === store;
    const git = checkout && { branch, start, ...(had && { store }) };
    const created = new Date().toISOString();
    return { name, workspace, session, created, base: tree, ...(git && { git }) };
  }

  #parts(recorder: Recorder, nest: Nest, record: WorktreeRecord, lock: Deno.FsFile): OpenParts {
    const { workspace } = this.#options;
    const openRepository = (folder: string) => this.#openGit(folder);
    return { ...{ recorder, nest, record, lock }, workspace, openRepository };
  }

  leftOver(): readonly WorktreeRecord[] {
    return nestsIn(this.#folder, this.#options.workspace).flatMap((nest) => {
      const record = readRecord(nest);
      using lock = record && takeNest(nest);
      return record && lock ? [record] : [];
    });
  }

  async reopen(name: string): Promise<Worktree> {
    const nest = nestsIn(this.#folder, this.#options.workspace).find((nest) =>
      readRecord(nest)?.name === name
    );
    const record = nest && readRecord(nest);
    if (!nest || !record) throw new WorktreeError(`Cannot open worktree "${name}": there is none`);
    const recorder = await this.#opened();
    const git = record.git && await this.#openGit();
    const lock = takeNest(nest);
    if (!lock) throw new WorktreeError(`Cannot open worktree "${name}": it is in use`);
    return new OpenWorktree({ ...this.#parts(recorder, nest, record, lock), git });
  }

  /** Whoever comes first opens it, and the others wait. */
  #opened(): Promise<Recorder> {
    const { workspace, state, session, except = [] } = this.#options;
    const options = { workspace, state, session, except, claimed: [], maxReadMs: MAX_READ_MS };
    return this.#turns.take(
      "recorder",
      async () => this.#recorder ??= await Recorder.open(options),
    );
  }

  [Symbol.dispose](): void {
    this.#recorder?.[Symbol.dispose]();
    this.#recorder = undefined;
  }
}
