import { chunksOf } from "../../tools/rag/chunks.ts";
import { unlessMissing } from "../../sandbox/files/system_errors.ts";
import { SessionLogError } from "../session/error.ts";
import { listSessions } from "../session/list.ts";
import { logPath } from "../session/log.ts";
import { readLog } from "../session/read_log.ts";
import { isKnown, type LogRecord } from "../session/records.ts";
import type { Database } from "./database.ts";
import { ChunkWriter } from "./write_files.ts";

/** Where the sessions of a workspace lie. */
export interface SessionPlace {
  readonly folder: string;
  /** As logs name it. */
  readonly workspace: string;
  /** The one that runs: what it said is known to it. */
  readonly current: string;
}

/** Older ones are left out. */
const MAX_SESSIONS = 200;

/** Larger logs are left out, in bytes. */
const MAX_LOG_BYTES = 32 * 1024 * 1024;

/** Of one result so much is found, in UTF-16 units: what matters was said again. */
const MAX_RESULT = 4_000;

interface KnownSession {
  readonly id: number;
  readonly size: number;
  readonly mtime: number;
}

/** Takes in the sessions of a workspace that have changed, and lets go of those that are gone. */
export async function followSessions(
  database: Database,
  { folder, workspace, current }: SessionPlace,
  redact: (text: string) => string,
  signal: AbortSignal,
): Promise<void> {
  const writer = new ChunkWriter(database);
  const here = (await listSessions(folder))
    .filter(({ id, cwd }) => cwd === workspace && id !== current).slice(0, MAX_SESSIONS);
  for (const { id } of here) {
    signal.throwIfAborted();
    await followSession(database, writer, id, { path: logPath(folder, id), redact });
  }
  const ids = new Set(here.map(({ id }) => id));
  const known = database.all<{ session: string }>("SELECT session FROM sessions");
  const gone = known.filter(({ session }) => !ids.has(session));
  database.transaction(() => gone.forEach(({ session }) => forget(database, writer, session)));
}

async function followSession(
  database: Database,
  writer: ChunkWriter,
  session: string,
  { path, redact }: { path: string; redact: (text: string) => string },
): Promise<void> {
  const stat = await unlessMissing(Deno.stat(path));
  if (!stat || stat.size > MAX_LOG_BYTES) return;
  const [size, mtime] = [stat.size, stat.mtime?.getTime() ?? 0];
  const known = database.get<KnownSession>(
    "SELECT id, size, mtime FROM sessions WHERE session = ?",
    session,
  );
  if (known?.size === size && known.mtime === mtime) return;
  const said = await readSaid(path);
  if (!said) return;
  database.transaction(() => {
    forget(database, writer, session);
    const sql = "INSERT INTO sessions (session, size, mtime) VALUES (?, ?, ?)";
    database.run(sql, session, size, mtime);
    const owner = database.get<{ id: number }>("SELECT last_insert_rowid() AS id")?.id ?? 0;
    let id = Math.min(
      0,
      database.get<{ id: number | null }>("SELECT min(id) AS id FROM chunks")?.id ?? 0,
    );
    for (const { time, title, text } of said) {
      for (const chunk of chunksOf(redact(text), "said.md")) {
        writer.putChunk(--id, owner, "", { ...chunk, title });
        database.run("INSERT INTO said (id, time, text) VALUES (?, ?, ?)", id, time, chunk.text);
      }
    }
  });
}

function forget(database: Database, writer: ChunkWriter, session: string): void {
  const known = database.get<KnownSession>("SELECT id FROM sessions WHERE session = ?", session);
  if (!known) return;
  writer.dropChunks(known.id, "id < 0");
  database.run("DELETE FROM sessions WHERE id = ?", known.id);
}

interface Said {
  readonly time: string;
  /** By whom. */
  readonly title: string;
  readonly text: string;
}

/** Undefined for a log that cannot be read: whoever opens it is told why. */
async function readSaid(path: string): Promise<Said[] | undefined> {
  try {
    const { records } = readLog(await Deno.readFile(path), path);
    const names = new Map<string, string>();
    return records.flatMap((record) => saidIn(record, names));
  } catch (error) {
    if (error instanceof SessionLogError || error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function saidIn(record: LogRecord, names: Map<string, string>): Said[] {
  if (!isKnown(record)) return [];
  const { time } = record;
  switch (record.type) {
    case "user": {
      const texts = record.content.flatMap((part) => part.type === "text" ? [part.text] : []);
      return [{ time, title: "user", text: texts.join("\n") }];
    }
    case "assistant":
      return [{ time, title: "assistant", text: record.content }];
    case "tool_call":
      names.set(record.call_id, record.name);
      return [];
    case "tool_result": {
      const title = `result of ${names.get(record.call_id) ?? "a tool"}`;
      return [{ time, title, text: record.text.slice(0, MAX_RESULT).toWellFormed() }];
    }
    // All others are about the session itself.
    default:
      return [];
  }
}
