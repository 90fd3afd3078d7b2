import type { Plan, Tool } from "../../tools/tool.ts";
import { keptArguments } from "../discretion.ts";
import type { EventSink } from "../events.ts";
import type { ToolCall } from "../messages.ts";
import type { NewRecord } from "../session/records.ts";
import { type Approver, type Decision, type Question, SILENCE } from "./approver.ts";
import {
  deedOf,
  type GatePolicy,
  mostSevere,
  type Objection,
  objectionsTo,
  type TouchObjection,
} from "./gate.ts";
import type { InTurn } from "./in_turn.ts";
import { offersFor } from "./offers.ts";
import { refusalText, type RuledDecision } from "./refusal_text.ts";
import { type Deed, newRules, type Rule, ruleFor, ruleText } from "./rules.ts";

/** A call on its way through the gate: what it is, and what it would do. */
export interface PlannedCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** As parsed. */
  readonly args: unknown;
  readonly plan: Plan;
  /** The arguments are the person's, who changed the call. */
  readonly edited?: boolean;
  /** What hooks say of it. */
  readonly hooked?: {
    /** A person is to be asked, for this reason, whatever else the gate thinks. */
    readonly ask?: string;
    /** What would be asked passes; what is refused in every mode does not. */
    readonly allow?: true;
  };
  /** Why the arguments that the person gave before were no use. */
  readonly problem?: string;
}

/** What the gate works with. */
export interface GateParts {
  readonly policy: GatePolicy;
  readonly approve: Approver;
  /** What hooks decide in a person's place; undefined: the person is asked. */
  readonly askHooks?: (
    planned: PlannedCall,
    worst: Objection,
    signal: AbortSignal,
  ) => Promise<Decision | undefined>;
  /** Lets questions wait for each other. */
  readonly inTurn: InTurn;
  /** What persons said for the session, as its log has it now. */
  readonly rules: () => readonly Rule[];
  readonly append: (record: NewRecord) => Promise<unknown>;
  readonly emit: EventSink;
}

/** What became of a call at the gate. */
export type Passage =
  | { readonly kind: "passed" }
  /** The person changed the arguments: they are to be read, planned and judged again. */
  | { readonly kind: "edited"; readonly arguments: string }
  | {
    readonly kind: "refused";
    /** For the model. */
    readonly text: string;
    /** It needed a yes, and nobody could be asked. */
    readonly approvalUnavailable: boolean;
  };

const PASSED: Passage = { kind: "passed" };

/** Judges a call, goes by what was said before or asks a person, and logs the decision. */
export async function passGate(
  planned: PlannedCall,
  parts: GateParts,
  signal: AbortSignal,
): Promise<Passage> {
  const objections = await objectionsTo(planned.plan, parts.policy);
  const never = await neverRule(planned, parts);
  if (never) return await settle(planned, parts, byRule(never));
  const worst = worstOf(objections, planned);
  if (!worst) return planned.edited ? await settle(planned, parts, EDITED_FREELY) : PASSED;
  if (allowedByHook(planned, worst, parts)) {
    return await settle(planned, parts, { decision: { decision: "allow", by: "hook" }, worst });
  }
  const deeds = await deedsOf(objections, planned.tool, parts.policy);
  const question = questionOf(planned, worst, deeds);
  const answer = await parts.inTurn(
    // Whoever waited for another answer may have it by now.
    async () =>
      standing(deeds, worst, planned, parts) ??
        await askHooks(planned, worst, parts, signal) ??
        await parts.approve(question, signal),
    () => SILENCE,
    signal,
  );
  if (answer.decision === "edit") return { kind: "edited", arguments: answer.arguments };
  const unasked = worst.kind === "deny" && answer.decision === "unavailable";
  const decision: Decision = unasked ? { decision: "deny", by: "policy" } : answer;
  return await settle(planned, parts, { decision, worst, question });
}

/** The objection that decides; a hook that wants a question gets it where nothing is worse. */
function worstOf(
  objections: readonly TouchObjection[],
  { hooked }: PlannedCall,
): Objection | undefined {
  const worst = mostSevere(objections);
  if (worst?.kind === "deny" || hooked?.ask === undefined) return worst;
  return { kind: "ask", reason: hooked.ask };
}

/** A hook's yes goes as far as a person's would, but for what is refused, or was to be told no. */
function allowedByHook(
  { hooked }: PlannedCall,
  { kind }: Objection,
  { policy }: GateParts,
): boolean {
  return hooked?.allow === true && hooked.ask === undefined && kind === "ask" &&
    policy.mode !== "deny";
}

