import { reasonOf } from "../session/error.ts";
import { BatchError } from "./error.ts";
import { draftOf } from "./out_folder.ts";

/** How much is read at once on the way back to the last line feed, in bytes. */
const STEP = 64 * 1024;

const LINE_FEED = 0x0a;

/** A file of lines that only grows; each line is on the disk before anything builds on it. */
export class LineFile implements Disposable {
  readonly path: string;
  readonly #file: Deno.FsFile;
  /** In bytes: up to here the file holds whole lines. */
  #length: number;

  private constructor(path: string, file: Deno.FsFile, length: number) {
    this.path = path;
    this.#file = file;
    this.#length = length;
  }

  /**
   * Opens the file, which is made where it is not there. A last line that was torn is cut off;
   * `wasTorn` tells.
   * @throws {BatchError}
   */
  static open(path: string): { readonly file: LineFile; readonly wasTorn: boolean } {
    return LineFile.#openWith(path, {});
  }

  /**
   * Writes a file anew: whole, or not at all.
   * @throws {BatchError}
   * @throws what `write` does.
   */
  static async rewrite(path: string, write: (file: LineFile) => Promise<void>): Promise<void> {
    const draft = draftOf(path);
    using file = LineFile.#openWith(draft, { truncate: true }).file;
    await write(file);
    file.sync();
    try {
      await Deno.rename(draft, path);
    } catch (cause) {
      throw cannotWrite(path, cause);
    }
  }

  static #openWith(path: string, how: { readonly truncate?: true }) {
    try {
      const options = { read: true, write: true, create: true, mode: 0o600, ...how };
      const file = Deno.openSync(path, options);
      const { size } = file.statSync();
      const length = wholeLength(file, size);
      if (length < size) file.truncateSync(length);
      file.seekSync(length, Deno.SeekMode.Start);
      return { file: new LineFile(path, file, length), wasTorn: length < size };
    } catch (cause) {
      throw cannotWrite(path, cause);
    }
  }

  /**
   * Adds a line; it is on the disk when this returns.
   * @throws {BatchError} where it cannot be; the file is then cut back to what it held before.
   */
  append(line: string): void {
    this.add(line);
    this.sync();
  }

  /**
   * Adds a line, which is on the disk after {@linkcode sync}.
   * @throws {BatchError} where it cannot be; the file is then cut back to what it held before.
   */
  add(line: string): void {
    const bytes = new TextEncoder().encode(`${line}\n`);
    try {
      for (let done = 0; done < bytes.length;) done += this.#file.writeSync(bytes.subarray(done));
    } catch (cause) {
      this.#cutBack();
      throw cannotWrite(this.path, cause);
    }
    this.#length += bytes.length;
  }

  /** @throws {BatchError} where the disk refuses. */
  sync(): void {
    try {
      this.#file.syncDataSync();
    } catch (cause) {
      throw cannotWrite(this.path, cause);
    }
  }

  #cutBack(): void {
    try {
      this.#file.truncateSync(this.#length);
      this.#file.seekSync(this.#length, Deno.SeekMode.Start);
    } catch {
      // The half line stays; whoever opens the file next cuts it off.
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

/** Where the last whole line ends, in bytes. */
function wholeLength(file: Deno.FsFile, size: number): number {
  const bytes = new Uint8Array(STEP);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - STEP);
    file.seekSync(start, Deno.SeekMode.Start);
    const count = file.readSync(bytes.subarray(0, end - start)) ?? 0;
    const at = bytes.subarray(0, count).lastIndexOf(LINE_FEED);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

function cannotWrite(path: string, cause: unknown): BatchError {
  return new BatchError(`Cannot write "${path}": ${reasonOf(cause)}`, { cause });
}
