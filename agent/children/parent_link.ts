import type { Person } from "../../tools/tool.ts";
import { type Approver, type Decision, type Edited, SILENCE } from "../gate/approver.ts";
import { jsonLines } from "./lines.ts";
import { type ChildTask, type FromChild, messageLine, type ToChild } from "./messages.ts";

/** What a child's parent does to its run. */
export interface ParentOrders {
  steer(text: string): void;
  cancel(): void;
  /** The parent is gone, or talks nonsense: nobody waits for this run any more. */
  lost(): void;
}

/** A child's side of the line to its parent. */
export class ParentLink {
  readonly #lines: AsyncGenerator<unknown>;
  readonly #write: (text: string) => void;
  readonly #waiting = new Map<number, (message: ToChild | undefined) => void>();
  #lastId = 0;

  /** `write` takes whole lines, in order. */
  constructor(input: ReadableStream<Uint8Array>, write: (text: string) => void) {
    this.#lines = jsonLines(input);
    this.#write = write;
  }

  /**
   * The task; to be called first, and once.
   * @throws {Error} where something else comes, or nothing.
   */
  async task(): Promise<ChildTask> {
    const { value } = await this.#lines.next();
    const message = value as ToChild | undefined;
    if (message?.type === "start") return message.task;
    throw new Error("Cannot run as a child: no task came on standard input");
  }

  /** Carries out what the parent says until it says no more; then whoever waits gets no answer. */
  async obey(orders: ParentOrders): Promise<void> {
    try {
      // The other end is this very program.
      for await (const message of this.#lines) this.#take(message as ToChild, orders);
    } catch {
      // A line that breaks off, or cannot be read, is the end of the line.
    }
    for (const answer of [...this.#waiting.values()]) answer(undefined);
    orders.lost();
  }

  send(message: FromChild): void {
    this.#write(messageLine(message));
  }

  /** Puts questions about calls to the person of the parent. */
  readonly approve: Approver = async (question, signal): Promise<Decision | Edited> => {
    const answer = await this.#ask((id) => ({ type: "approval", id, question }), signal);
    return answer?.type === "decision" ? answer.decision : SILENCE;
  };

  /** The agent that started this one, asked in the place of a person. */
  readonly parent: Person = {
    ask: async (question, signal) => {
      const answer = await this.#ask((id) => ({ type: "question", id, question }), signal);
      return answer?.type === "reply" ? answer.text : undefined;
    },
  };

  /** Sends a question and waits for its answer; undefined once the signal is raised. */
  async #ask(
    question: (id: number) => FromChild,
    signal: AbortSignal,
  ): Promise<ToChild | undefined> {
    if (signal.aborted) return undefined;
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<ToChild | undefined>();
    const withdraw = () => {
      this.send({ type: "withdrawn", id });
      resolve(undefined);
    };
    this.#waiting.set(id, resolve);
    signal.addEventListener("abort", withdraw);
    this.send(question(id));
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#waiting.delete(id);
    }
  }

  #take(message: ToChild, orders: ParentOrders): void {
    switch (message.type) {
      case "decision":
      case "reply":
        return this.#waiting.get(message.id)?.(message);
      case "steer":
        return orders.steer(message.text);
      case "cancel":
        return orders.cancel();
      case "start":
        return;
    }
  }
}
