import { RepetitionWatch } from "../loop/repetition_watch.ts";
import type { ToolCall } from "../messages.ts";
import type { CallOutcome } from "../session/convert.ts";
import { answerCall, type ExecutedCall } from "./answer_call.ts";
import type { ExecutorParts } from "./executor_parts.ts";
import { innerCalls } from "./inner_calls.ts";
import { prepareCall, type ReadyCall } from "./prepare_call.ts";
import { runTool } from "./run_tool.ts";

/**
 * Runs the calls of one answer and gives each exactly one result. Calls that change nothing run
 * side by side, all others alone and in order. `cut`: the answer was cut off by the token limit,
 * so that none of its calls is run.
 */
export async function executeCalls(
  calls: readonly ToolCall[],
  cut: boolean,
  parts: ExecutorParts,
  signal: AbortSignal,
): Promise<ExecutedCall[]> {
  const executed: Promise<ExecutedCall>[] = [];
  for (const call of calls) {
    const prepared = await prepareCall(call, cut, parts, signal);
    const alone = prepared.kind === "ready" && !prepared.readOnly;
    if (alone) await Promise.allSettled(executed);
    const running = prepared.kind === "answered"
      ? answerCall(call, call.name, prepared.outcome, parts, prepared.approvalUnavailable)
      : act(call, prepared, parts, signal);
    executed.push(running);
    if (alone) await Promise.allSettled([running]);
  }
  return await Promise.all(executed);
}

/** Runs a call that passed the gate, with the calls that it makes itself. */
async function act(
  call: ToolCall,
  ready: ReadyCall,
  parts: ExecutorParts,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  const { callId: call_id } = call;
  parts.observe?.({ type: "call_cleared", call_id, read_only: ready.readOnly });
  let unavailable = false;
  const calls = innerCalls(call.callId, parts.tools, async (inner) => {
    const { outcome, approvalUnavailable } = await runInner(inner, parts, signal);
    unavailable ||= approvalUnavailable;
    return outcome;
  });
  const ran = await runTool(call, ready, calls, parts, signal);
  const outcome = await afterHooks(call, ready, ran, parts, signal);
  return await answerCall(
    call,
    ready.tool.name,
    outcome,
    parts,
    unavailable,
    landed(ready, outcome),
  );
}

/**
 * A call that a tool makes: it goes the way of every call, and only its answer goes elsewhere. A
 * program may fail at a hundred files in a row, so its failures do not count as the model's.
 */
async function runInner(
  call: ToolCall,
  outer: ExecutorParts,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  const parts = { ...outer, watch: new RepetitionWatch() };
  const prepared = await prepareCall(call, false, parts, signal);
  return prepared.kind === "answered"
    ? await answerCall(call, call.name, prepared.outcome, parts, prepared.approvalUnavailable)
    : await act(call, prepared, parts, signal);
}

/** A result with what hooks say to the model, before the call and after it. */
async function afterHooks(
  call: ToolCall,
  { tool, args, notes }: ReadyCall,
  ran: CallOutcome,
  { hooks }: ExecutorParts,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const more = signal.aborted ? [] : await hooks?.after({ call, tool, args }, ran, signal) ?? [];
  return { ...ran, content: [...ran.content, ...notes, ...more] };
}

/** A longer diff does not travel with the events, in characters. */
const MAX_DIFF_CHARS = 256 * 1024;

/** What an edit was to change, once it has; undefined for what was no edit, or said no. */
function landed({ plan }: ReadyCall, { isError, value }: CallOutcome): string | undefined {
  if (isError || typeof value !== "object" || value === null) return undefined;
  if (!("ok" in value) || value.ok !== true) return undefined;
  const { preview } = plan;
  return preview !== undefined && preview.length <= MAX_DIFF_CHARS ? preview : undefined;
}
