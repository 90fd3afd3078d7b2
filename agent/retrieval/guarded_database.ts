import { dirname } from "node:path";
import { unlessMissing } from "../../sandbox/files/system_errors.ts";
import { usingState } from "../state_error.ts";
import {
  asIndexError,
  type Database,
  findDatabase,
  isDamage,
  makeDatabase,
  removeDatabase,
} from "./database.ts";

/**
 * The database of an index between processes: one at a time changes it, under a lock of its own file
 * which ends with the process that holds it; all others read what was written last.
 */
export class GuardedDatabase implements Disposable {
  readonly #path: string;
  #open: { readonly database: Database; readonly inode: number | null } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Nothing is opened before it is used. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Lets `change` at the database, after all earlier changes of this process; a damaged one is made
   * anew, and `change` is called again. `busy`: another process changes it.
   * @throws {IndexError} where it cannot be written.
   */
  change(change: (database: Database) => Promise<void>): Promise<"updated" | "busy"> {
    return this.#locked(async () => {
      try {
        await change(await this.#current(makeDatabase));
      } catch (error) {
        if (!isDamage(error)) throw error;
        await this.#remove();
        await change(await this.#current(makeDatabase));
      }
    });
  }

  /** Removes everything. */
  clear(): Promise<"updated" | "busy"> {
    return this.#locked(() => this.#remove());
  }

  /**
   * Asks the database as it is; undefined where there is none. `reset`: it was damaged and is gone.
   * @throws {IndexError} where it cannot be read.
   */
  async ask<T>(question: (database: Database) => T): Promise<T | "reset" | undefined> {
    try {
      const database = await this.#current(findDatabase);
      return database && question(database);
    } catch (error) {
      if (!isDamage(error) || await this.clear() === "busy") throw asIndexError(this.#path, error);
      return "reset";
    }
  }

  [Symbol.dispose](): void {
    this.#open?.database[Symbol.dispose]();
    this.#open = undefined;
  }

  async #remove(): Promise<void> {
    this[Symbol.dispose]();
    await removeDatabase(this.#path);
  }

  /** The open one, unless another process has put a new one in its place. */
  async #current<T extends Database | undefined>(open: (path: string) => Promise<T>): Promise<T> {
    const inode = (await unlessMissing(Deno.stat(this.#path)))?.ino;
    // A cast: a database is a T, whatever else a T may be.
    if (this.#open && this.#open.inode === inode) return this.#open.database as T;
    this[Symbol.dispose]();
    const database = await open(this.#path);
    if (database) this.#open = { database, inode: (await Deno.stat(this.#path)).ino };
    return database;
  }

  #locked(act: () => Promise<void>): Promise<"updated" | "busy"> {
    const acting = this.#last.then(() => this.#underLock(act));
    // Who waits after it has an error of their own.
    this.#last = acting.catch(() => {});
    return acting;
  }

  async #underLock(act: () => Promise<void>): Promise<"updated" | "busy"> {
    const folder = dirname(this.#path);
    using lock = await usingState(folder, async () => {
      await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
      return await Deno.open(`${this.#path}.lock`, { write: true, create: true, mode: 0o600 });
    });
    if (!await lock.tryLock(true)) return "busy";
    try {
      await usingState(folder, act);
    } catch (error) {
      throw asIndexError(this.#path, error);
    }
    return "updated";
  }
}
