import { interruptedByPerson, type Interruption } from "../../interruption.ts";

/** What is being done, one thing at a time: it can be stopped, and more can wait for its end. */
export class Work<Item> {
  readonly #act: (item: Item) => Promise<void>;
  readonly #changed: () => void;
  #queue: Item[] = [];
  #stop: AbortController | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  /** `act` does one thing and never rejects for what a person can mend; `changed` is told. */
  constructor(act: (item: Item) => Promise<void>, changed: () => void) {
    this.#act = act;
    this.#changed = changed;
  }

  /** Whether something is being done. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** What waits, the next first. */
  get queue(): readonly Item[] {
    return this.#queue;
  }

  /** Does a thing now, or when those before it have ended. */
  add(item: Item): void {
    if (this.#isClosed) return;
    this.#queue.push(item);
    this.#changed();
    this.#next();
  }

  /** Takes back what was added last and waits. */
  takeBack(): Item | undefined {
    const item = this.#queue.pop();
    this.#changed();
    return item;
  }

  /** Lets something run that {@linkcode stop} stops. */
  async stoppable<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const before = this.#stop;
    const stop = new AbortController();
    this.#stop = stop;
    try {
      return await act(stop.signal);
    } finally {
      this.#stop = before;
    }
  }

  /** Stops what runs; whether there was something. */
  stop(reason: Interruption = interruptedByPerson()): boolean {
    this.#stop?.abort(reason);
    return this.#stop !== undefined;
  }

  /** Does no more, and resolves when what runs has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue = [];
    await this.#running;
  }

  /** Rejects where what is done failed for good. */
  readonly failed = Promise.withResolvers<never>();

  #next(): void {
    if (this.#running || this.#isClosed) return;
    const item = this.#queue.shift();
    if (item === undefined) return;
    this.#running = this.#run(item);
    this.#changed();
  }

  async #run(item: Item): Promise<void> {
    try {
      await this.#act(item);
    } catch (error) {
      this.failed.reject(error);
    } finally {
      this.#running = undefined;
      this.#changed();
      this.#next();
    }
  }
}
