import type { Agent } from "../../agent.ts";
import type { AgentEvent } from "../../events.ts";
import { renderStatusLine, type Status } from "../render/status_line.ts";
import type { View } from "../render/view.ts";

/** The line at the bottom: worked out when something has changed it, and drawn often. */
export class StatusLine {
  #status: Status | undefined;

  /** Takes what holds for this agent now. */
  update(agent: Pick<Agent, "started" | "usage" | "windowFill">): void {
    const { model, tier, profile } = agent.started;
    const usage = agent.usage();
    const { usedTokens, windowTokens } = agent.windowFill();
    this.#status = {
      ...{ model, tier, profile },
      contextTokens: usedTokens,
      contextWindow: windowTokens,
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      costUsd: usage.cost_usd,
    };
  }

  /** Empty as long as nobody is there. */
  draw(view: View): string {
    return this.#status ? renderStatusLine(this.#status, view) : "";
  }
}

/** Whether what the status line tells may be another after an event. */
export function changesStatus({ type }: AgentEvent): boolean {
  return type === "usage" || type === "result" || type === "compaction" || type === "left_out";
}
