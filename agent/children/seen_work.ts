import type { ChildUsage } from "../../tools/subagent/children.ts";
import type { AgentEvent, ResultEvent } from "../events.ts";
import { callLine } from "../terminal/output.ts";

/** How much of a message shows what a child is at, in UTF-16 units. */
const ACTIVITY_CHARS = 120;

/** What a child did, as far as its events tell. */
export class SeenWork {
  #turns = 0;
  #usage: ChildUsage = {
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
  };
  #sessionId: string | undefined;
  #activity: string | undefined;
  #error: string | undefined;
  #retryAfterMs: number | undefined;
  #result: ResultEvent | undefined;

  /** Answers of its model that it asked for. */
  get turns(): number {
    return this.#turns;
  }

  get usage(): ChildUsage {
    return this.#usage;
  }

  /** The session that it writes. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** What it did last, in one line. */
  get activity(): string | undefined {
    return this.#activity;
  }

  /** The last error that it told. */
  get error(): string | undefined {
    return this.#error;
  }

  /** How long its model's server asked to wait with the last error, in milliseconds. */
  get retryAfterMs(): number | undefined {
    return this.#retryAfterMs;
  }

  /** Its last event. */
  get result(): ResultEvent | undefined {
    return this.#result;
  }

  see(event: AgentEvent): void {
    switch (event.type) {
      case "session":
        this.#sessionId = event.session_id;
        return;
      case "turn":
        this.#turns++;
        return;
      case "usage": {
        const { type: _, ...usage } = event;
        this.#usage = usage;
        return;
      }
      case "tool_call":
        this.#activity = callLine(event);
        return;
      case "text":
        this.#activity = firstLine(event.text);
        return;
      case "error":
        this.#error = event.message;
        this.#retryAfterMs = event.retry_after_ms;
        return;
      case "result":
        this.#result = event;
        this.#usage = event.usage;
        return;
      default:
        return;
    }
  }
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  if (line.length <= ACTIVITY_CHARS) return line;
  return `${line.slice(0, ACTIVITY_CHARS).toWellFormed()}…`;
}
