import { type Blobs, folderBlobs, makePrivateFolder, memoryBlobs } from "./blobs.ts";
import { Conversation, type ConversationView } from "./conversation.ts";
import type { LogFile } from "./log_file.ts";
import {
  type HeaderRecord,
  type LogRecord,
  type NewRecord,
  parseRecord,
  recordLine,
} from "./records.ts";

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

/** A session on its log, or on nothing. */
export class LoggedSession implements Session {
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

  /** `records` are those that `file` holds already. */
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
    const { name } = this.#conversation;
    const end = { type: "end" as const, reason, ...(name !== undefined && { name }) };
    const ended = this.#file?.failed ? undefined : this.append(end);
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
