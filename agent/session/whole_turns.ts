import type { Message } from "../messages.ts";

/**
 * `count` messages from the first, less what would part a call from its results; `hasOpenCalls`:
 * the last message that calls something has not all its results yet.
 */
export function wholeTurns(
  messages: readonly Message[],
  count: number,
  hasOpenCalls: boolean,
): number {
  const lastReplaced = messages[count - 1];
  const partsOpenCalls = count === messages.length && hasOpenCalls;
  if (!lastReplaced || (!partsOpenCalls && messages[count]?.role !== "tool")) return count;
  return messages.findLastIndex((message, i) => i < count && message.role === "assistant");
}
