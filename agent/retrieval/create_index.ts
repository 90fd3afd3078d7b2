import { join } from "node:path";
import type { FileStamp } from "../../sandbox/files/files.ts";
import type {
  FileToIndex,
  Index,
  IndexHit,
  IndexQuery,
  IndexStatus,
  IndexWriter,
} from "../../tools/rag/index.ts";
import { fuseRanks, type Ranked } from "../../tools/rag/rank.ts";
import { textKind } from "../../tools/rag/structure.ts";
import { wantedPaths } from "../../tools/rag/wanted_paths.ts";
import { type Database, sizeOnDisk } from "./database.ts";
import { findChunks } from "./find_chunks.ts";
import { GuardedDatabase } from "./guarded_database.ts";
import { followSessions, type SessionPlace } from "./follow_sessions.ts";
import { readStatus } from "./status.ts";
import { type Vectors, vectorsBy } from "./vectors.ts";
import type { Embedder } from "./embedder.ts";
import { ChunkWriter, cutFile } from "./write_files.ts";

/** What an index is made from. */
export interface IndexOptions {
  /** Where indexes are kept, in the state folder. */
  readonly folder: string;
  /** As tools see it. */
  readonly workspace: string;
  /** Where earlier sessions lie. */
  readonly sessions: SessionPlace;
  /** Takes secrets out of what is kept. */
  redact(text: string): string;
  /** Absent where no embeddings are configured: then nothing is asked of anybody. */
  readonly embedder?: Embedder;
  readonly now: () => Date;
}

/** Of one file, chunks that are shown at the most: others may know something, too. */
const MAX_PER_FILE = 3;

/** Of each list of matches, this many times what is wanted: lists agree below their tops, too. */
const DEPTH = 5;

/** The index of a workspace; nothing is opened before it is used. */
export async function createIndex(options: IndexOptions): Promise<Index & Disposable> {
  const { folder, workspace, sessions, redact, embedder, now } = options;
  const path = join(folder, `${await nameOf(workspace)}.sqlite`);
  const guarded = new GuardedDatabase(path);
  const vectors = embedder && vectorsBy(embedder);
  return {
    root: workspace,
    update: (work) =>
      guarded.change(async (database) => {
        await work(writerTo(database, { redact, now, ...(vectors && { vectors }) }));
      }),
    clear: () => guarded.clear(),
    async followSessions(signal) {
      await guarded.change((database) => followSessions(database, sessions, redact, signal));
    },
    async search(query, signal) {
      const { asked, warning } = await askedVector(vectors, redact(query.text), signal);
      const found = await guarded.ask((database) => {
        const wanted = wantedOwners(database, query, workspace);
        return { wanted, hits: search(database, query, wanted, vectors, asked) };
      });
      if (found === "reset") return { ok: false, reason: "reset" };
      const { hits = [], wanted } = found ?? {};
      return {
        ok: true,
        hits,
        warnings: [
          ...(wanted?.size === 0 ? ["no file in the index is of that path and kind"] : []),
          ...(warning === undefined ? [] : [warning]),
        ],
      };
    },
    async status() {
      const found = await guarded.ask((database) => readStatus(database, vectors !== undefined));
      const bytes = await sizeOnDisk(path);
      return { ...(found === "reset" || !found ? NOTHING : found), bytes };
    },
    [Symbol.dispose]: () => guarded[Symbol.dispose](),
  };
}

const NOTHING: Omit<IndexStatus, "bytes"> = { files: 0, chunks: 0, sessions: 0, skipped: [] };

/** A name that no other folder has, and that tells nothing of it. */
async function nameOf(workspace: string): Promise<string> {
  const bytes = new TextEncoder().encode(workspace);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(0, 32);
}

interface WriterParts extends Pick<IndexOptions, "redact" | "now"> {
  readonly vectors?: Vectors;
}

