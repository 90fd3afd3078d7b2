import { unlessAborted } from "../unless_aborted.ts";

/** What the task that runs has for its children; who comes between two tasks waits for the next. */
export class CurrentTask<T> {
  #value: T | undefined;
  #begun = Promise.withResolvers<void>();

  /** From here on a task runs that has this, until disposed. */
  begin(value: T): Disposable {
    this.#value = value;
    this.#begun.resolve();
    return {
      [Symbol.dispose]: () => {
        this.#value = undefined;
        this.#begun = Promise.withResolvers();
      },
    };
  }

  /** That of the task that runs, or of the next one; undefined once the signal is raised. */
  async next(signal: AbortSignal): Promise<T | undefined> {
    while (this.#value === undefined && !signal.aborted) {
      await unlessAborted(this.#begun.promise, signal);
    }
    return signal.aborted ? undefined : this.#value;
  }
}
