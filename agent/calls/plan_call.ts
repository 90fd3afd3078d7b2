import type { Plan, Tool } from "../../tools/tool.ts";
import { readArguments } from "./arguments.ts";
import { type Capabilities, lookContext } from "../capabilities.ts";
import { type GateParts, passGate, type PlannedCall } from "../gate/pass_gate.ts";

/** What planning a call takes. */
export interface PlanParts extends GateParts {
  readonly capabilities: Capabilities;
  /** The marker of a secret in what would be written in the secret's place; absent: none ever. */
  readonly markerIn?: (value: unknown) => string | undefined;
}

/** A call that passed the gate, or why it did not. */
export type PlannedPassage =
  | {
    readonly kind: "passed";
    readonly args: unknown;
    readonly plan: Plan;
    /** The arguments are the person's and not the model's. */
    readonly edited: boolean;
  }
  | { readonly kind: "refused"; readonly text: string; readonly approvalUnavailable: boolean };

/**
 * Plans a call and takes it through the gate; where the person changes its arguments, they go the
 * whole way again: read by the tool's schema, planned and judged. What cannot be read is asked again.
 */
export async function planCall(
  { call, tool, args: given, hooked }: Pick<PlannedCall, "call" | "tool" | "args" | "hooked">,
  parts: PlanParts,
  signal: AbortSignal,
): Promise<PlannedPassage> {
  let args = given;
  let edited = false;
  let problem: string | undefined;
  while (true) {
    const plan = await tool.plan(args, lookContext(tool.needs, parts.capabilities));
    const planned = {
      ...{ call, tool, args, plan, edited },
      ...(problem !== undefined && { problem }),
      ...(hooked && { hooked }),
    };
    const passage = await passGate(planned, parts, signal);
    if (passage.kind === "passed") return { kind: "passed", args, plan, edited };
    if (passage.kind === "refused") return passage;
    const read = readEdited(passage.arguments, tool, parts);
    problem = read.ok ? undefined : read.problem;
    if (!read.ok) continue;
    args = read.value;
    edited = true;
  }
}

/** The arguments as a person changed them, who was shown no secret and so cannot mean its marker. */
function readEdited(
  text: string,
  tool: Tool,
  { markerIn }: PlanParts,
): { ok: true; value: unknown } | { ok: false; problem: string } {
  const read = readArguments(text, tool.parameters);
  if (!read.ok) return read;
  const marker = markerIn?.(read.value);
  if (marker === undefined) return read;
  return {
    ok: false,
    problem: `${marker} stands for a value that is not shown, write it otherwise`,
  };
}
