import { text as textContent } from "../../tools/tool.ts";
import type { ToolCall } from "../messages.ts";
import { type CallOutcome, INTERRUPTED } from "../session/convert.ts";
import type { ExecutorParts } from "./executor_parts.ts";

/** Of a call that a person stopped. */
export function interrupted(call: ToolCall): CallOutcome {
  return { callId: call.callId, isError: false, content: [textContent(INTERRUPTED)] };
}

/** Of a call that could not be run, with the reason in a sentence. */
export function failed(call: ToolCall, problem: string): CallOutcome {
  return { callId: call.callId, isError: true, content: [textContent(`Error: ${problem}`)] };
}

/** Of a call whose tool threw: after an interruption that is no failure. */
export function unexpected(
  call: ToolCall,
  error: unknown,
  { logError }: Pick<ExecutorParts, "logError">,
  signal: AbortSignal,
): CallOutcome {
  if (signal.aborted) return interrupted(call);
  logError(error);
  return failed(call, error instanceof Error ? error.message : String(error));
}
