import type { AgentEvent, ApprovalEvent, ToolResultEvent } from "../../events.ts";

/** One tool call as far as it has come. */
export interface CallState {
  readonly callId: string;
  readonly name: string;
  /** As parsed; the raw text where it was no JSON. */
  readonly arguments: unknown;
  /** On the clock that {@linkcode foldCalls} is given, in milliseconds. */
  readonly beganMs: number;
  readonly endedMs: number | undefined;
  /** The end of what it has put out so far. */
  readonly output: string;
  readonly approval: ApprovalEvent | undefined;
  readonly result: ToolResultEvent | undefined;
  /** The calls that it made itself. */
  readonly inner: readonly CallState[];
}

/** How a call stands: it runs, has done its work, its answer is a no, or it could not be done. */
export type CallOutcome = "running" | "done" | "no" | "error";

/** Output of a running call that is kept, in characters. */
const MAX_OUTPUT_CHARS = 64 * 1024;

/**
 * The calls after an event, in the order in which they began; calls that other calls make are
 * theirs. Events of other kinds, and of calls that are not there, change nothing.
 */
export function foldCalls(
  calls: readonly CallState[],
  event: AgentEvent,
  nowMs: number,
): readonly CallState[] {
  switch (event.type) {
    case "tool_call": {
      const { call_id: callId, name, arguments: args } = event;
      return withCall(calls, begun(callId, name, args, nowMs));
    }
    case "tool_progress":
      return changed(calls, event.call_id, (call) => ({
        ...call,
        output: (call.output + event.text).slice(-MAX_OUTPUT_CHARS),
      }));
    case "approval":
      return changed(calls, event.call_id, (call) => approved(call, event, nowMs));
    case "tool_result":
      return changed(calls, event.call_id, (call) => ({ ...call, result: event, endedMs: nowMs }));
    default:
      return calls;
  }
}

/** How a call stands. */
export function outcomeOf({ result }: CallState): CallOutcome {
  if (result === undefined) return "running";
  if (result.is_error) return "error";
  const { ok, found, exit_code, signal, interrupted } = factsOf(result);
  const isNo = ok === false || found === false || interrupted === true ||
    typeof signal === "string" || typeof exit_code === "number" && exit_code !== 0;
  // Without a value it did not come to an end.
  return isNo || result.value === null ? "no" : "done";
}

/** How long a call took or takes, in milliseconds; what the tool measured goes first. */
export function durationOf(call: CallState, nowMs: number): number {
  const measured = call.result && factsOf(call.result)["duration_ms"];
  if (typeof measured === "number") return measured;
  return Math.max(0, (call.endedMs ?? nowMs) - call.beganMs);
}

/** The value of a result, to be looked at fact by fact: each tool has its own, and logs have old ones. */
export function factsOf({ value }: ToolResultEvent): Readonly<Record<string, unknown>> {
  // What any object is: its facts are of unknown types.
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function begun(callId: string, name: string, args: unknown, beganMs: number): CallState {
  return {
    ...{ callId, name, arguments: args, beganMs },
    ...{ endedMs: undefined, output: "", approval: undefined, result: undefined, inner: [] },
  };
}

/** What it was made into is what runs, and only now: the time a person took is none of the call's. */
function approved(call: CallState, approval: ApprovalEvent, nowMs: number): CallState {
  const args = approval.arguments ?? call.arguments;
  return { ...call, approval, arguments: args, beganMs: nowMs };
}

function withCall(calls: readonly CallState[], call: CallState): readonly CallState[] {
  const outer = calls.findLast((other) => isInside(call.callId, other.callId));
  if (outer === undefined) return [...calls, call];
  return changed(calls, outer.callId, (found) => ({
    ...found,
    inner: withCall(found.inner, call),
  }));
}

/** Ids may come twice in a conversation: the last call of an id is meant. */
function changed(
  calls: readonly CallState[],
  callId: string,
  change: (call: CallState) => CallState,
): readonly CallState[] {
  const at = calls.findLastIndex((call) => call.callId === callId || isInside(callId, call.callId));
  const call = calls[at];
  if (call === undefined) return calls;
  const next = call.callId === callId
    ? change(call)
    : { ...call, inner: changed(call.inner, callId, change) };
  return calls.with(at, next);
}

/** The ids of calls inside `call_1` are `call_1/1`, `call_1/2` and so on. */
function isInside(id: string, outer: string): boolean {
  return id.startsWith(`${outer}/`) && /^\d+(\/\d+)*$/.test(id.slice(outer.length + 1));
}
