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

  private constructor(path: string, file: Deno.FsFile, length: number) {
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
    return await locked(path, file, (file) => new LogFile(path, file, 0));
  }

  /**
   * Opens the file; what `wholeBytes` does not count of its bytes is cut off.
   * @throws {SessionLogError} "locked" where another has it open, and whatever `wholeBytes` throws.
   */
  static async open(path: string, wholeBytes: (bytes: Uint8Array) => number): Promise<LogFile> {
    const file = await Deno.open(path, { read: true, append: true });
    return await locked(path, file, async (file) => {
      const bytes = await readAll(file);
      const length = wholeBytes(bytes);
      if (length < bytes.length) await file.truncate(length);
      const log = new LogFile(path, file, length);
      // A last line that lacks nothing but its line feed.
      if (length > 0 && bytes[length - 1] !== LINE_FEED) log.write("\n");
      return log;
    });
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

const LINE_FEED = 0x0a;

async function locked<T>(
  path: string,
  file: Deno.FsFile,
  use: (file: Deno.FsFile) => T | Promise<T>,
): Promise<T> {
  try {
    if (!await file.tryLock(true)) {
      throw new SessionLogError(
        "locked",
        path,
        `Cannot open session log "${path}": another process has it open, end that one or fork the session`,
      );
    }
    return await use(file);
  } catch (error) {
    file.close();
    throw error;
  }
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
