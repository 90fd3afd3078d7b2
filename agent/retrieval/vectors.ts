import type { Database } from "./database.ts";
import type { Embedder } from "./embedder.ts";
import type { ChunkQuery } from "./find_chunks.ts";
import type { CutFile } from "./write_files.ts";

/** Vectors of an index, as many as can be compared one by one in a moment. */
export const MAX_VECTORS = 20_000;

/** New ones in one update, so that no search waits for minutes; the next one goes on. */
const MAX_PER_UPDATE = 4_096;

/** Texts that are asked for at once, and requests at the same time. */
const PER_REQUEST = 64;
const PARALLEL = 4;

/** After a failure nothing is asked for so long, in milliseconds. */
const PAUSE_MS = 60_000;

/** Files whose chunks lack vectors that one update reads again, at the most. */
const MAX_CAUGHT_UP = 500;

/** Meaning as vectors, beside the words. */
export interface Vectors {
  /**
   * The vector of what is asked.
   * @throws {Error} where the server does not give it.
   */
  ofQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
  /** Those of one update. */
  begin(database: Database): VectorWriter;
  /** Ids of the chunks of files that are nearest, the nearest first. */
  nearest(
    database: Database,
    vector: Float32Array,
    query: Pick<ChunkQuery, "limit" | "isWanted">,
  ): number[];
}

/** Gathers vectors for what one update takes in. */
export interface VectorWriter {
  /** Files that are as they were, but whose vectors are still to be had. */
  lacking(): string[];
  /**
   * The files with the hashes by which their vectors are found. What the server does not give is
   * left out, and is asked for by a later update.
   */
  prepare(files: readonly CutFile[], signal: AbortSignal): Promise<PreparedVectors>;
}

export interface PreparedVectors {
  readonly files: readonly CutFile[];
  /** Keeps the new vectors; to be called in a transaction. */
  save(): void;
}

/** Vectors by an embedder, kept by the hash of their text so that none is asked for twice. */
export function vectorsBy(embedder: Embedder, now: () => number = Date.now): Vectors {
  let pausedUntil = 0;
  return {
    async ofQuery(text, signal) {
      const [vector] = await embedder.embed([text], signal);
      if (!vector) throw new Error(`Cannot use ${embedder.id}: it gave no vector`);
      return vector;
    },
    begin(database) {
      let left = MAX_PER_UPDATE;
      ofThisEmbedder(database, embedder.id);
      const room = () =>
        now() < pausedUntil ? 0 : Math.min(left, MAX_VECTORS - countVectors(database));
      return {
        lacking: () => room() > 0 ? filesWithout(database) : [],
        async prepare(files, signal) {
          const hashed = await withHashes(files, embedder.id);
          const missing = missingTexts(database, hashed).slice(0, Math.max(0, room()));
          left -= missing.length;
          const made = await embedAll(embedder, missing, signal).catch((error) => {
            signal.throwIfAborted();
            if (!(error instanceof Error)) throw error;
            pausedUntil = now() + PAUSE_MS;
            return [];
          });
          return {
            files: hashed,
            save() {
              for (const { hash, vector } of made) {
                const sql = "INSERT OR IGNORE INTO vectors (hash, vector) VALUES (?, ?)";
                database.run(sql, hash, packed(vector));
              }
            },
          };
        },
      };
    },
    nearest: (database, vector, query) =>
      fact(database) === embedder.id ? nearest(database, vector, query) : [],
  };
}

/** Vectors of another model do not compare: they go when the model changes. */
function ofThisEmbedder(database: Database, id: string): void {
  if (fact(database) === id) return;
  database.transaction(() => {
    database.run("DELETE FROM vectors");
    database.run("UPDATE chunks SET hash = NULL WHERE hash IS NOT NULL");
    database.run("INSERT OR REPLACE INTO facts (name, value) VALUES ('embedder', ?)", id);
  });
}

