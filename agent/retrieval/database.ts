import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { unlessMissing } from "../../sandbox/files/system_errors.ts";
import { type Found, lookAt, makeTables } from "./schema.ts";

/** An index that cannot be used; the message is one sentence for people. */
export class IndexError extends Error {
  override readonly name = "IndexError";
  /** Like the system's errors: it is told in words, and not with a stack as one of ours would be. */
  readonly code = "INDEX_UNUSABLE";
}

/** How long a reader waits for a writer to hand a page over, in milliseconds. */
const BUSY_MS = 5_000;

/** Pages kept in memory at the most, in KiB. */
const CACHE_KIB = 16 * 1024;

/** Words gathered in memory before they are written, in bytes: fewer and larger pieces to merge. */
const GATHERED_BYTES = 8 * 1024 * 1024;

/** So many pieces are merged to one: more at once cost less in all, and a query asks more pieces. */
const MERGED_AT_ONCE = 8;

/**
 * Pages of 4 KiB that gather in the log before they go into the database: only then the disk is
 * waited for, which can take longer than all the work.
 */
const LOG_PAGES = 16_384;

/** The files of a database beside itself. */
const BESIDE = ["-wal", "-shm"];

/** One database, with the statements that were prepared for it. */
export class Database implements Disposable {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** All rows. */
  all<Row>(sql: string, ...values: Value[]): Row[] {
    // A cast: the row's type says what its statement asks for, both stand in one place.
    return this.#prepared(sql).all(...values) as unknown as Row[];
  }

  /** The first row. */
  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    // A cast: as above.
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  /** Rows one after the other, for tables that are too long to hold. */
  each<Row>(sql: string, ...values: Value[]): IterableIterator<Row> {
    // A cast: as above. Of its own, since a prepared one that is walked cannot be asked again.
    return this.#database.prepare(sql).iterate(...values) as unknown as IterableIterator<Row>;
  }

  /** How many rows were changed. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  /** Does all of it or nothing. */
  transaction<T>(change: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const done = change();
      this.#database.exec("COMMIT");
      return done;
    } catch (error) {
      // A full disk has rolled back by itself.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, statement = this.#database.prepare(sql));
    return statement;
  }
}

/** What a statement is given. */
export type Value = string | number | null | Uint8Array;

/**
 * Opens the database of an index, for its owner alone, and makes it where there is none; one of an
 * older version is made anew. Only who holds the index's lock may call this.
 * @throws {IndexError} for one of a newer version, which is left alone.
 */
export async function makeDatabase(path: string): Promise<Database> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite gives the files beside it the same mode.
  (await Deno.open(path, { write: true, create: true, mode: 0o600 })).close();
  await Deno.chmod(path, 0o600);
  const database = await connect(path);
  try {
    const found = usable(database, path);
    if (found === "empty") {
      makeTables(database);
      setUp(database);
    }
    if (found !== "older") return new Database(database);
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  await removeDatabase(path);
  return await makeDatabase(path);
}

/**
 * Opens the database of an index as it is; undefined where there is none that can be asked.
 * @throws {IndexError} for one of a newer version.
 */
export async function findDatabase(path: string): Promise<Database | undefined> {
  if (!await isThere(path)) return undefined;
  const database = await connect(path);
  try {
    if (usable(database, path) === "ours") return new Database(database);
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
}

function usable(database: DatabaseSync, path: string): Exclude<Found, "newer"> {
  const found = lookAt(database);
  if (found !== "newer") return found;
  throw new IndexError(
    `Cannot use the index "${path}": a newer Cordon made it, use that one or another --state`,
  );
}

async function isThere(path: string): Promise<boolean> {
  return await unlessMissing(Deno.lstat(path)) !== undefined;
}

/** Removes a database; who has it open goes on with what there was. */
export async function removeDatabase(path: string): Promise<void> {
  for (const name of allFiles(path)) await unlessMissing(Deno.remove(name));
}

/** Size on the disk, in bytes. */
export async function sizeOnDisk(path: string): Promise<number> {
  let bytes = 0;
  for (const name of allFiles(path)) bytes += (await unlessMissing(Deno.stat(name)))?.size ?? 0;
  return bytes;
}

/**
 * What SQLite says, by its own fixed words (`sqlite3_errstr`): Deno 2.9 gives its errors no code.
 */
const WORDS = {
  damaged: ["file is not a database", "database disk image is malformed"],
  held: ["database is locked", "database table is locked"],
  forbidden: ["attempt to write a readonly database", "unable to open database file"],
  full: ["database or disk is full", "disk I/O error"],
} as const;

type Trouble = keyof typeof WORDS | "other";

function allFiles(path: string): string[] {
  return [path, ...BESIDE.map((end) => path + end)];
}

/** Whether an error says that the file is no sound database. */
export function isDamage(error: unknown): boolean {
  return troubleOf(error) === "damaged";
}

/** An error of SQLite as one sentence for people; every other error as it is. */
export function asIndexError(path: string, error: unknown): unknown {
  switch (troubleOf(error)) {
    case undefined:
      return error;
    case "held":
      return said(path, "another process holds it: try again", error);
    case "forbidden":
      return said(path, "it may not be written: give the right to, or name another --state", error);
    case "full":
      return said(path, "the disk is full or broken: make room, or name another --state", error);
    case "damaged":
    case "other":
      return said(path, `${error instanceof Error ? error.message : error}: remove it`, error);
  }
}

function said(path: string, why: string, cause: unknown): IndexError {
  return new IndexError(`Cannot use the index "${path}": ${why}`, { cause });
}

/** Undefined for errors that are not SQLite's. */
function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR")) {
    return undefined;
  }
  // A cast: Object.entries forgets the names.
  const kinds = Object.entries(WORDS) as [keyof typeof WORDS, readonly string[]][];
  return kinds.find(([, words]) => words.some((word) => error.message.includes(word)))?.[0] ??
    "other";
}

async function connect(path: string): Promise<DatabaseSync> {
  // Loaded where an index is used: it costs a start some milliseconds.
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -${CACHE_KIB};`);
  // What a power cut takes is a cache, and what is damaged is made anew.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  database.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA journal_size_limit = 0;`);
  return database;
}

function setUp(database: DatabaseSync): void {
  database.exec(`INSERT INTO texts (texts, rank) VALUES ('hashsize', ${GATHERED_BYTES})`);
  database.exec(`INSERT INTO texts (texts, rank) VALUES ('automerge', ${MERGED_AT_ONCE})`);
}
