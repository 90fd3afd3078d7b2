import type { FileStamp } from "../../sandbox/files/files.ts";
import { type Chunk, chunksOf } from "../../tools/rag/chunks.ts";
import type { FileToIndex, SkipReason } from "../../tools/rag/index.ts";
import { identifierParts, WordExtractor } from "../../tools/rag/words.ts";
import type { Database } from "./database.ts";

/** A file taken apart, ready to be written. */
export interface CutFile {
  readonly stamp: FileStamp;
  readonly skipped: SkipReason | null;
  readonly chunks: readonly CutChunk[];
}

/** A chunk, and what finds its vector where there are embeddings. */
export interface CutChunk extends Chunk {
  readonly hash?: Uint8Array;
}

/**
 * Takes a file apart, its secrets left out. A secret of several lines would move all lines below
 * it, and a file that holds one is a key or made of keys: it is not searched.
 */
export function cutFile(
  { stamp, content }: FileToIndex,
  redact: (text: string) => string,
): CutFile {
  if ("skipped" in content) return { stamp, skipped: content.skipped, chunks: [] };
  const text = redact(content.text);
  if (text !== content.text && countLines(text) !== countLines(content.text)) {
    return { stamp, skipped: "holds_a_key", chunks: [] };
  }
  return { stamp, skipped: null, chunks: chunksOf(text, stamp.path) };
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Writes chunks and their words. */
export class ChunkWriter {
  readonly #database: Database;
  readonly #extractor = new WordExtractor();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Takes a file in, in place of what was known of it. To be called in a transaction. */
  putFile({ stamp, skipped, chunks }: CutFile): void {
    const { path, size, mtimeMs, inode } = stamp;
    this.dropFile(path);
    this.#database.run(
      "INSERT INTO files (path, size, mtime, inode, skipped) VALUES (?, ?, ?, ?, ?)",
      ...[path, size, mtimeMs, inode, skipped],
    );
    const owner = this.#database.get<{ id: number }>("SELECT last_insert_rowid() AS id")?.id ?? 0;
    const top = this.#database.get<{ id: number | null }>("SELECT max(id) AS id FROM chunks");
    let id = Math.max(0, top?.id ?? 0);
    for (const chunk of chunks) this.putChunk(++id, owner, path, chunk);
  }

  /** To be called in a transaction. */
  dropFile(path: string): void {
    const file = this.#database.get<{ id: number }>("SELECT id FROM files WHERE path = ?", path);
    if (!file) return;
    this.dropChunks(file.id, "id > 0");
    this.#database.run("DELETE FROM files WHERE id = ?", file.id);
  }

  /** Removes the chunks of a file (`id > 0`) or of a session (`id < 0`). */
  dropChunks(owner: number, which: "id > 0" | "id < 0"): void {
    const sql = `SELECT id FROM chunks WHERE owner = ? AND ${which}`;
    for (const { id } of this.#database.all<{ id: number }>(sql, owner)) {
      this.#database.run("DELETE FROM texts WHERE rowid = ?", id);
      this.#database.run("DELETE FROM chunks WHERE id = ?", id);
      if (id < 0) this.#database.run("DELETE FROM said WHERE id = ?", id);
    }
  }

  /** Writes one chunk, which can be found by its words, and by those of its name. */
  putChunk(id: number, owner: number, name: string, chunk: CutChunk): void {
    const { first, last, title, text, hash = null } = chunk;
    this.#database.run(
      "INSERT INTO chunks (id, owner, first, last, title, hash) VALUES (?, ?, ?, ?, ?, ?)",
      ...[id, owner, first, last, title, hash],
    );
    const { parts, vocabulary } = this.#extractor.extract(text);
    const named = `${name} ${title}`;
    this.#database.run(
      "INSERT INTO texts (rowid, name, words, parts) VALUES (?, ?, ?, ?)",
      ...[id, `${named} ${identifierParts(named).join(" ")}`, text, parts],
    );
    for (const term of vocabulary) this.#learn(term);
  }

  /** What was written since the last transaction was undone. */
  undone(): void {
    this.#extractor.forget();
  }

  #learn(term: string): void {
    if (this.#database.run("INSERT OR IGNORE INTO terms (term) VALUES (?)", term) === 0) return;
    this.#database.run("INSERT INTO grams (rowid, term) VALUES (last_insert_rowid(), ?)", term);
  }
}
