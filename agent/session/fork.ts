import { join } from "node:path";
import { logPath, readLogFile, type Session, type SessionOptions, startSession } from "./log.ts";
import type { LogContents } from "./read_log.ts";
import { type HeaderRecord, isPrompt, type LogRecord, recordLine } from "./records.ts";

/**
 * Begins a session that goes on where another stands, or stood: the other's records and the files
 * that they name are copied, the other is left as it is and may be open elsewhere.
 * @throws {SessionLogError} "missing" or "unreadable" for the other, "write" for the new one.
 * @throws {RangeError} where `upTo` is no record of the other.
 */
export async function forkSession(
  from: {
    readonly folder: string;
    readonly id: string;
    /** Id of the last record to take, or of the header; all are taken where it is absent. */
    readonly upTo?: string;
  },
  options: Omit<SessionOptions, "parent">,
): Promise<Session> {
  const source = await readLogFile(logPath(from.folder, from.id));
  const taken = recordsUpTo(source, from.upTo);
  const session = await startSession({ ...options, parent: from.id }, (header) => {
    return rooted(taken, header);
  });
  try {
    // Two sessions of one name could not be told apart by it.
    if (session.conversation.name !== undefined) await session.append({ type: "name", name: "" });
    await copyNamedFiles(join(from.folder, from.id), taken, session);
  } catch (error) {
    await session.close("failed");
    throw error;
  }
  return session;
}

/**
 * Where a session can be forked to say something in another way: for each thing that a person said,
 * the id of the record (or header) before it.
 * @throws {SessionLogError} "missing" or "unreadable".
 */
export async function forkPoints(folder: string, id: string): Promise<string[]> {
  const { records } = await readLogFile(logPath(folder, id));
  return records.filter(isPrompt).map(({ parent }) => parent);
}

function recordsUpTo(
  { header, records }: LogContents,
  id: string | undefined,
): readonly LogRecord[] {
  if (id === undefined) return records;
  if (id === header.id) return [];
  const index = records.findIndex((record) => record.id === id);
  if (index < 0) throw new RangeError(`Cannot fork at record "${id}": the session has none such`);
  return records.slice(0, index + 1);
}

/** The records as they follow a header of their own. */
function rooted(records: readonly LogRecord[], header: HeaderRecord): LogRecord[] {
  return records.map((record, i) => i === 0 ? { ...record, parent: header.id } : record);
}

/** Copies the files beside a log whose names occur in records: blobs, and spills told in texts. */
async function copyNamedFiles(
  folder: string,
  records: readonly LogRecord[],
  session: Session,
): Promise<void> {
  const files = await fileNames(folder);
  if (files.length === 0) return;
  const words = new Set<string>();
  for (const record of records) {
    for (const [word] of recordLine(record).matchAll(FILE_NAME)) words.add(word);
  }
  const named = files.filter((name) => words.has(name));
  const target = named.length > 0 ? await session.makeFolder() : undefined;
  if (target === undefined) return;
  for (const name of named) await Deno.copyFile(join(folder, name), join(target, name));
}

/** What can be a file's name, without a full stop that ends a sentence. */
const FILE_NAME = /[\w-]+(?:\.[\w-]+)*/g;

async function fileNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) if (isFile) names.push(name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names;
}
