import { join } from "node:path";
import { errorCode, isForbidden } from "../files/system_errors.ts";

/** How much of a command's output a spill file holds at the most, in bytes (design: 64 MB). */
export const SPILL_BYTES = 64 * 1024 * 1024;

/** How much all spill files of one run hold at the most, in bytes: as much as 16 large ones. */
export const SESSION_SPILL_BYTES = 16 * SPILL_BYTES;

/**
 * How much output of both streams together is held back before a file is made, in bytes: what the
 * model is shown (50 KB) and the memory limit of a stream (64 KB) are not below it.
 */
export const SPILL_AFTER_BYTES = 50 * 1024;

export interface SpillOptions {
  readonly folder: string;
  /** Name of the file in the folder; where it is taken, a number is added. */
  readonly name: string;
  /** Default {@linkcode SPILL_BYTES}. */
  readonly maxBytes?: number;
  /** What all spills that share it may take; default no bound. */
  readonly budget?: SpillBudget | undefined;
}

/** Disk that the spill files of a session share, so that many commands do not fill it either. */
export class SpillBudget {
  #left: number;

  /** @param bytes What is left; default {@linkcode SESSION_SPILL_BYTES}. */
  constructor(bytes = SESSION_SPILL_BYTES) {
    this.#left = bytes;
  }

  /** Takes `bytes` of it or what is left; answers how many may be written. */
  take(bytes: number): number {
    const taken = Math.min(bytes, this.#left);
    this.#left -= taken;
    return taken;
  }
}

/**
 * The whole output of a command in one file, in the order in which it came. The file is made only
 * when the output passes {@linkcode SPILL_AFTER_BYTES}; past the limit bytes are dropped. A disk
 * that cannot take more ends the spill and not the command.
 */
export class Spill {
  readonly #options: SpillOptions;
  readonly #maxBytes: number;
  #pending: Uint8Array | undefined = new Uint8Array(4096);
  #pendingLength = 0;
  #file: Deno.FsFile | undefined;
  #path = "";
  #written = 0;
  #full = false;

  constructor(options: SpillOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? SPILL_BYTES;
  }

  write(bytes: Uint8Array): void {
    if (this.#full) return;
    if (this.#pending && this.#pendingLength + bytes.length <= SPILL_AFTER_BYTES) {
      this.#hold(this.#pending, bytes);
      return;
    }
    this.#append(bytes);
  }

  /** Where the file is and how much it holds, or undefined where there is none. */
  get kept(): { path: string; bytes: number } | undefined {
    return this.#path === "" ? undefined : { path: this.#path, bytes: this.#written };
  }

  /** Closes the file; answers what is kept. */
  close(): { path: string; bytes: number } | undefined {
    this.#full = true;
    this.#file?.close();
    this.#file = undefined;
    return this.kept;
  }

  #hold(pending: Uint8Array, bytes: Uint8Array): void {
    const needed = this.#pendingLength + bytes.length;
    if (needed > pending.length) {
      const larger = new Uint8Array(Math.max(needed, pending.length * 2));
      larger.set(pending.subarray(0, this.#pendingLength));
      this.#pending = larger;
    }
    this.#pending?.set(bytes, this.#pendingLength);
    this.#pendingLength = needed;
  }

  #append(bytes: Uint8Array): void {
    try {
      const file = this.#file ??= this.#open();
      if (this.#pending) {
        const held = this.#pending.subarray(0, this.#pendingLength);
        this.#pending = undefined;
        this.#put(file, held);
      }
      this.#put(file, bytes);
    } catch (error) {
      // No right, no room, no folder; anything else is a mistake of ours.
      if (errorCode(error) === undefined && !isForbidden(error)) throw error;
      this.#full = true;
      this.#pending = undefined;
    }
  }

  #put(file: Deno.FsFile, bytes: Uint8Array): void {
    const room = Math.min(bytes.length, this.#maxBytes - this.#written);
    let rest = bytes.subarray(0, this.#options.budget?.take(room) ?? room);
    if (rest.length < bytes.length) this.#full = true;
    while (rest.length > 0) {
      const count = file.writeSync(rest);
      this.#written += count;
      rest = rest.subarray(count);
    }
  }

  #open(): Deno.FsFile {
    for (let number = 1;; number++) {
      const path = join(this.#options.folder, numbered(this.#options.name, number));
      try {
        const file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
        this.#path = path;
        return file;
      } catch (error) {
        if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      }
    }
  }
}

/** `a.txt`, `a-2.txt`, `a-3.txt` … */
function numbered(name: string, number: number): string {
  if (number === 1) return name;
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}-${number}${name.slice(dot)}` : `${name}-${number}`;
}
