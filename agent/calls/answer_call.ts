import { text as textContent } from "../../tools/tool.ts";
import { MAX_SAME_FAILURES } from "../loop/repetition_watch.ts";
import type { ToolCall } from "../messages.ts";
import { type CallOutcome, toolResultRecord } from "../session/convert.ts";
import type { ExecutorParts } from "./executor_parts.ts";

/** How one call ended, for the loop. */
export interface ExecutedCall {
  readonly call: ToolCall;
  readonly outcome: CallOutcome;
  /** It needed a yes, and nobody could be asked. */
  readonly approvalUnavailable: boolean;
  /** It failed in the same way once too often. */
  readonly repeated: boolean;
}

/** Gives a call its one result: in the log, on the screen and, with a warning where due, to the model. */
export async function answerCall(
  call: ToolCall,
  name: string,
  outcome: CallOutcome,
  parts: ExecutorParts,
  approvalUnavailable: boolean,
  diff?: string,
): Promise<ExecutedCall> {
  const repetition = parts.watch.note(call, outcome);
  const told = repetition === "warn" ? withWarning(outcome) : outcome;
  const record = toolResultRecord(told);
  await parts.append(record);
  parts.emit({
    type: "tool_result",
    call_id: call.callId,
    name,
    is_error: outcome.isError,
    text: record.text,
    value: outcome.value ?? null,
    ...(diff && { diff }),
  });
  return { call, outcome: told, approvalUnavailable, repeated: repetition === "end" };
}

function withWarning(outcome: CallOutcome): CallOutcome {
  const warning = `[the same call failed in the same way ${MAX_SAME_FAILURES} times: ` +
    "do something else, the next one ends the run]";
  return { ...outcome, content: [...outcome.content, textContent(warning)] };
}
