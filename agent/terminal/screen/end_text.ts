import type { ResultEvent } from "../../events.ts";
import { elapsedText } from "../render/elapsed.ts";

/** A turn that took less is over before anybody wonders, in milliseconds. */
const LONG_MS = 10_000;

/** How a task ended, in a line, where that is not what everybody expects: done and soon. */
export function endText({ reason, turns, duration_ms: ms }: ResultEvent): string | undefined {
  if (reason === "done") return ms < LONG_MS ? undefined : `worked for ${elapsedText(ms)}`;
  const count = turns === 1 ? "1 turn" : `${turns} turns`;
  return `${reason.replaceAll("_", " ")} after ${count}, ${elapsedText(ms)}`;
}
