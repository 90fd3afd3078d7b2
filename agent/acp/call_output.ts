import { Pace } from "../terminal/screen/pace.ts";

/** An editor is told of new output at most this often, in milliseconds. */
const INTERVAL_MS = 100;

/** Output that waits to be told, in UTF-16 units; of more its end is told. */
const MAX_WAITING_CHARS = 64 * 1024;

/** Of all output so far its end is kept, in UTF-16 units. */
const TAIL_CHARS = 8 * 1024;

/** Output of a call on its way to an editor, told in larger pieces than it comes in. */
export class CallOutput {
  readonly #tell: (part: string, tail: string) => Promise<void>;
  readonly #pace: Pace;
  #waiting = "";
  #tail = "";
  #cut = false;
  #any = false;

  /**
   * `tell` takes what is new, and the end of all that came so far; it resolves when the editor has
   * been written to, which it is not before that.
   */
  constructor(tell: (part: string, tail: string) => Promise<void>) {
    this.#tell = tell;
    this.#pace = new Pace(() => this.#flush(), INTERVAL_MS);
  }

  /** Whether there was any. */
  get any(): boolean {
    return this.#any;
  }

  take(part: string): void {
    this.#any = true;
    this.#waiting += part;
    if (this.#waiting.length > 2 * MAX_WAITING_CHARS) this.#shorten();
    this.#pace.ask();
  }

  /** No more comes: what waits is told now. */
  async end(): Promise<void> {
    this.#pace.stop();
    await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#waiting === "") return;
    if (this.#waiting.length > MAX_WAITING_CHARS) this.#shorten();
    const part = this.#cut ? `\n[output left out]\n${this.#waiting}` : this.#waiting;
    this.#tail = (this.#tail + this.#waiting).slice(-TAIL_CHARS).toWellFormed();
    this.#waiting = "";
    this.#cut = false;
    await this.#tell(part, this.#tail);
  }

  #shorten(): void {
    this.#waiting = this.#waiting.slice(-MAX_WAITING_CHARS).toWellFormed();
    this.#cut = true;
  }
}
