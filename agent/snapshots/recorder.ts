import { join, relative } from "node:path";
import { removeAbandoned } from "../../sandbox/files/temporary_name.ts";
import { isInside } from "../../sandbox/rights/grants.ts";
import { type Scan, scanWorkspace } from "../../sandbox/snapshots/scan.ts";
import type { SeenFolder } from "../../sandbox/snapshots/seen.ts";
import { sessionsWithWorktrees } from "../worktrees/record.ts";
import type { Neighbours } from "./others.ts";
import { MAX_STORE_BYTES, SnapshotStore, storeFolder } from "./snapshot_store.ts";

/** How long a snapshot reads new files, in milliseconds; the next one gets on with the others. */
export const MAX_READ_MS = 5_000;

/** How much a snapshot reads, in bytes. */
const MAX_NEW_BYTES = 512 * 1024 * 1024;

/** Whose workspace is looked at, and where its snapshots lie. */
export interface RecorderOptions {
  /** Absolute, links resolved. */
  readonly workspace: string;
  readonly state: string;
  /** Id of the session. */
  readonly session: string;
  /** Snapshots that the session has already, as a fork has those of its origin. */
  readonly claimed: readonly string[];
  readonly maxStoreBytes?: number;
  /** Folders that are passed over, absolute; the state folder always is. */
  readonly except?: readonly string[];
  /** Default {@linkcode MAX_READ_MS}. */
  readonly maxReadMs?: number;
}

/** Takes snapshots of a workspace; what did not change between two of them is not read again. */
export class Recorder implements Disposable {
  readonly store: SnapshotStore;
  readonly #options: RecorderOptions;
  #seen: SeenFolder | undefined;
  /** Files that were read since the cache on the disk was written. */
  #uncached = 0;

  private constructor(options: RecorderOptions, store: SnapshotStore) {
    this.#options = options;
    this.store = store;
    this.#seen = store.readStatCache();
    store.claim(options.session, options.claimed);
  }

  static async open(options: RecorderOptions): Promise<Recorder> {
    const { workspace, state, session, maxStoreBytes } = options;
    const store = await SnapshotStore.open({
      folder: storeFolder(state, workspace),
      logs: logsIn(state),
      session,
      inWorktrees: sessionsWithWorktrees(state, workspace),
      ...(maxStoreBytes !== undefined && { maxBytes: maxStoreBytes }),
    });
    return new Recorder(options, store);
  }

  /**
   * Looks at the workspace, and keeps what it holds; `after`: at the end of a task, when all that
   * was covered at its beginning is covered still.
   * @throws the reason of `signal` once it is raised.
   */
  async take(when: "before" | "after", signal?: AbortSignal): Promise<Scan> {
    const { workspace, state, session, except = [] } = this.#options;
    const { objects } = this.store;
    const scan = await scanWorkspace({
      root: workspace,
      previous: this.#seen,
      keepsCovered: when === "after",
      except: [state, ...except].filter((folder) => isInside(folder, workspace))
        .map((folder) => relative(workspace, folder)),
      now: () => Date.now(),
      keep: (bytes) => objects.keep(bytes),
      maxNewBytes: this.#room(),
      maxMs: this.#options.maxReadMs ?? MAX_READ_MS,
    }, signal);
    // What a killed process left beside its targets is no part of anybody's work.
    for (const path of scan.temporary) removeAbandoned(join(workspace, path));
    objects.flush();
    this.store.claim(session, [scan.root.tree]);
    this.#remember(scan);
    return scan;
  }

  /** The sessions whose snapshots lie beside those of the own one. */
  neighbours(): Neighbours {
    const { workspace, state, session: own } = this.#options;
    const load = (hash: string) => this.store.objects.load(hash);
    return { workspace, logs: logsIn(state), sessions: this.store.sessions(), own, load };
  }

  #room(): number {
    const { maxStoreBytes = MAX_STORE_BYTES } = this.#options;
    return Math.min(MAX_NEW_BYTES, maxStoreBytes - this.store.objects.sizeOnDisk());
  }

  /** A few files are read again sooner than the whole cache is written. */
  #remember({ root, filesRead, entries }: Scan): void {
    this.#seen = root;
    this.#uncached += filesRead;
    if (this.#uncached === 0 || this.#uncached < entries / 100) return;
    this.store.writeStatCache(root);
    this.#uncached = 0;
  }

  [Symbol.dispose](): void {
    this.store[Symbol.dispose]();
  }
}

function logsIn(state: string): string {
  return join(state, "sessions");
}
