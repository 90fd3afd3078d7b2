import type { UsageTotals } from "./events.ts";
import type { Usage } from "./messages.ts";
import { usageRecord } from "./session/convert.ts";

/** What tokens cost, in US dollars; undefined where a price is unknown. */
export type CostOf = (usage: Usage) => number | undefined;

/** Tokens and, where prices are known, cost. */
export function usageTotals(usage: Usage, costOf: CostOf): UsageTotals {
  const cost = costOf(usage);
  return { ...usageRecord(usage), ...(cost !== undefined && { cost_usd: cost }) };
}