function fact(database: Database): string | undefined {
  return database.get<{ value: string }>("SELECT value FROM facts WHERE name = 'embedder'")?.value;
}

function countVectors(database: Database): number {
  return database.get<{ count: number }>("SELECT count(*) AS count FROM vectors")?.count ?? 0;
}

function filesWithout(database: Database): string[] {
  const sql = `SELECT DISTINCT path FROM chunks JOIN files ON files.id = owner
    WHERE chunks.id > 0 AND (hash IS NULL OR hash NOT IN (SELECT hash FROM vectors))
    LIMIT ${MAX_CAUGHT_UP}`;
  return database.all<{ path: string }>(sql).map(({ path }) => path);
}

async function withHashes(files: readonly CutFile[], id: string): Promise<CutFile[]> {
  return await Promise.all(files.map(async (file) => ({
    ...file,
    chunks: await Promise.all(file.chunks.map(async (chunk) => ({
      ...chunk,
      hash: await hashOf(`${id}\0${chunk.text}`),
    }))),
  })));
}

async function hashOf(text: string): Promise<Uint8Array> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(hash, 0, 16);
}

interface Missing {
  readonly hash: Uint8Array;
  readonly text: string;
}

function missingTexts(database: Database, files: readonly CutFile[]): Missing[] {
  const missing = new Map<string, Missing>();
  for (const { text, hash } of files.flatMap(({ chunks }) => chunks)) {
    if (hash && !database.get("SELECT 1 FROM vectors WHERE hash = ?", hash)) {
      missing.set(hash.toHex(), { hash, text });
    }
  }
  return [...missing.values()];
}

async function embedAll(embedder: Embedder, missing: readonly Missing[], signal: AbortSignal) {
  const made: { hash: Uint8Array; vector: Float32Array }[] = [];
  for (let at = 0; at < missing.length; at += PER_REQUEST * PARALLEL) {
    const group = missing.slice(at, at + PER_REQUEST * PARALLEL);
    const requests = Array.from(
      { length: Math.ceil(group.length / PER_REQUEST) },
      (_, n) => group.slice(n * PER_REQUEST, (n + 1) * PER_REQUEST),
    );
    const vectors = await Promise.all(
      requests.map((part) => embedder.embed(part.map(({ text }) => text), signal)),
    );
    group.forEach(({ hash }, index) => {
      const vector = vectors.flat()[index];
      if (vector) made.push({ hash, vector });
    });
  }
  return made;
}

/** A vector of length 1 in a byte for each number: its direction is all that is compared. */
export function packed(vector: Float32Array): Uint8Array {
  const length = Math.hypot(...vector) || 1;
  const bytes = Int8Array.from(vector, (value) => Math.round(127 * value / length));
  return new Uint8Array(bytes.buffer);
}

function nearest(
  database: Database,
  vector: Float32Array,
  { limit, isWanted = () => true }: Pick<ChunkQuery, "limit" | "isWanted">,
): number[] {
  const asked = new Int8Array(packed(vector).buffer);
  const sql = `SELECT chunks.id AS id, vector FROM chunks JOIN vectors USING (hash)
    WHERE chunks.id > 0`;
  const found: { id: number; nearness: number }[] = [];
  for (const row of database.each<{ id: number; vector: Uint8Array }>(sql)) {
    const nearness = dot(asked, row.vector);
    if (nearness > 0 && isWanted(row.id)) found.push({ id: row.id, nearness });
  }
  return found.sort((a, b) => b.nearness - a.nearness).slice(0, limit).map(({ id }) => id);
}

/** 0 where they have not the same number of dimensions. */
function dot(asked: Int8Array, { buffer, byteOffset, length }: Uint8Array): number {
  if (asked.length !== length) return 0;
  const other = new Int8Array(buffer, byteOffset, length);
  let sum = 0;
  for (let at = 0; at < length; at++) sum += (asked[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
