import type { CallOutcome } from "../session/convert.ts";
import type { ToolCall } from "../messages.ts";

/** How often the same call may fail in the same way before it is told, and then the run ends. */
export const MAX_SAME_FAILURES = 5;

/** What the watch says to a failure. */
export type Repetition = "fine" | "warn" | "end";

/**
 * Notices a model that sends the same failing call again and again. Equal calls whose results
 * change, and calls that succeed, go on for ever.
 */
export class RepetitionWatch {
  #last = "";
  #count = 0;

  /** Takes the calls of one turn with their results, in order. */
  note(call: ToolCall, outcome: CallOutcome): Repetition {
    if (!isFailure(outcome)) {
      this.#last = "";
      this.#count = 0;
      return "fine";
    }
    const key = JSON.stringify([call.name, call.arguments, outcome.content]);
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    if (this.#count > MAX_SAME_FAILURES) return "end";
    return this.#count === MAX_SAME_FAILURES ? "warn" : "fine";
  }
}

/** An error, a tool's own "no", or a command that did not end well. */
function isFailure({ isError, value }: CallOutcome): boolean {
  if (isError) return true;
  if (typeof value !== "object" || value === null) return false;
  return ("ok" in value && value.ok === false) ||
    ("exit_code" in value && value.exit_code !== 0);
}