function writerTo(database: Database, { redact, now, vectors }: WriterParts): IndexWriter {
  const writer = new ChunkWriter(database);
  const change = (act: () => void) => {
    try {
      database.transaction(act);
    } catch (error) {
      writer.undone();
      throw error;
    }
  };
  const embedding = vectors?.begin(database);
  return {
    known() {
      const known = knownFiles(database);
      for (const path of embedding?.lacking() ?? []) known.delete(path);
      return known;
    },
    async put(files: readonly FileToIndex[], signal) {
      const cut = files.map((file) => cutFile(file, redact));
      const prepared = await embedding?.prepare(cut, signal);
      change(() => {
        for (const file of prepared?.files ?? cut) writer.putFile(file);
        prepared?.save();
      });
    },
    drop: (paths) => change(() => paths.forEach((path) => writer.dropFile(path))),
    finish: () =>
      change(() => {
        const sql = "INSERT OR REPLACE INTO facts (name, value) VALUES ('updated', ?)";
        database.run(sql, now().toISOString());
      }),
  };
}

function knownFiles(database: Database): Map<string, FileStamp> {
  const sql = "SELECT path, size, mtime AS mtimeMs, inode FROM files";
  return new Map(database.all<FileStamp>(sql).map((stamp) => [stamp.path, stamp]));
}

/** The vector of a query; without one the words alone decide, which is said. */
async function askedVector(
  vectors: Vectors | undefined,
  text: string,
  signal: AbortSignal,
): Promise<{ asked?: Float32Array; warning?: string }> {
  if (!vectors) return {};
  try {
    return { asked: await vectors.ofQuery(text, signal) };
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    return { warning: error.message };
  }
}

function search(
  database: Database,
  query: IndexQuery,
  wanted: ReadonlySet<number> | undefined,
  vectors: Vectors | undefined,
  asked: Float32Array | undefined,
): IndexHit[] {
  const isWanted = wanted && ((chunk: number) => {
    const owner = database.get<{ owner: number }>("SELECT owner FROM chunks WHERE id = ?", chunk);
    return owner !== undefined && wanted.has(owner.owner);
  });
  const limit = query.limit * DEPTH;
  const about = { text: query.text, limit, ...(isWanted && { isWanted }) };
  const lists = findChunks(database, { ...about, sessions: false });
  const near = vectors && asked ? [vectors.nearest(database, asked, about)] : [];
  const inFiles = fileHits(database, fuseRanks([...lists, ...near]));
  if (!query.sessions) return inFiles.slice(0, query.limit);
  const said = findChunks(database, { text: query.text, limit, sessions: true });
  const inSessions = sessionHits(database, fuseRanks(said));
  return [...inFiles, ...inSessions].sort((a, b) => b.score - a.score).slice(0, query.limit);
}

/** Ids of the files that a query asks for; undefined: all of them. */
function wantedOwners(
  database: Database,
  { include, kind }: IndexQuery,
  workspace: string,
): Set<number> | undefined {
  if (include === undefined && kind === undefined) return undefined;
  const matches = wantedPaths(include ?? ".", workspace);
  const wanted = new Set<number>();
  for (
    const { id, path } of database.each<{ id: number; path: string }>("SELECT id, path FROM files")
  ) {
    if (matches(path) && (kind === undefined || textKind(path) === kind)) wanted.add(id);
  }
  return wanted;
}

type FileRow = FileStamp & {
  readonly first: number;
  readonly last: number;
  readonly title: string;
};

function fileHits(database: Database, ranked: readonly Ranked<number>[]): IndexHit[] {
  const perFile = new Map<string, number>();
  return ranked.flatMap(({ item, score }) => {
    const row = database.get<FileRow>(
      `SELECT path, size, mtime AS mtimeMs, inode, first, last, title
        FROM chunks JOIN files ON files.id = owner WHERE chunks.id = ?`,
      item,
    );
    if (!row) return [];
    const count = (perFile.get(row.path) ?? 0) + 1;
    perFile.set(row.path, count);
    if (count > MAX_PER_FILE) return [];
    const { first, last, title, ...stamp } = row;
    return [{ source: "file" as const, score, title, first, last, stamp }];
  });
}

interface SessionRow {
  readonly session: string;
  readonly title: string;
  readonly time: string;
  readonly text: string;
}

function sessionHits(database: Database, ranked: readonly Ranked<number>[]): IndexHit[] {
  return ranked.flatMap(({ item, score }) => {
    const row = database.get<SessionRow>(
      `SELECT session, title, time, text FROM chunks JOIN said ON said.id = chunks.id
        JOIN sessions ON sessions.id = owner WHERE chunks.id = ?`,
      item,
    );
    return row ? [{ source: "session" as const, score, ...row }] : [];
  });
}
