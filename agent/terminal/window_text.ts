import type { AgentEvent } from "../events.ts";

/** What was done to fit the model's window, in a line; undefined for events of anything else. */
export function windowText(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "compaction":
      return `older turns are summed up: about ${event.before_tokens} tokens are now ` +
        `${event.after_tokens}`;
    case "compaction_failed":
      return `older turns cannot be summed up: ${event.reason}`;
    case "left_out": {
      const { results } = event;
      return `${results} older ${results === 1 ? "result is" : "results are"} left out to fit ` +
        "the model's window";
    }
    default:
      return undefined;
  }
}
