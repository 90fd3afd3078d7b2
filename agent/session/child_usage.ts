import type { Usage } from "../messages.ts";
import { addUsage, NO_USAGE } from "./add_usage.ts";
import { usageOf } from "./convert.ts";
import type { ChildEndRecord } from "./records.ts";

/** What the sub-agents of a session used, by the records of their ends. */
export class ChildUsage {
  #tokens: Usage = NO_USAGE;
  #costUsd = 0;
  #isPriced = true;

  get tokens(): Usage {
    return this.#tokens;
  }

  /** In US dollars; undefined where the price of some of it is unknown, and where there is none. */
  get costUsd(): number | undefined {
    const used = this.#tokens.inputTokens + this.#tokens.outputTokens > 0;
    return used && this.#isPriced ? this.#costUsd : undefined;
  }

  add({ usage, cost_usd }: Pick<ChildEndRecord, "usage" | "cost_usd">): void {
    if (!usage) return;
    const tokens = usageOf(usage);
    this.#tokens = addUsage(this.#tokens, tokens);
    this.#costUsd += cost_usd ?? 0;
    const used = tokens.inputTokens + tokens.outputTokens > 0;
    if (used && cost_usd === undefined) this.#isPriced = false;
  }
}
