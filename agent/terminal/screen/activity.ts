import { cutToWidth, drawableLines } from "../render/columns.ts";
import { renderSpinner } from "../render/spinner.ts";
import type { View } from "../render/view.ts";

/** The time of one frame of the spinner, in milliseconds. */
const TICK_MS = 100;

/** Of what something puts out; more would not fit any terminal. */
const MAX_PROGRESS_CHARS = 16 * 1024;

/** Lines of it that are shown. */
const PROGRESS_LINES = 5;

/** Something that goes on, by its name and since when. */
interface Activity {
  readonly what: string;
  readonly beganMs: number;
}

/** What goes on now; of several things the one that began last is shown. */
export class Activities {
  readonly #update: () => void;
  #list: readonly Activity[] = [];
  #progress = "";
  #ticker: ReturnType<typeof setInterval> | undefined;

  /** `update` is called when something is to be drawn: also for each frame of the spinner. */
  constructor(update: () => void) {
    this.#update = update;
  }

  /** Counts the frames of spinners. */
  static tick(nowMs: number): number {
    return Math.floor(nowMs / TICK_MS);
  }

  /** Says what goes on until it is disposed. */
  begin(what: string): Disposable {
    const activity = { what, beganMs: performance.now() };
    this.#list = [...this.#list, activity];
    this.#ticker ??= setInterval(this.#update, TICK_MS);
    this.#update();
    return { [Symbol.dispose]: () => this.#end(activity) };
  }

  /** Takes output, whose end is shown while something goes on. */
  progress(part: string): void {
    this.#progress = (this.#progress + part).slice(-MAX_PROGRESS_CHARS);
    this.#update();
  }

  /** The line with name and time; undefined where nothing goes on. */
  line(view: View, nowMs: number): string | undefined {
    const last = this.#list.at(-1);
    if (!last) return undefined;
    const spinning = { tick: Activities.tick(nowMs), elapsedMs: nowMs - last.beganMs };
    return renderSpinner({ ...spinning, what: last.what }, view);
  }

  /** The last lines of what was put out. */
  output({ width, style }: View): string[] {
    if (this.#progress === "") return [];
    const lines = drawableLines(this.#progress).slice(-PROGRESS_LINES);
    return lines.map((line) => style.dim(cutToWidth(line, width, style.unicode)));
  }

  /** No spinner turns any more. */
  stop(): void {
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #end(activity: Activity): void {
    this.#list = this.#list.filter((other) => other !== activity);
    this.#progress = "";
    if (this.#list.length === 0) this.stop();
    this.#update();
  }
}
