import type { AgentEvent, ResultEvent } from "../../events.ts";
import { type CallState, foldCalls } from "../render/tool_call.ts";
import { childText } from "../child_text.ts";
import { windowText } from "../window_text.ts";

/** What the events of a run have come to, as far as it is still shown. A value. */
export interface ViewModel {
  /** Calls that have not ended, and those that wait for one before them. */
  readonly calls: readonly CallState[];
}

/** What will not change any more, and so is printed. */
export type Finished =
  | { readonly kind: "call"; readonly call: CallState }
  /** What the person said while the agent worked, now that the model knows. */
  | { readonly kind: "said"; readonly text: string }
  /** A line about the run. */
  | { readonly kind: "note"; readonly text: string }
  /** One that must not be missed. */
  | { readonly kind: "alarm"; readonly text: string }
  | { readonly kind: "end"; readonly result: ResultEvent };

/** A view model after an event, and what is printed with it. */
export interface Folded {
  readonly model: ViewModel;
  readonly finished: readonly Finished[];
}

export const NOTHING: ViewModel = { calls: [] };

/**
 * The view model after an event; what the answer's text comes to is not its part. `nowMs` is the
 * clock of the calls, in milliseconds. Pure.
 */
export function fold(model: ViewModel, event: AgentEvent, nowMs: number): Folded {
  switch (event.type) {
    case "tool_call":
    case "tool_progress":
    case "approval":
    case "tool_result":
      return settle(foldCalls(model.calls, event, nowMs));
    case "user":
      return { model, finished: [{ kind: "said", text: event.text }] };
    case "retry":
      return told(model, retryText(event.attempt, event.delay_ms, event.reason));
    case "compaction":
    case "compaction_failed":
    case "left_out":
      return told(model, windowText(event) ?? "");
    case "job":
      return event.state === "stopped"
        ? told(model, `job ${event.job_id} still ran and was ended: ${event.command}`)
        : { model, finished: [] };
    case "child":
      return event.state === "queued" ? { model, finished: [] } : told(model, childText(event));
    case "error":
      return { model, finished: [{ kind: "alarm", text: event.message }] };
    case "result":
      return ended(model, event);
    case "session":
    case "turn":
    case "text":
    case "text_delta":
    case "reasoning":
    case "reasoning_delta":
    case "usage":
    case "egress":
    case "hook":
      return { model, finished: [] };
  }
}

/** Calls are printed in the order in which they began, so one that has ended may have to wait. */
function settle(calls: readonly CallState[]): Folded {
  const running = calls.findIndex(({ result }) => result === undefined);
  const count = running < 0 ? calls.length : running;
  return {
    model: { calls: calls.slice(count) },
    finished: calls.slice(0, count).map((call) => ({ kind: "call", call })),
  };
}

/** Whatever has not ended by now will not. */
function ended({ calls }: ViewModel, result: ResultEvent): Folded {
  const left = calls.map((call): Finished => ({ kind: "call", call }));
  return { model: NOTHING, finished: [...left, { kind: "end", result }] };
}

function told(model: ViewModel, text: string): Folded {
  return { model, finished: [{ kind: "note", text }] };
}

function retryText(attempt: number, delayMs: number, reason: string): string {
  return delayMs > 0
    ? `retry ${attempt} in ${(delayMs / 1000).toFixed(1)} s: ${reason}`
    : `retry ${attempt}: ${reason}`;
}
