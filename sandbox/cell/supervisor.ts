import type { PipedProcess } from "../commands/piped_process.ts";
import { CellLost, connect, type Connection, type Wanted } from "./connection.ts";
import { type CellSetup, isReadOnly } from "./messages.ts";

/** A request that only looks is asked again once, of a new cell, when its cell is lost. */
const ATTEMPTS = 2;

export interface SupervisorOptions {
  /** Starts a process that runs the cell. */
  spawn(): PipedProcess | Promise<PipedProcess>;
  readonly setup: CellSetup;
}

/**
 * Keeps one cell at the most: starts it when it is first needed, and another one when it is needed
 * after the first was lost. No request causes more than two starts, so a cell that always dies is
 * no endless loop, and one that died of a passing cause is no end of the session.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #life = new AbortController();
  #current: Promise<Connection> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Starts a cell where none runs; that it cannot be started is told to who asks. */
  start(): void {
    this.#connection().catch(() => {});
  }

  /**
   * Asks the cell, and once more a new one where that cannot do harm.
   * @throws {Error} where no cell can be started, or where one was lost with a change in its hands.
   * @throws what {@linkcode Connection.ask} throws.
   */
  async ask<T>(wanted: Wanted<T>): Promise<T> {
    for (let attempt = 1;; attempt++) {
      const connection = await this.#connectionFor(wanted);
      try {
        return await connection.ask(wanted);
      } catch (error) {
        if (!(error instanceof CellLost)) throw error;
        const again = isReadOnly(wanted.call) && attempt < ATTEMPTS;
        if (!again || this.#life.signal.aborted) throw lostError(wanted, error);
      }
    }
  }

  /** Ends the cell; nothing of it is left. */
  async end(): Promise<void> {
    this.#life.abort();
    const [current] = await Promise.allSettled([this.#current]);
    if (current.status === "fulfilled") await current.value?.close();
  }

  async #connectionFor({ what, signal }: Wanted<unknown>): Promise<Connection> {
    signal?.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort);
    try {
      return await Promise.race([this.#connection(), aborted]);
    } catch (error) {
      if (!(error instanceof CellLost)) throw error;
      throw new Error(`Cannot ${what}: the cell did not start, ${error.message}`, { cause: error });
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  #connection(): Promise<Connection> {
    if (this.#current) return this.#current;
    const opening = this.#open();
    const forget = () => this.#current = undefined;
    // Before anybody waits for it, so that who asks again finds it gone.
    opening.then((connection) => connection.lost.then(forget), forget);
    this.#current = opening;
    return opening;
  }

  async #open(): Promise<Connection> {
    const { signal } = this.#life;
    if (signal.aborted) throw new CellLost("for the session has ended");
    const { spawn, setup } = this.#options;
    return await connect(await spawn(), setup, signal);
  }
}

function lostError({ call, what }: Wanted<unknown>, loss: CellLost): Error {
  const advice = isReadOnly(call) ? "" : "; it may have been done, so look before you try again";
  const message = `Cannot ${what}: the cell was lost before it answered, ${loss.message}${advice}`;
  return new Error(message, { cause: loss });
}
