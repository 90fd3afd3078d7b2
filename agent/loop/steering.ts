import type { Content } from "../../tools/tool.ts";

/** What a person said at once: text, and images by blob. */
export type Said = readonly Content[];

/**
 * What a person says while the agent works, until the conversation has a place for it. A user
 * message may not stand between a call and its results, so it waits for the next request.
 */
export class Steering {
  #waiting: Said[] = [];
  #open = false;

  /** From here on something is taken, until {@linkcode close}. */
  open(): void {
    this.#open = true;
  }

  /** Takes it where a task runs that can still be steered; false: nothing was taken. */
  add(said: Said): boolean {
    if (this.#open) this.#waiting.push(said);
    return this.#open;
  }

  /** Whether something waits. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Hands out the oldest that waits, once. */
  take(): Said | undefined {
    return this.#waiting.shift();
  }

  /** Takes no more, and hands out what nobody took. */
  close(): readonly Said[] {
    this.#open = false;
    const left = this.#waiting;
    this.#waiting = [];
    return left;
  }
}

/** The text of what was said, images left out. */
export function textOf(said: Said): string {
  return said.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
}
