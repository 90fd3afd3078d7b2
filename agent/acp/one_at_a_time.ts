import { interruptedByPerson, type Interruption } from "../interruption.ts";
import { refusedRequest } from "./request_errors.ts";

/** Does one thing, refuses others meanwhile, and can stop it. */
export class OneAtATime {
  #present: { readonly what: string; readonly stop: AbortController } | undefined;
  #done: Promise<void> = Promise.resolve();

  /**
   * Does something; its signal is raised when it is told to stop, or `request` is raised. `what` is
   * told to whoever wants something else meanwhile: `works on a prompt`.
   * @throws {RequestError} while something else is done.
   */
  async run<T>(
    what: string,
    request: AbortSignal,
    act: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#present) {
      const { what: other } = this.#present;
      throw refusedRequest(`This session ${other}: wait for it, or cancel it first`);
    }
    const stop = new AbortController();
    const done = Promise.withResolvers<void>();
    this.#present = { what, stop };
    this.#done = done.promise;
    const cancel = () => stop.abort(interruptedByPerson());
    if (request.aborted) cancel();
    request.addEventListener("abort", cancel);
    try {
      return await act(stop.signal);
    } finally {
      request.removeEventListener("abort", cancel);
      this.#present = undefined;
      done.resolve();
    }
  }

  get isBusy(): boolean {
    return this.#present !== undefined;
  }

  /** Raised when what is done now is told to stop; undefined where nothing is done. */
  get signal(): AbortSignal | undefined {
    return this.#present?.stop.signal;
  }

  /** Stops what is done now, if anything is. */
  stop(reason: Interruption): void {
    this.#present?.stop.abort(reason);
  }

  /** Resolves when what is done now has ended, however it did. */
  get settled(): Promise<void> {
    return this.#done;
  }
}
