import type { Decision } from "./approver.ts";
import type { Objection } from "./gate.ts";
import { type Rule, ruleText } from "./rules.ts";

/** A decision, and the rule that made it where one did. */
export type RuledDecision = Decision & { readonly rule?: Rule };

/** What the model reads of a call that a decision kept from running, and what it may do instead. */
export function refusalText(
  worst: Objection,
  { by, decision, remark, rule }: RuledDecision,
): string {
  if (by === "hook") return `Not run: A hook refused it: ${remark ?? worst.reason}`;
  if (remark !== undefined) {
    return `Not run: The person said no (${worst.reason}), and: ${remark}`;
  }
  if (worst.kind === "deny") return `Not run: ${worst.reason}. ${worst.saferWay}`;
  if (decision === "unavailable") {
    return `Not run: it needs a person's approval (${worst.reason}), and nobody can be asked ` +
      "here. Find another way, or say what you would have done";
  }
  return `Not run: ${whoRefused(by, worst, rule)}. Do not try the same in another way`;
}

function whoRefused(by: Decision["by"], { reason }: Objection, rule: Rule | undefined): string {
  switch (by) {
    case "hook":
      return `A hook said no (${reason})`;
    case "person":
      return `The person said no (${reason})`;
    case "rule":
      return `The person said never in this session (${rule ? ruleText(rule) : reason})`;
    case "silence":
      return `Nobody answered the question (${reason})`;
    case "policy":
      return `--approval deny refuses it (${reason})`;
  }
}