/** This run was to be told no where `deny` was chosen: there nobody is asked, hooks neither. */
async function askHooks(
  planned: PlannedCall,
  worst: Objection,
  { policy, askHooks: ask }: GateParts,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  return policy.mode === "deny" ? undefined : await ask?.(planned, worst, signal);
}

/** A decision with what led to it. */
interface Settled {
  readonly decision: RuledDecision;
  readonly worst: Objection;
  /** Absent where nobody was asked. */
  readonly question?: Question;
}

/** A person's own words need no second yes where they would not have needed a first. */
const EDITED_FREELY: Settled = {
  decision: { decision: "allow", by: "person" },
  worst: { kind: "ask", reason: "the person changed the call" },
};

/** The rule against anything that the call touches: a never holds also where nothing would ask. */
async function neverRule(
  { plan, tool }: PlannedCall,
  { policy, rules }: GateParts,
): Promise<Rule | undefined> {
  const nevers = rules().filter(({ decision }) => decision === "deny");
  if (nevers.length === 0) return undefined;
  for (const touch of plan.touches) {
    const deed = await deedOf(touch, tool.name, policy);
    const rule = deed && ruleFor(nevers, deed, policy.confined);
    if (rule) return rule;
  }
  return undefined;
}

/** The decision of rules that cover every deed, or of a never that covers one. */
function standing(
  deeds: readonly (Deed | undefined)[],
  worst: Objection,
  { hooked }: PlannedCall,
  { policy, rules }: GateParts,
): RuledDecision | undefined {
  const found = deeds.map((deed) => deed && ruleFor(rules(), deed, policy.confined));
  const [first] = found;
  const never = found.find((rule) => rule?.decision === "deny");
  if (never) return byRule(never).decision;
  // What is refused in every mode passes once, by the exact call; and this run was to be told no.
  if (worst.kind === "deny" || policy.mode === "deny") return undefined;
  // What was said before of such calls was said without what the hook knows of this one.
  if (hooked?.ask !== undefined) return undefined;
  return first && found.every((rule) => rule !== undefined) ? byRule(first).decision : undefined;
}

function byRule(rule: Rule): Settled {
  return {
    decision: { decision: rule.decision, by: "rule", rule },
    worst: { kind: "ask", reason: ruleText(rule) },
  };
}

async function deedsOf(
  objections: readonly TouchObjection[],
  tool: Tool,
  policy: GatePolicy,
): Promise<(Deed | undefined)[]> {
  return await Promise.all(objections.map(({ touch }) => deedOf(touch, tool.name, policy)));
}

function questionOf(
  { call, tool, args, plan, problem }: PlannedCall,
  worst: Objection,
  deeds: readonly (Deed | undefined)[],
): Question {
  const offers = worst.kind === "deny" ? [] : offersFor(deeds);
  return {
    callId: call.callId,
    tool: tool.name,
    arguments: JSON.stringify(args),
    reason: worst.kind === "ask" && worst.where !== undefined
      ? `${worst.reason}: ${worst.where}`
      : worst.reason,
    ...(plan.preview !== undefined && { preview: plan.preview }),
    ...(offers.length > 0 && { offers }),
    editable: true,
    ...(problem !== undefined && { problem }),
  };
}

/** Logs a decision, tells it, and answers what it means for the call. */
async function settle(
  { call, tool, args, edited }: PlannedCall,
  { append, emit, policy }: GateParts,
  { decision, worst, question }: Settled,
): Promise<Passage> {
  const call_id = call.callId;
  const { remark, by } = decision;
  const offer = decision.offer === undefined ? undefined : question?.offers?.[decision.offer];
  const holds = offer && decision.decision !== "unavailable"
    ? { scope: "session", rules: newRules(decision.decision, offer.bindings, policy.confined) }
    : { scope: "call" };
  await append({
    type: "approval",
    call_id,
    ...{ decision: decision.decision, by },
    ...holds,
    ...(remark !== undefined && { remark }),
    ...(edited && { arguments: keptArguments(tool, args) }),
  });
  const reason = decision.rule ? ruleText(decision.rule) : worst.reason;
  emit({
    type: "approval",
    ...{ call_id, decision: decision.decision, reason },
    ...(edited && { arguments: keptArguments(tool, args) }),
  });
  if (decision.decision === "allow") return PASSED;
  return {
    kind: "refused",
    text: refusalText(worst, decision),
    // What is refused in every mode is no question that went unanswered.
    approvalUnavailable: decision.decision === "unavailable",
  };
}
