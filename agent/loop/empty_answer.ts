import type { AssistantMessage } from "../messages.ts";

/** Whether a model said nothing and called nothing; what it only thought is no answer. */
export function isEmptyAnswer({ text, toolCalls }: AssistantMessage): boolean {
  return text.trim() === "" && toolCalls.length === 0;
}
