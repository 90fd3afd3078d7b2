/** The clock and the timer of a pace, handed in so that a test can turn them. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Calls back once after a time in milliseconds; the result takes it back. */
  after(ms: number, act: () => void): () => void;
}

/** The clock of this process. */
export const PROCESS_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Draws when it is asked to, but not more often than every `intervalMs`, and never before the
 * terminal has taken what was drawn last: what asks meanwhile is one drawing.
 */
export class Pace {
  readonly #draw: () => Promise<void>;
  readonly #intervalMs: number;
  readonly #clock: Clock;
  #last = -Infinity;
  #busy = false;
  #asked = false;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(draw: () => Promise<void>, intervalMs: number, clock: Clock = PROCESS_CLOCK) {
    this.#draw = draw;
    this.#intervalMs = intervalMs;
    this.#clock = clock;
  }

  /** Something has changed. */
  ask(): void {
    this.#asked = true;
    if (this.#busy || this.#cancel || this.#stopped) return;
    const wait = this.#last + this.#intervalMs - this.#clock.now();
    if (wait <= 0) {
      void this.#drawNow();
      return;
    }
    this.#cancel = this.#clock.after(wait, () => {
      this.#cancel = undefined;
      void this.#drawNow();
    });
  }

  /** Draws no more. */
  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  async #drawNow(): Promise<void> {
    this.#busy = true;
    this.#asked = false;
    this.#last = this.#clock.now();
    await this.#draw();
    this.#busy = false;
    if (this.#asked) this.ask();
  }
}
