import type { AgentEvent, EventSink } from "../events.ts";

/** The longest text of an event that a parent gets, in UTF-16 units; the child's log has all of it. */
export const MAX_EVENT_CHARS = 8 * 1024;

/** The longest last message, in UTF-16 units: more than any model is shown of it. */
export const MAX_RESULT_CHARS = 512 * 1024;

/**
 * Passes on what a parent has a use for: no pieces, no output, and of calls what shows in a line.
 * What a child's commands print can so never reach its parent's memory.
 */
export function clippedEvents(emit: EventSink): EventSink {
  return (event) => {
    const clipped = clip(event);
    if (clipped) emit(clipped);
  };
}

function clip(event: AgentEvent): AgentEvent | undefined {
  switch (event.type) {
    case "text":
      return { ...event, text: cut(event.text, MAX_EVENT_CHARS) };
    case "tool_call":
      return { ...event, arguments: clippedArguments(event.arguments) };
    case "result":
      return { ...event, text: cut(event.text, MAX_RESULT_CHARS) };
    case "error":
      return { ...event, message: cut(event.message, MAX_EVENT_CHARS) };
    case "session":
    case "turn":
    case "usage":
      return event;
    default:
      return undefined;
  }
}

/** Each argument as a short text: enough for a line that tells what is being done. */
function clippedArguments(args: unknown): unknown {
  if (typeof args === "string") return cut(args, 1024);
  if (typeof args !== "object" || args === null) return args;
  const entries = Object.entries(args).slice(0, 16);
  return Object.fromEntries(entries.map(([name, value]) => [
    name,
    typeof value === "number" || typeof value === "boolean"
      ? value
      : cut(typeof value === "string" ? value : JSON.stringify(value) ?? "", 1024),
  ]));
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit).toWellFormed()}…` : text;
}
