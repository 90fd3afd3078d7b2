import type { IndexStatus, SkipReason } from "../../tools/rag/index.ts";
import type { Database } from "./database.ts";

/** Files named of each reason, at the most. */
const MAX_EXAMPLES = 5;

interface Count {
  readonly count: number;
}

/** What a database holds. */
export function readStatus(database: Database, embeds: boolean): Omit<IndexStatus, "bytes"> {
  const count = (sql: string) =>
    database.get<Count>(`SELECT count(*) AS count FROM ${sql}`)?.count ?? 0;
  const updated = database.get<{ value: string }>("SELECT value FROM facts WHERE name = 'updated'");
  return {
    files: count("files WHERE skipped IS NULL"),
    chunks: count("chunks WHERE id > 0"),
    sessions: count("sessions"),
    ...(embeds && { embedded: count("chunks WHERE hash IN (SELECT hash FROM vectors)") }),
    ...(updated && { updated: updated.value }),
    skipped: database.all<Count & { reason: SkipReason }>(
      `SELECT skipped AS reason, count(*) AS count FROM files
        WHERE skipped IS NOT NULL GROUP BY skipped ORDER BY skipped`,
    ).map(({ reason, count }) => ({ reason, count, examples: examplesOf(database, reason) })),
  };
}

function examplesOf(database: Database, reason: SkipReason): string[] {
  const sql = `SELECT path FROM files WHERE skipped = ? ORDER BY path LIMIT ${MAX_EXAMPLES}`;
  return database.all<{ path: string }>(sql, reason).map(({ path }) => path);
}
