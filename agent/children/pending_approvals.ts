import type { Decision, Edited, Question } from "../gate/approver.ts";

/** Questions about calls of a child that nobody has answered yet, by their numbers. */
export class PendingApprovals {
  readonly #pending = new Map<number, AbortController>();

  /** Asks, and hands the answer on; a question that was withdrawn meanwhile is answered all the same. */
  async ask(
    id: number,
    question: Question,
    approve: (question: Question, signal: AbortSignal) => Promise<Decision | Edited>,
    answer: (decision: Decision | Edited) => void,
  ): Promise<void> {
    const withdrawn = new AbortController();
    this.#pending.set(id, withdrawn);
    try {
      answer(await approve(question, withdrawn.signal));
    } finally {
      this.#pending.delete(id);
    }
  }

  /** Nobody needs an answer to it any more. */
  withdraw(id: number): void {
    this.#pending.get(id)?.abort();
  }

  withdrawAll(): void {
    for (const withdrawn of this.#pending.values()) withdrawn.abort();
  }
}
