import type { ChildUsage } from "../tools/subagent/children.ts";
import type { UsageTotals } from "./events.ts";
import type { Usage } from "./messages.ts";
import { usageRecord } from "./session/convert.ts";

/** What tokens cost, in US dollars; undefined where a price is unknown. */
export type CostOf = (usage: Usage) => number | undefined;

/** Both together; without a cost where that of one is unknown, and it used something. */
export function addTotals(a: UsageTotals, b: UsageTotals): UsageTotals {
  const parts = [a, b];
  const isPriced = parts.some(({ cost_usd }) => cost_usd !== undefined) &&
    parts.every((part) => part.cost_usd !== undefined || isNothing(part));
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    ...(isPriced && { cost_usd: (a.cost_usd ?? 0) + (b.cost_usd ?? 0) }),
  };
}

function isNothing({ input_tokens, output_tokens }: UsageTotals): boolean {
  return input_tokens + output_tokens === 0;
}

/** Tokens and, where prices are known, cost. */
export function usageTotals(usage: Usage, costOf: CostOf): UsageTotals {
  const cost = costOf(usage);
  return { ...usageRecord(usage), ...(cost !== undefined && { cost_usd: cost }) };
}

/** What a sub-agent used, as totals. */
export function totalsOf({ cost_usd, ...tokens }: ChildUsage): UsageTotals {
  return { ...tokens, ...(cost_usd !== undefined && { cost_usd }) };
}
