import { join } from "node:path";
import { type Blobs, folderBlobs, makePrivateFolder, memoryBlobs } from "./blobs.ts";
import { Conversation, type ConversationView } from "./conversation.ts";
import { interruptedRecord } from "./convert.ts";
import { reasonOf, SessionLogError } from "./error.ts";
import { LogFile } from "./log_file.ts";
import { readLog } from "./read_log.ts";
import {
  FORMAT,
  type HeaderRecord,
  type LogRecord,
  type NewRecord,
  parseRecord,
  recordLine,
} from "./records.ts";
import { ID_ATTEMPTS, isSessionId, sessionId } from "./session_id.ts";

/** A session that is being written. */
export interface Session {
  readonly id: string;
  readonly header: HeaderRecord;
  /** The log; undefined where nothing is kept on disk. */
  readonly path: string | undefined;
  /** Absolute folder of images and spills, which {@linkcode makeFolder} makes. */
  readonly folder: string | undefined;
  readonly conversation: ConversationView;
  readonly blobs: Blobs;
  /**
   * Adds a record; `conversation` has it at once, and the disk when the promise resolves, to the
   * record's id. Records keep the order of the calls, also of those that were not awaited.
   * @throws {SessionLogError} "write"; nothing can be appended after that.
   * @throws {TypeError} where the record is none that could be read back.
   */
  append(record: NewRecord): Promise<string>;
  /** Makes `folder` where it is not there yet, for its owner alone, and resolves to it. */
  makeFolder(): Promise<string | undefined>;
  /** Writes the `end` record and lets the session go; a second call does nothing. */
  close(reason: string): Promise<void>;
}

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
 * Opens a session again: a torn last line is cut off, and calls without result are answered by
 * `[interrupted]`.
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

const LINE_FEED = 0x0a;

class LoggedSession implements Session {
  readonly header: HeaderRecord;
  readonly path: string | undefined;
  readonly folder: string | undefined;
  readonly blobs: Blobs;
  readonly #conversation = new Conversation();
  readonly #file: LogFile | undefined;
  readonly #now: () => Date;
  #lastId: string;
  #count = 0;
  #closed = false;

  constructor(parts: {
    header: HeaderRecord;
    records: readonly LogRecord[];
    file?: LogFile;
    now: () => Date;
  }) {
    this.header = parts.header;
    this.#file = parts.file;
    this.#now = parts.now;
    this.path = parts.file?.path;
    this.folder = this.path?.slice(0, -".jsonl".length);
    this.blobs = this.folder === undefined ? memoryBlobs() : folderBlobs(this.folder);
    this.#lastId = this.header.id;
    for (const record of parts.records) this.#take(record);
  }

  get id(): string {
    return this.header.id;
  }

  get conversation(): ConversationView {
    return this.#conversation;
  }

  async append(record: NewRecord): Promise<string> {
    if (this.#closed) throw new TypeError("Cannot append to a session: it is closed");
    const stamped = {
      id: `r${this.#count + 1}`,
      parent: this.#lastId,
      time: this.#now().toISOString(),
      ...record,
    };
    const line = recordLine(stamped);
    // Read back what goes to disk: the live fold sees exactly what a resume will see.
    const parsed = parseRecord(JSON.parse(line));
    if (!parsed.ok) throw new TypeError(`Cannot append a ${record.type} record: ${parsed.problem}`);
    this.#file?.write(line);
    this.#take(parsed.record);
    await this.#file?.durable();
    return parsed.record.id;
  }

  async makeFolder(): Promise<string | undefined> {
    if (this.folder !== undefined) await makePrivateFolder(this.folder);
    return this.folder;
  }

  async close(reason: string): Promise<void> {
    if (this.#closed) return;
    // A log that failed has said so to whoever appended.
    const ended = this.#file?.failed ? undefined : this.append({ type: "end", reason });
    this.#closed = true;
    try {
      await ended;
    } finally {
      await this.#file?.close();
    }
  }

  #take(record: LogRecord): void {
    this.#conversation.apply(record);
    this.#lastId = record.id;
    this.#count++;
  }
}

async function resumed(session: Session): Promise<Session> {
  const { unanswered } = session.conversation;
  await Promise.all(unanswered.map((call) => session.append(interruptedRecord(call.callId))));
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
    const message = `Cannot begin a session in "${options.folder}": ${reasonOf(cause)}`;
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
  };
}
