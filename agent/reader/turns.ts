/** Lets so many in at a time, in the order in which they came. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Resolves when it is the caller's turn, which ends when it is disposed.
   * @throws the reason of `signal` where that is raised before.
   */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return { [Symbol.dispose]: () => this.#next() };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      const place = this.#waiting.indexOf(resolve);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal.reason);
    };
    this.#waiting.push(resolve);
    signal.addEventListener("abort", leave);
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** The turn passes on to who waits longest. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
