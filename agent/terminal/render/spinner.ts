import { cutToWidth, drawable } from "./columns.ts";
import { runningText } from "./elapsed.ts";
import { type View, widthOf } from "./view.ts";

/** Frames of one column each. */
const BRAILLE = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const ASCII = ["|", "/", "-", "\\"];

/** Work that goes on. */
export interface Spinning {
  /** Counts the frames, from 0. */
  readonly tick: number;
  readonly elapsedMs: number;
  /** What is waited for: `Thinking`. */
  readonly what: string;
}

/** One line: a frame, what is waited for and since when. Pure. */
export function renderSpinner({ tick, elapsedMs, what }: Spinning, view: View): string {
  const { style } = view;
  const time = runningText(elapsedMs);
  const width = widthOf(view);
  const room = width - time.length - 4;
  const mark = style.cyan(spinnerFrame(tick, style.unicode));
  // Where both have no room, the time says more.
  if (room < 4) return `${mark} ${style.dim(cutToWidth(time, width - 2, style.unicode))}`;
  const words = cutToWidth(drawable(what).replaceAll(/[\n\t]/g, " "), room, style.unicode);
  return `${mark} ${words}  ${style.dim(time)}`;
}

/** The frame of a tick. */
export function spinnerFrame(tick: number, unicode: boolean): string {
  const frames = unicode ? BRAILLE : ASCII;
  return frames[Math.abs(Math.floor(tick)) % frames.length] ?? "";
}
