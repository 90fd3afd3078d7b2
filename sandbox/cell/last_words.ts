import { controlStripper } from "../commands/control.ts";
import type { PipedProcess, PipedStatus } from "../commands/piped_process.ts";
import { after } from "../commands/timers.ts";

/** Of what a process writes to standard error so much is kept, in bytes: the end. */
const MAX_WORDS_BYTES = 2048;

/** Past so many bytes nothing more is read: who writes without end is stopped by that. */
const MAX_HEARD_BYTES = 1024 * 1024;

/** Something else may hold standard error open; how long its end is waited for, in milliseconds. */
const DRAIN_MS = 250;

/** Keeps the end of what a process says on standard error, for the sentence about its end. */
export class LastWords {
  readonly #process: Pick<PipedProcess, "stderr" | "status">;
  readonly #ended: Promise<void>;
  #bytes = new Uint8Array();

  constructor(process: Pick<PipedProcess, "stderr" | "status">) {
    this.#process = process;
    this.#ended = this.#listen();
  }

  /** How the process ended, in one clause; resolves when it has. */
  async obituary(): Promise<string> {
    const status = await this.#process.status;
    using patience = after(DRAIN_MS);
    await Promise.race([this.#ended, patience.passed]);
    const words = plainText(this.#bytes);
    return words === "" ? howEnded(status) : `${howEnded(status)}: ${words}`;
  }

  /** Resolves when standard error is closed, or is not read any more. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  async #listen(): Promise<void> {
    let heard = 0;
    for await (const piece of this.#process.stderr) {
      this.#bytes = lastBytes(this.#bytes, piece);
      heard += piece.length;
      if (heard > MAX_HEARD_BYTES) return;
    }
  }
}

function lastBytes(before: Uint8Array, piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const end = piece.subarray(-MAX_WORDS_BYTES);
  const kept = before.subarray(Math.max(0, before.length + end.length - MAX_WORDS_BYTES));
  const joined = new Uint8Array(kept.length + end.length);
  joined.set(kept);
  joined.set(end, kept.length);
  return joined;
}

function plainText(bytes: Uint8Array): string {
  const stripper = controlStripper();
  const text = stripper.strip(new TextDecoder().decode(bytes)) + stripper.end();
  return text.trim();
}

function howEnded({ code, signal }: PipedStatus): string {
  return signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
}
