import { join } from "node:path";
import { makePrivateFolder } from "./blobs.ts";
import { lostChildRecord } from "./child_records.ts";
import { interruptedRecord, lostJobRecord } from "./convert.ts";
import { reasonOf, SessionLogError } from "./error.ts";
import { LogFile } from "./log_file.ts";
import { type LogContents, readLog } from "./read_log.ts";
import { FORMAT, type HeaderRecord, type LogRecord, recordLine } from "./records.ts";
import { LoggedSession, type Session } from "./session.ts";
import { ID_ATTEMPTS, isSessionId, sessionId } from "./session_id.ts";

export type { Session } from "./session.ts";

/** What a new session is made of. */
export interface SessionOptions {
  /** The folder of all sessions; made where it is not there. */
  readonly folder: string;
  /** Absolute. */
  readonly cwd: string;
  /** Of this program. */
  readonly version: string;
  /** The session that this one comes from. */
  readonly parent?: string;
  /** It is the work of a sub-agent of that session, in this role. */
  readonly child?: { readonly role: string };
  now(): Date;
  /** The last part of the id: a few letters or digits, other ones each time. */
  random(): string;
}

/**
 * Begins a session.
 * @throws {SessionLogError} "write" where its log cannot be made.
 */
export function createSession(options: SessionOptions): Promise<Session> {
  return startSession(options, () => []);
}

/**
 * Begins a session that already holds the records that `recordsFor` makes for its header.
 * @throws {SessionLogError} "write" where its log cannot be made.
 */
export async function startSession(
  options: SessionOptions,
  recordsFor: (header: HeaderRecord) => readonly LogRecord[],
): Promise<Session> {
  const { header, file } = await createLog(options);
  const records = recordsFor(header);
  try {
    file.write([header, ...records].map(recordLine).join(""));
    await file.durable();
    return await resumed(new LoggedSession({ header, records, file, now: options.now }));
  } catch (error) {
    await file.close();
    await Deno.remove(file.path);
    throw error;
  }
}

/**
 * Opens a session again: a torn last line is cut off, calls without result are answered by
 * `[interrupted]`, and jobs that ran are told as lost.
 * @throws {SessionLogError} "missing", "locked", "unreadable", or "write".
 */
export async function openSession(
  { folder, id, now }: { folder: string; id: string; now(): Date },
): Promise<Session> {
  const { file, bytes } = await openLog(logPath(folder, id));
  try {
    const { header, records, wholeBytes } = readLog(bytes, file.path);
    file.cut(wholeBytes);
    // A last line that lacks nothing but its line feed.
    if (bytes[wholeBytes - 1] !== LINE_FEED) file.write("\n");
    return await resumed(new LoggedSession({ header, records, file, now }));
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A session that leaves nothing on disk. */
export function memorySession(options: Omit<SessionOptions, "folder">): Session {
  const header = headerOf(options);
  return new LoggedSession({ header, records: [], now: options.now });
}

/**
 * Where a session's log lies.
 * @throws {SessionLogError} "missing" where `id` can be no session's id.
 */
export function logPath(folder: string, id: string): string {
  if (isSessionId(id)) return join(folder, `${id}.jsonl`);
  throw new SessionLogError("missing", folder, `Cannot open session "${id}": no session's id`);
}

/** The error for a log that cannot be opened. */
export function cannotOpen(path: string, cause: unknown): SessionLogError {
  const missing = cause instanceof Deno.errors.NotFound;
  const why = missing ? "there is no such session" : reasonOf(cause);
  const message = `Cannot open session log "${path}": ${why}`;
  return new SessionLogError(missing ? "missing" : "unreadable", path, message, { cause });
}

/**
 * Reads a log without opening it for oneself: another may have it open.
 * @throws {SessionLogError} "missing" or "unreadable".
 */
export async function readLogFile(path: string): Promise<LogContents> {
  let bytes;
  try {
    bytes = await Deno.readFile(path);
  } catch (cause) {
    throw cannotOpen(path, cause);
  }
  return readLog(bytes, path);
}

const LINE_FEED = 0x0a;

async function resumed(session: Session): Promise<Session> {
  const { unanswered, runningJobs, runningChildren } = session.conversation;
  const records = [
    ...unanswered.map((call) => interruptedRecord(call.callId)),
    ...runningJobs.map(lostJobRecord),
    ...runningChildren.map(lostChildRecord),
  ];
  await Promise.all(records.map((record) => session.append(record)));
  return session;
}

async function openLog(path: string): Promise<{ file: LogFile; bytes: Uint8Array }> {
  try {
    return await LogFile.open(path);
  } catch (cause) {
    throw cause instanceof SessionLogError ? cause : cannotOpen(path, cause);
  }
}

async function createLog(
  options: SessionOptions,
): Promise<{ header: HeaderRecord; file: LogFile }> {
  try {
    await makePrivateFolder(options.folder);
    for (let attempt = 1;; attempt++) {
      const header = headerOf(options);
      try {
        return { header, file: await LogFile.create(logPath(options.folder, header.id)) };
      } catch (error) {
        const taken = error instanceof Deno.errors.AlreadyExists;
        if (!taken || attempt === ID_ATTEMPTS) throw error;
      }
    }
  } catch (cause) {
    if (cause instanceof SessionLogError) throw cause;
    const message = `Cannot begin a session in "${options.folder}": ${reasonOf(cause)}; ` +
      "--state DIR keeps it elsewhere, --no-session keeps none";
    throw new SessionLogError("write", options.folder, message, { cause });
  }
}

function headerOf(options: Omit<SessionOptions, "folder">): HeaderRecord {
  const now = options.now();
  const created = now.toISOString();
  return {
    type: "header",
    format: FORMAT,
    id: sessionId(now, options.random()),
    parent: options.parent ?? null,
    time: created,
    cwd: options.cwd,
    created,
    version: options.version,
    ...(options.child && { child: options.child }),
  };
}
