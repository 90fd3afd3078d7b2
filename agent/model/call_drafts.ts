import type { ToolCall } from "../messages.ts";
import { isJson, parseJson } from "./json.ts";
import type { ModelRequest } from "./model.ts";

/** A call while its stream runs. */
export interface CallDraft {
  id: string;
  name: string;
  arguments: string;
}

/**
 * The finished calls of an answer: ids are made where the server gave none or one that the
 * conversation has already, and missing arguments of a whole call are the empty object.
 */
export function finishCalls(
  drafts: readonly CallDraft[],
  request: ModelRequest,
  whole: boolean,
  newCallId: () => string,
): ToolCall[] {
  if (drafts.length === 0) return [];
  const taken = new Set(
    request.messages.flatMap((message) =>
      message.role === "assistant" ? message.toolCalls.map(({ callId }) => callId) : []
    ),
  );
  return drafts.map((draft) => {
    const callId = draft.id !== "" && !taken.has(draft.id) ? draft.id : newCallId();
    taken.add(callId);
    const text = whole && draft.arguments.trim() === "" ? "{}" : draft.arguments;
    return { callId, name: draft.name, arguments: text };
  });
}

/**
 * A call's arguments for the history. Strict servers refuse a whole conversation for one call
 * whose arguments are no JSON object, so such text goes back inside of one.
 */
export function historyArguments(text: string): string {
  return isJson(parseJson(text)) ? text : JSON.stringify({ invalid_arguments: text });
}
