import type { Content, Plan, Tool } from "../../tools/tool.ts";
import { keptArguments, keptText } from "../discretion.ts";
import { isReadOnly } from "../gate/gate.ts";
import type { ToolCall } from "../messages.ts";
import { type CallOutcome, toolCallRecord } from "../session/convert.ts";
import { resolveTool } from "../toolbox.ts";
import type { ExecutorParts } from "./executor_parts.ts";
import { failed, interrupted, unexpected } from "./failed_outcome.ts";
import { findCall, type FoundCall } from "./find_call.ts";
import { planCall } from "./plan_call.ts";

/** A call that may run, with all that it needs. */
export interface ReadyCall {
  readonly kind: "ready";
  readonly tool: Tool;
  readonly args: unknown;
  readonly plan: Plan;
  /** Who changed the arguments, so that they are not the model's. */
  readonly changedBy: "the person" | "a hook" | undefined;
  readonly readOnly: boolean;
  /** What hooks say to the model, with the result. */
  readonly notes: readonly Content[];
}

/** A call that has its answer without being run. */
export interface AnsweredCall {
  readonly kind: "answered";
  readonly outcome: CallOutcome;
  readonly approvalUnavailable: boolean;
}

/** Finds the tool, reads the arguments, logs the call, plans it and puts it to the gate. */
export async function prepareCall(
  call: ToolCall,
  cut: boolean,
  parts: ExecutorParts,
  signal: AbortSignal,
): Promise<ReadyCall | AnsweredCall> {
  const found = findCall(call, cut, parts.tools);
  announce(call, found, parts);
  if (signal.aborted) return answered(interrupted(call));
  if (!found.ok) return answered(failed(call, found.problem));
  const { tool } = found;
  await parts.append(toolCallRecord(call.callId, tool.name, found.args));
  const why = parts.refusal?.(tool.name);
  if (why !== undefined) return answered(failed(call, why));
  const hooked = await parts.hooks?.before({ call, tool, args: found.args }, signal) ??
    { kind: "goes_on", args: found.args, changed: false, notes: [] };
  if (signal.aborted) return answered(interrupted(call));
  if (hooked.kind === "refused") return answered(failed(call, hooked.text));
  const { args } = hooked;
  const unseen = unseenSecret(tool, args, parts);
  if (unseen !== undefined) return answered(failed(call, unseen));
  try {
    if (tool.needs.read || tool.needs.run) await parts.ready?.();
    const passage = await planCall({ call, tool, args, hooked }, parts, signal);
    if (signal.aborted) return answered(interrupted(call));
    if (passage.kind === "refused") {
      const { text, approvalUnavailable } = passage;
      return { kind: "answered", outcome: failed(call, text), approvalUnavailable };
    }
    const { plan, edited } = passage;
    const readOnly = await isReadOnly(plan, parts.policy.judge);
    const changedBy = edited ? "the person" : hooked.changed ? "a hook" : undefined;
    const { notes } = hooked;
    return { kind: "ready", tool, args: passage.args, plan, changedBy, readOnly, notes };
  } catch (error) {
    return answered(unexpected(call, error, parts, signal));
  }
}

/** Shows the call, as far as its arguments are to be seen. */
function announce(call: ToolCall, found: FoundCall, { emit, tools }: ExecutorParts): void {
  emit({
    type: "tool_call",
    call_id: call.callId,
    name: found.ok ? found.tool.name : call.name,
    arguments: found.ok
      ? keptArguments(found.tool, found.args)
      : keptText(resolveTool(call.name, tools), call.arguments),
  });
}

/** Why a tool that writes may not run: it would write a marker in the place of what it stands for. */
function unseenSecret(
  { needs }: Tool,
  args: unknown,
  { markerIn }: ExecutorParts,
): string | undefined {
  const marker = needs.write && markerIn?.(written(args));
  if (!marker) return undefined;
  const why = "it stands for a value that you are not shown, and would replace it";
  return `Cannot write ${marker}: ${why}. Edit around it`;
}

/** Arguments without the text that is only looked for. */
function written(args: unknown): unknown {
  if (typeof args !== "object" || args === null) return args;
  return Object.entries(args).filter(([name]) => name !== "old_string");
}

function answered(outcome: CallOutcome): AnsweredCall {
  return { kind: "answered", outcome, approvalUnavailable: false };
}
