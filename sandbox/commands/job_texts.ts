import type { Captured, Look, RunningCommand } from "./commands.ts";
import type { StreamName } from "./output.ts";

/** The longest text that can be waited for, in characters. */
export const MAX_AWAITED_CHARACTERS = 256;

/** Follows what a job writes: when, how much, and the end of what was shown already. */
export class JobTexts {
  readonly #running: RunningCommand;
  readonly #listening: Disposable;
  readonly #ended = Promise.withResolvers<void>();
  readonly #before = { stdout: "", stderr: "" };
  #lastAt = performance.now();
  #newBytes = 0;

  constructor(running: RunningCommand) {
    this.#running = running;
    this.#newBytes = size(running.peek());
    this.#listening = running.listen((_, text) => {
      this.#lastAt = performance.now();
      this.#newBytes += byteLength(text);
    });
  }

  /** Resolves when the job's end is known. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** When the job wrote last or, before that, when it became one; as `performance.now()`. */
  get lastAt(): number {
    return this.#lastAt;
  }

  get newBytes(): number {
    return this.#newBytes;
  }

  /** Whether `text` stands in what no look has shown, or runs over from what one has. */
  includes(text: string): boolean {
    const { stdout, stderr } = this.#running.peek();
    return this.#isIn("stdout", stdout, text) || this.#isIn("stderr", stderr, text);
  }

  /** The end of all that a stream has written so far: the beginning of `text` may stand in it. */
  tailFor(stream: StreamName, text: string): string {
    return lastOf(this.#before[stream] + endOf(this.#running.peek()[stream]), text.length - 1);
  }

  /** Takes note that a look was shown, and hands it back. */
  shown(look: Look): Look {
    this.#newBytes = 0;
    for (const stream of ["stdout", "stderr"] as const) {
      const all = this.#before[stream] + endOf(look[stream]);
      this.#before[stream] = lastOf(all, MAX_AWAITED_CHARACTERS);
    }
    return look;
  }

  end(): void {
    this.#listening[Symbol.dispose]();
    this.#ended.resolve();
  }

  #isIn(stream: StreamName, { head, tail }: Captured, text: string): boolean {
    return (lastOf(this.#before[stream], text.length - 1) + head).includes(text) ||
      tail.includes(text);
  }
}

function endOf({ head, tail }: Captured): string {
  return tail === "" ? head : tail;
}

function lastOf(text: string, count: number): string {
  return count > 0 ? text.slice(-count) : "";
}

function size({ stdout, stderr }: Look): number {
  return [stdout, stderr].reduce(
    (sum, { head, tail, omitted }) => sum + byteLength(head) + byteLength(tail) + omitted,
    0,
  );
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
