import { basename, join } from "node:path";
import { digestOf } from "../../sandbox/snapshots/digest.ts";
import type { SeenFolder } from "../../sandbox/snapshots/seen.ts";
import { ObjectStore } from "./object_store.ts";
import { retain } from "./retention.ts";
import { decodeStatCache, encodeStatCache } from "./stat_cache.ts";

/** The store of one workspace keeps so much, in bytes; the snapshots of the oldest sessions go first. */
export const MAX_STORE_BYTES = 1024 * 1024 * 1024;

/** The snapshots of one workspace, held open so that nobody cleans up under the feet of others. */
export class SnapshotStore implements Disposable {
  readonly objects: ObjectStore;
  readonly #folder: string;
  readonly #lock: Deno.FsFile;

  private constructor(folder: string, lock: Deno.FsFile) {
    this.#folder = folder;
    this.#lock = lock;
    this.objects = new ObjectStore(objectsIn(folder));
  }

  /**
   * Opens the store of a workspace, which is made where it is not there. Whoever finds it unused
   * cleans up: `session` keeps its snapshots whatever happens.
   */
  static async open(
    { folder, logs, session, inWorktrees, maxBytes = MAX_STORE_BYTES }: {
      readonly folder: string;
      /** The folder of the logs of sessions. */
      readonly logs: string;
      readonly session: string;
      /** Sessions that need their snapshots though their logs be gone. */
      readonly inWorktrees: ReadonlySet<string>;
      readonly maxBytes?: number;
    },
  ): Promise<SnapshotStore> {
    await Deno.mkdir(rootsIn(folder), { recursive: true, mode: 0o700 });
    const lock = await Deno.open(join(folder, "lock"), { create: true, write: true, mode: 0o600 });
    try {
      if (await lock.tryLock(true)) {
        const lost = retain({
          ...{ objects: objectsIn(folder), roots: rootsIn(folder) },
          ...{ logs, session, inWorktrees, maxBytes },
        });
        if (lost) removeIfThere(cacheIn(folder));
        await lock.unlock();
      }
      await lock.lock(false);
      return new SnapshotStore(folder, lock);
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  /** Notes that a session needs a snapshot. */
  claim(session: string, trees: readonly string[]): void {
    const path = join(rootsIn(this.#folder), session);
    const text = trees.map((tree) => `${tree}\n`).join("");
    Deno.writeTextFileSync(path, text, { append: true, mode: 0o600 });
  }

  /** Ids of the sessions that have snapshots here. */
  sessions(): string[] {
    return [...Deno.readDirSync(rootsIn(this.#folder))].map(({ name }) => name);
  }

  /** What an earlier process saw in the workspace. */
  readStatCache(): SeenFolder | undefined {
    const text = readIfThere(cacheIn(this.#folder));
    return text === undefined ? undefined : decodeStatCache(text);
  }

  /** Keeps what a scan saw; all that it names must have been flushed. */
  writeStatCache(root: SeenFolder): void {
    const draft = join(this.#folder, `${crypto.randomUUID()}.draft`);
    Deno.writeTextFileSync(draft, encodeStatCache(root), { createNew: true, mode: 0o600 });
    Deno.renameSync(draft, cacheIn(this.#folder));
  }

  [Symbol.dispose](): void {
    this.#lock.close();
  }
}

/** Where the snapshots of a workspace lie in the state folder. */
export function storeFolder(state: string, workspace: string): string {
  const digest = digestOf(new TextEncoder().encode(workspace)).slice(0, 12);
  const name = basename(workspace).replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 40);
  return join(state, "snapshots", `${name}-${digest}`);
}

function objectsIn(folder: string): string {
  return join(folder, "objects");
}

/** A file for each session, with the snapshots that it needs. */
function rootsIn(folder: string): string {
  return join(folder, "sessions");
}

function cacheIn(folder: string): string {
  return join(folder, "seen.json");
}

function readIfThere(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
