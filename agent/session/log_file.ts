import { reasonOf, SessionLogError } from "./error.ts";

/**
 * The file of one log, held open under an exclusive lock. Each line is one write, so that a log
 * that breaks off breaks inside its last line.
 */
export class LogFile {
  readonly path: string;
  readonly #file: Deno.FsFile;
  /** In bytes: up to here the file holds whole lines. */
  #length: number;
  #failure: SessionLogError | undefined;
  /** A sync that has not begun; it covers all lines written before it begins. */
  #nextSync: Promise<void> | undefined;
  #lastSync: Promise<void> = Promise.resolve();

  /** `file` is open to read and append, and locked; `length` is in bytes. */
  constructor(path: string, file: Deno.FsFile, length: number) {
    this.path = path;
    this.#file = file;
    this.#length = length;
  }

  /**
   * Makes the file, readable for its owner alone.
   * @throws {Deno.errors.AlreadyExists} where there is one.
   */
  static async create(path: string): Promise<LogFile> {
    const file = await Deno.open(path, { read: true, append: true, createNew: true, mode: 0o600 });
    return await lock(path, file, 0);
  }

  /**
   * Opens the file, and reads it.
   * @throws {SessionLogError} "locked" where another has it open.
   */
  static async open(path: string): Promise<{ file: LogFile; bytes: Uint8Array }> {
    const opened = await Deno.open(path, { read: true, append: true });
    // Locked before it is read: what another still writes would be missed.
    const file = await lock(path, opened, 0);
    const bytes = await readAll(opened);
    file.#length = bytes.length;
    return { file, bytes };
  }

  /** A write or a sync has failed, so that nothing more can be written. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Cuts off what follows the first `length` bytes.
   * @throws {SessionLogError} "write".
   */
  cut(length: number): void {
    try {
      if (length < this.#length) this.#file.truncateSync(length);
      this.#length = length;
    } catch (cause) {
      throw this.#fail(cause);
    }
  }

  /**
   * Writes whole lines; they are durable once {@linkcode durable} resolves.
   * @throws {SessionLogError} "write"; the file is then cut back to what it held before, and every
   * later write throws the same.
   */
  write(lines: string): void {
    if (this.#failure) throw this.#failure;
    const bytes = new TextEncoder().encode(lines);
    try {
      for (let done = 0; done < bytes.length;) done += this.#file.writeSync(bytes.subarray(done));
    } catch (cause) {
      this.#cutBack();
      throw this.#fail(cause);
    }
    this.#length += bytes.length;
  }

  /** Resolves when all that was written is on the disk; appends that follow each other share a sync. */
  durable(): Promise<void> {
    this.#nextSync ??= this.#lastSync.then(() => this.#sync());
    return this.#nextSync;
  }

  /** Gives the file and its lock free. */
  async close(): Promise<void> {
    // A failed sync was thrown to whoever waited for it.
    await (this.#nextSync ?? this.#lastSync).catch(() => {});
    this.#file.close();
  }

  #sync(): Promise<void> {
    this.#lastSync = this.#nextSync ?? Promise.resolve();
    this.#nextSync = undefined;
    return this.#file.syncData().catch((cause) => {
      throw this.#fail(cause);
    });
  }

  #cutBack(): void {
    try {
      this.#file.truncateSync(this.#length);
    } catch {
      // The half line stays; a reader takes it for a torn one and passes over it.
    }
  }

  #fail(cause: unknown): SessionLogError {
    this.#failure ??= new SessionLogError(
      "write",
      this.path,
      `Cannot write session log "${this.path}": ${reasonOf(cause)}`,
      { cause },
    );
    return this.#failure;
  }
}

/** Whether somebody has a log open, in this process or another; what cannot be looked at is not. */
export async function isLogOpen(path: string): Promise<boolean> {
  try {
    using file = await Deno.open(path);
    return !await file.tryLock(true);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}

async function lock(path: string, file: Deno.FsFile, length: number): Promise<LogFile> {
  if (await file.tryLock(true)) return new LogFile(path, file, length);
  file.close();
  throw new SessionLogError(
    "locked",
    path,
    `Cannot open session log "${path}": another process has it open, end that one or fork the session`,
  );
}

async function readAll(file: Deno.FsFile): Promise<Uint8Array> {
  const { size } = await file.stat();
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const count = await file.read(bytes.subarray(length));
    if (count === null) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
