import type { View } from "../render/view.ts";
import type { Style } from "../style.ts";
import type { TerminalDevice } from "./device.ts";
import { type Frame, LiveRegion } from "./live_region.ts";
import { Pace } from "./pace.ts";

/** The least time between two drawings, in milliseconds: about 30 a second look smooth. */
const DRAW_INTERVAL_MS = 33;

/** Makes what is to stand at the end of the terminal now; of `rows` rows at most. */
export type Compose = (view: View, rows: number) => Frame;

/** What is drawn: finished lines above, and below them the frame that a function composes. */
export class Surface {
  readonly #device: TerminalDevice;
  readonly #style: Style;
  readonly #compose: Compose;
  readonly #region = new LiveRegion();
  readonly #pace = new Pace(() => this.#draw(), DRAW_INTERVAL_MS);
  #finished: string[] = [];
  #width: number;
  #isLent = false;
  /** What is drawn may not stand there any more. */
  #isStale = false;

  constructor(device: TerminalDevice, style: Style, compose: Compose) {
    this.#device = device;
    this.#style = style;
    this.#compose = compose;
    this.#width = device.size.columns;
  }

  /** What lines are made for now. */
  get view(): View {
    return { width: this.#device.size.columns, style: this.#style };
  }

  /** Writes lines that will not change any more; they may be wider than the terminal. */
  print(lines: readonly string[]): void {
    this.#finished.push(...lines);
    this.update();
  }

  /** Something of the frame has changed. */
  update(): void {
    this.#pace.ask();
  }

  /** Draws anew, as another program or another size of the terminal demands. */
  redraw(): void {
    this.#isStale = true;
    this.update();
  }

  /** Takes the frame away and gives the terminal to something else until that has ended. */
  async lend<T>(act: () => Promise<T>): Promise<T> {
    this.#isLent = true;
    await this.#device.write(this.#region.clear());
    try {
      return await this.#device.lend(act);
    } finally {
      this.#isLent = false;
      this.redraw();
    }
  }

  /** Writes what is finished, takes the frame away, and draws no more. */
  async end(): Promise<void> {
    this.#pace.stop();
    const lines = this.#takeFinished().map((line) => `${line}\r\n`).join("");
    await this.#device.write(this.#region.clear() + lines);
  }

  async #draw(): Promise<void> {
    if (this.#isLent) return;
    const { columns, rows } = this.#device.size;
    const clear = this.#clearStale(columns);
    const frame = this.#compose({ width: columns, style: this.#style }, Math.max(1, rows));
    await this.#device.write(clear + this.#region.draw(this.#takeFinished(), frame));
  }

  /** Another width may show here before anybody has told of it. */
  #clearStale(columns: number): string {
    const isNarrower = columns < this.#width;
    const isStale = this.#isStale || columns !== this.#width;
    this.#isStale = false;
    this.#width = columns;
    if (!isStale) return "";
    return isNarrower ? this.#region.clearAfterResize(columns) : this.#region.clear();
  }

  #takeFinished(): string[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }
}
