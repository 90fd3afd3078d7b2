import type { PipedProcess } from "../commands/piped_process.ts";
import { after } from "../commands/timers.ts";
import { parseReply, type Reply } from "./answers.ts";
import { errorOf } from "./failure.ts";
import { type Message, MessageReader, ProtocolError } from "./frames.ts";
import { LastWords } from "./last_words.ts";
import { type Call, type CellSetup, PROTOCOL_VERSION, type ToCell } from "./messages.ts";
import { Sender } from "./sender.ts";

/** How long a cell may take to its hello, in milliseconds: a start takes 30 to 70, a cold one seconds. */
const HELLO_MS = 10_000;

/** How long a cancelled request may hold the cell up, in milliseconds; past it the cell is ended. */
const CANCEL_GRACE_MS = 2_000;

/** How long a cell may take to end by itself, to finish what it writes, in milliseconds. */
const CLOSE_GRACE_MS = 1_000;

/** The cell ended, or was ended, before it answered; the message is a clause that says how. */
export class CellLost extends Error {
  override readonly name = "CellLost";
}

/** A request, and what is made of its answer. */
export interface Wanted<T> {
  readonly call: Call;
  /** The operation and its object in words, as `read "a.txt"`. */
  readonly what: string;
  readonly cwd: string;
  readonly body?: Uint8Array;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** @throws {ProtocolError} where it is no answer to this request. */
  parse(value: unknown, body: Uint8Array<ArrayBuffer>): T;
}

interface Pending {
  readonly what: string;
  timer: ReturnType<typeof setTimeout>;
  /** Its frames are on their way; before that it can be dropped without a word. */
  sent: boolean;
  settle(reply: Reply, body: Uint8Array<ArrayBuffer>): void;
  fail(error: unknown): void;
}

/**
 * Exchanges the hellos with a process that was started as a cell.
 * @throws {CellLost} where it ends, keeps silent or speaks otherwise; then nothing of it is left.
 */
export async function connect(
  process: PipedProcess,
  setup: CellSetup,
  signal: AbortSignal,
): Promise<Connection> {
  const connection = new Connection(process);
  try {
    await connection.greet(setup, signal);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The warden's side of one cell, from its hello to its end. Nothing that comes is trusted. */
export class Connection {
  readonly #process: PipedProcess;
  readonly #sender: Sender;
  readonly #lastWords: LastWords;
  readonly #reading: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  readonly #hello = Promise.withResolvers<void>();
  readonly #lost = Promise.withResolvers<void>();
  #loss: CellLost | undefined;
  #greeted = false;
  #nextId = 1;

  constructor(process: PipedProcess) {
    this.#process = process;
    this.#sender = new Sender(process.stdin);
    this.#lastWords = new LastWords(process);
    this.#reading = this.#read();
  }

  /** Resolves when the cell can be used no more. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  async greet(setup: CellSetup, signal: AbortSignal): Promise<void> {
    const giveUp = () => this.#lose("it is not wanted any more");
    signal.addEventListener("abort", giveUp);
    const timer = setTimeout(() => this.#lose(`it said nothing for ${HELLO_MS} ms`), HELLO_MS);
    try {
      if (signal.aborted) giveUp();
      this.#say({ type: "hello", version: PROTOCOL_VERSION, ...setup });
      await this.#hello.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    }
  }

  /**
   * Sends a request and resolves to what `parse` makes of the answer.
   * @throws {CellLost} where the cell ends first.
   * @throws {Deno.errors.TimedOut} past the time limit; then the cell is ended, for it hangs.
   * @throws the reason of `signal` when it is raised, and what the operation threw in the cell.
   */
  async ask<T>(wanted: Wanted<T>): Promise<T> {
    const { what, call, cwd, body, signal, timeoutMs } = wanted;
    signal?.throwIfAborted();
    if (this.#loss) throw this.#loss;
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const pending: Pending = {
      what,
      sent: false,
      timer: setTimeout(() => this.#overdue(id, timeoutMs), timeoutMs),
      fail: reject,
      settle(reply, body) {
        if (reply.type === "answer") resolve(wanted.parse(reply.value, body));
        else if (reply.type === "failure") reject(errorOf(reply.failure));
      },
    };
    const cancel = () => this.#cancel(id, signal?.reason);
    signal?.addEventListener("abort", cancel);
    this.#pending.set(id, pending);
    try {
      this.#say({ type: "request", id, cwd, call }, body, () => {
        pending.sent = this.#pending.has(id);
        return pending.sent;
      });
      return await promise;
    } catch (error) {
      // Too large to be sent: nobody will answer.
      if (!pending.sent) this.#forget(id);
      throw error;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Ends the cell: politely, so that a write is finished, and then for certain. */
  async close(): Promise<void> {
    this.#loss ??= new CellLost("it is not wanted any more");
    this.#failAll(this.#loss);
    // It may hang and read nothing; the limit below is for that.
    this.#sender.close().catch(() => {});
    using grace = after(CLOSE_GRACE_MS);
    await Promise.race([this.#process.status, grace.passed]);
    this.#process.kill();
    using patience = after(CLOSE_GRACE_MS);
    const ended = Promise.all([this.#process.status, this.#reading, this.#lastWords.ended]);
    await Promise.race([ended, patience.passed]);
  }

  #say(message: ToCell, body?: Uint8Array, isWanted?: () => boolean): void {
    // Where it reads no more it has ended, and that is told by its output; or its time limit does.
    this.#sender.send(message, body, isWanted).catch(() => {});
  }

  async #read(): Promise<void> {
    try {
      const reader = new MessageReader();
      for await (const piece of this.#process.stdout) {
        for (const message of reader.read(piece)) this.#take(message);
      }
      this.#lose(await this.#lastWords.obituary());
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#lose(error instanceof ProtocolError ? `it was ended: ${why}` : why);
    }
  }

  #take(message: Message): void {
    if (this.#loss) return;
    const reply = parseReply(message);
    if (reply.type === "hello") return this.#greet(reply.version);
    const pending = this.#pending.get(reply.id);
    if (!pending?.sent) throw new ProtocolError("an answer came that nobody asked for");
    pending.settle(reply, message.body);
    this.#forget(reply.id);
  }

  #greet(version: number): void {
    if (this.#greeted) throw new ProtocolError("a second hello came");
    if (version !== PROTOCOL_VERSION) {
      throw new ProtocolError(`it speaks version ${version} and not ${PROTOCOL_VERSION}`);
    }
    this.#greeted = true;
    this.#hello.resolve();
  }

  #cancel(id: number, reason: unknown): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    pending.fail(reason);
    if (!pending.sent) return this.#forget(id);
    // Its answer is still to come, and shows that the cell is not held up by it.
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => this.#overdue(id, CANCEL_GRACE_MS), CANCEL_GRACE_MS);
    this.#say({ type: "cancel", id });
  }

  #overdue(id: number, ms: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    pending.fail(new Deno.errors.TimedOut(`Cannot ${pending.what}: no answer within ${ms} ms`));
    this.#lose(`it was ended: no answer within ${ms} ms`);
  }

  #forget(id: number): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
  }

  #lose(why: string): void {
    this.#loss ??= new CellLost(why);
    this.#process.kill();
    this.#failAll(this.#loss);
  }

  #failAll(loss: CellLost): void {
    this.#lost.resolve();
    this.#hello.reject(loss);
    // Nobody may be waiting for it any more.
    this.#hello.promise.catch(() => {});
    for (const [id, pending] of this.#pending) {
      pending.fail(loss);
      this.#forget(id);
    }
  }
}
