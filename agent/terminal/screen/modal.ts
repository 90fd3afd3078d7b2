import type { View } from "../render/view.ts";
import type { Frame } from "./live_region.ts";
import type { Key } from "./keys.ts";

/** A question that stands in place of the line until it is answered. */
export interface Modal {
  /** What is drawn, of at most `most` rows; the cursor counts from its own first row. */
  frame(view: View, most: number): Frame;
  /** Takes a key; what it asks of whoever shows the question, if anything. */
  press(key: Key, view: View): void;
}

/** What opens a modal: it hands over the function that ends it with an answer. */
export type OpenModal<T> = (answer: (value: T) => void) => Modal;

/** Questions, one shown at a time in the order in which they were asked. */
export class Modals {
  readonly #update: () => void;
  readonly #waiting: Modal[] = [];

  /** `update` is called when another question is to be shown, or none. */
  constructor(update: () => void) {
    this.#update = update;
  }

  /** The question that is shown. */
  get current(): Modal | undefined {
    return this.#waiting[0];
  }

  /** Asks, and resolves to the answer; a raised signal withdraws the question: then `otherwise`. */
  async ask<T>(open: OpenModal<T>, otherwise: T, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return otherwise;
    const answered = Promise.withResolvers<T>();
    const modal = open(answered.resolve);
    const withdraw = () => answered.resolve(otherwise);
    signal?.addEventListener("abort", withdraw);
    this.#waiting.push(modal);
    this.#update();
    try {
      return await answered.promise;
    } finally {
      signal?.removeEventListener("abort", withdraw);
      this.#waiting.splice(this.#waiting.indexOf(modal), 1);
      this.#update();
    }
  }
}
