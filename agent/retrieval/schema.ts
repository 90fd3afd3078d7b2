import type { DatabaseSync } from "node:sqlite";

/** Raised whenever tables, or what stands in them, are made in another way. */
export const SCHEMA_VERSION = 1;

/** Weights of the columns of `texts` for bm25: a name says more than a line, a part of a word less. */
export const WEIGHTS = "4.0, 1.0, 0.7";

/**
 * Chunks of files have positive ids and those of sessions negative ones, so that one full-text
 * table serves both and either can be asked for alone. `texts` keeps no text (contentless), only
 * words and their places; `terms` are the distinct words, whose trigrams find parts of them.
 */
const TABLES = `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    mtime REAL NOT NULL,
    inode INTEGER NOT NULL,
    skipped TEXT
  ) STRICT;
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    mtime REAL NOT NULL
  ) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    title TEXT NOT NULL,
    hash BLOB
  ) STRICT;
  CREATE INDEX chunks_of ON chunks (owner);
  CREATE TABLE said (
    id INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE texts USING fts5 (
    name, words, parts,
    content='', contentless_delete=1,
    tokenize="porter unicode61 remove_diacritics 2 tokenchars '_'"
  );
  CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE) STRICT;
  CREATE VIRTUAL TABLE grams USING fts5 (
    term, content='terms', content_rowid='id', tokenize='trigram', detail='none', columnsize=0
  );
  CREATE TABLE vectors (hash BLOB PRIMARY KEY, vector BLOB NOT NULL) STRICT, WITHOUT ROWID;
`;

/** What a database file turns out to be. */
export type Found = "empty" | "ours" | "older" | "newer";

/** Looks at a database that was opened. */
export function lookAt(database: DatabaseSync): Found {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (version === SCHEMA_VERSION) return "ours";
  if (version > SCHEMA_VERSION) return "newer";
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get();
  return version === 0 && tables?.count === 0 ? "empty" : "older";
}

/** Makes the tables in an empty database. */
export function makeTables(database: DatabaseSync): void {
  database.exec(`BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
}
