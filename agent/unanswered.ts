import { after } from "../sandbox/commands/timers.ts";

/**
 * Who has said its last word, and then for so long takes nothing of what is written to it, reads no
 * more; in milliseconds.
 */
const PATIENCE_MS = 5_000;

/** The requests of a peer that have no answer yet, for whoever must not leave before they have. */
export class Unanswered {
  /** How often an id waits for its answer: nothing keeps a peer from giving one twice. */
  readonly #open = new Map<unknown, number>();
  /** What is being written, the oldest first. */
  readonly #writing = new Set<Promise<void>>();
  readonly #patienceMs: number;
  /** Nothing can be written any more. */
  #lost = false;
  /** Wakes who waits for the last answer. */
  #wake = () => {};

  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** A request came. */
  came(id: unknown): void {
    this.#open.set(id, (this.#open.get(id) ?? 0) + 1);
  }

  /** A request has its answer, or gets none. */
  answered(id: unknown): void {
    const left = (this.#open.get(id) ?? 0) - 1;
    if (left > 0) this.#open.set(id, left);
    else this.#open.delete(id);
    if (this.#open.size === 0) this.#wake();
  }

  /**
   * Watches something that is written to the peer; where it cannot be, no answer is waited for.
   * @throws what `write` rejects with.
   */
  async written(write: Promise<void>): Promise<void> {
    this.#writing.add(write);
    try {
      await write;
    } catch (error) {
      this.giveUp();
      throw error;
    } finally {
      this.#writing.delete(write);
    }
  }

  /** The peer will say nothing more: resolves when it has all answers, or takes no more of them. */
  async none(): Promise<void> {
    while (this.#open.size > 0 && !this.#lost) {
      const [oldest] = this.#writing;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      using patience = after(this.#patienceMs);
      await Promise.race([promise, patience.passed]);
      if (oldest !== undefined && this.#writing.has(oldest)) this.giveUp();
    }
  }

  /** No answer is waited for any more. */
  giveUp(): void {
    this.#lost = true;
    this.#wake();
  }
}
