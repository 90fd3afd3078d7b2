import { printable } from "../printable.ts";

/** Who waited for less has not gone away, in milliseconds. */
const LONG_MS = 10_000;

/** A notice is a line, in UTF-16 units. */
const MAX_NOTICE_CHARS = 100;

/** What calling for attention takes. */
export interface AttentionParts {
  /** Writes to the terminal what draws nothing there. */
  readonly write: (text: string) => void;
  /** What the window is called: the folder. */
  readonly name: string;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Tells a person who looks elsewhere that a long turn has ended, or waits for them: by the title of
 * the window always, by a notice where the terminal says that another window has the focus.
 */
export class Attention {
  readonly #parts: AttentionParts;
  #beganMs: number | undefined;
  /** A terminal that tells nothing of its focus is taken for one that is looked at. */
  isAway = false;
  /** Whether the person wants notices. */
  isWanted = true;

  constructor(parts: AttentionParts) {
    this.#parts = parts;
  }

  /** Nothing goes on. */
  rest(): void {
    this.#beganMs = undefined;
    this.#title("");
  }

  /** A turn has begun. */
  begin(): void {
    this.#beganMs = this.#parts.now();
    this.#title("working: ");
  }

  /** The turn waits for an answer. */
  ask(): void {
    this.#title("asks: ");
    this.#notify("a question waits for you");
  }

  /** The answer is there. */
  goOn(): void {
    if (this.#beganMs !== undefined) this.#title("working: ");
  }

  /** The turn has ended, as `how` says. */
  end(how: string): void {
    this.#notify(how);
    this.rest();
  }

  #title(state: string): void {
    this.#parts.write(`\x1b]2;cordon: ${state}${printable(this.#parts.name)}\x07`);
  }

  /** OSC 9 is what most terminals that have notices take; the bell is for the others. */
  #notify(what: string): void {
    const { now, name, write } = this.#parts;
    const isLong = this.#beganMs !== undefined && now() - this.#beganMs > LONG_MS;
    if (!this.isAway || !this.isWanted || !isLong) return;
    const notice = printable(`cordon in ${name}: ${what}`).slice(0, MAX_NOTICE_CHARS);
    write(`\x1b]9;${notice}\x07\x07`);
  }
}
