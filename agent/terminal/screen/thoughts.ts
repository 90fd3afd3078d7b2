import { cutToWidth, drawableLines } from "../render/columns.ts";
import { wrapSpans } from "../render/spans.ts";
import type { View } from "../render/view.ts";

/** Of a thought that still goes on; only its end is shown. */
const MAX_KEPT_CHARS = 64 * 1024;

/** What a model thinks before it answers: it may come in pieces, and again as a whole at the end. */
export class Thoughts {
  #open = "";
  #isTold = false;

  /** Takes a piece. */
  push(piece: string): void {
    this.#open = (this.#open + piece).slice(-MAX_KEPT_CHARS);
  }

  /** The thought is over, something else comes: what was thought, once; undefined: nothing. */
  take(): string | undefined {
    const thought = this.#open;
    this.#open = "";
    if (thought.trim() === "") return undefined;
    this.#isTold = true;
    return thought;
  }

  /** The whole of it; undefined where its pieces were taken already. */
  whole(text: string): string | undefined {
    if (this.#isTold || text.trim() === "") return undefined;
    this.#open = "";
    this.#isTold = true;
    return text;
  }

  /** Another answer begins, what was thought for one that was given up goes. */
  begin(): void {
    this.#open = "";
    this.#isTold = false;
  }

  /** The end of what is being thought, a row of it. */
  rows({ width, style }: View): string[] {
    const last = drawableLines(this.#open).findLast((line) => line.trim() !== "");
    if (last === undefined) return [];
    return [style.dim(cutToWidth(`${THINKS}${last.trim()}`, width, style.unicode))];
  }
}

const THINKS = "thinks: ";
const THOUGHT = "thought: ";

/** A thought that is over: its first line, or all of it. */
export function thoughtLines(thought: string, expanded: boolean, view: View): string[] {
  const { width, style } = view;
  const lines = drawableLines(thought.trim());
  if (expanded) {
    return lines.flatMap((line, index) =>
      wrapSpans([{ text: index === 0 ? THOUGHT + line : line, paint: style.dim }], width)
    );
  }
  const more = lines.length > 1 ? ` (+${lines.length - 1})` : "";
  const line = cutToWidth(THOUGHT + (lines[0] ?? "").trim(), width - more.length, style.unicode);
  return [style.dim(line + more)];
}
