import type { ChildUsage } from "./children.ts";

/** How much may be used; what is absent has no bound. */
export interface Budget {
  /** Input and output together. */
  readonly maxTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
}

/** Whether what sub-agents have used together is more than they may. Pure. */
export function isOver(
  used: readonly ChildUsage[],
  { maxTokens, maxCostUsd }: Budget,
): boolean {
  const tokens = used.reduce((sum, use) => sum + use.input_tokens + use.output_tokens, 0);
  const cost = used.reduce((sum, use) => sum + (use.cost_usd ?? 0), 0);
  return (maxTokens !== undefined && tokens > maxTokens) ||
    (maxCostUsd !== undefined && cost > maxCostUsd);
}
