import type { Plan, Tool } from "../../tools/tool.ts";
import type { EventSink } from "../events.ts";
import type { ToolCall } from "../messages.ts";
import type { NewRecord } from "../session/records.ts";
import type { Approver, Decision } from "./approver.ts";
import { type GatePolicy, judgeCall, type Verdict } from "./gate.ts";

/** A call on its way through the gate: what it is, and what it would do. */
export interface PlannedCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** As parsed. */
  readonly args: unknown;
  readonly plan: Plan;
}

/** What the gate works with. */
export interface GateParts {
  readonly policy: GatePolicy;
  readonly approve: Approver;
  readonly append: (record: NewRecord) => Promise<unknown>;
  readonly emit: EventSink;
}

/** Why a call may not run. */
export interface Refused {
  /** For the model. */
  readonly text: string;
  /** It needed a yes, and nobody could be asked. */
  readonly approvalUnavailable: boolean;
}

/** Judges a call, asks a person where that is needed, and logs the decision; undefined: it may run. */
export async function passGate(
  planned: PlannedCall,
  parts: GateParts,
  signal: AbortSignal,
): Promise<Refused | undefined> {
  const verdict = await judgeCall(planned.plan, parts.policy);
  if (verdict.kind === "allow") return undefined;
  const { decision, by } = await decide(planned, verdict, parts.approve, signal);
  const call_id = planned.call.callId;
  await parts.append({ type: "approval", call_id, decision, by, scope: "call" });
  parts.emit({ type: "approval", call_id, decision, reason: verdict.reason });
  if (decision === "allow") return undefined;
  return {
    text: refusalText(verdict, { decision, by }),
    // What is refused in every mode is no question that went unanswered.
    approvalUnavailable: decision === "unavailable",
  };
}

type Objection = Exclude<Verdict, { kind: "allow" }>;

async function decide(
  { call, tool, args, plan }: PlannedCall,
  verdict: Objection,
  approve: Approver,
  signal: AbortSignal,
): Promise<Decision> {
  const decision = await approve({
    callId: call.callId,
    tool: tool.name,
    arguments: JSON.stringify(args),
    reason: verdict.reason,
    ...(plan.preview !== undefined && { preview: plan.preview }),
  }, signal);
  const unasked = verdict.kind === "deny" && decision.decision === "unavailable";
  return unasked ? { decision: "deny", by: "policy" } : decision;
}

function refusalText(verdict: Objection, { decision, by }: Decision): string {
  if (verdict.kind === "deny") return `Not run: ${verdict.reason}. ${verdict.saferWay}`;
  if (decision === "unavailable") {
    return `Not run: it needs a person's approval (${verdict.reason}), and nobody can be asked ` +
      "here. Find another way, or say what you would have done";
  }
  const who = by === "person" ? "The person said no" : "--approval deny refuses it";
  return `Not run: ${who} (${verdict.reason}). Do not try the same in another way`;
}
