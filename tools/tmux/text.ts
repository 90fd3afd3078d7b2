import { joinParts, truncationMarker } from "../command_text.ts";
import type { TmuxValue } from "./value.ts";
import type { WindowState } from "./windows.ts";

/** What the model reads of a call. */
export function renderTmux(value: TmuxValue): string {
  if (!value.ok) return `${value.message}\n[not done: ${value.reason}]`;
  switch (value.action) {
    case "new":
      return `[window ${value.name} is open]`;
    case "send":
      return `[sent to ${value.name}]`;
    case "kill":
      return `[window ${value.name} is closed]`;
    case "list":
      return value.windows.length === 0
        ? "[no windows]"
        : value.windows.map(({ name, width, height, state }) =>
          `${name} (${width}x${height}): ${stateWords(state)}`
        ).join("\n");
    case "capture":
      return joinParts([value.text, endMarker(value.state), truncationMarker(value)]);
    case "wait":
      return joinParts([
        value.text,
        waitMarker(value),
        endMarker(value.state),
        truncationMarker(value),
      ]);
  }
}

function waitMarker({ met, timeout_ms }: Extract<TmuxValue, { action: "wait" }>): string {
  switch (met) {
    case "timeout":
      return `[timed out after ${timeout_ms}ms]`;
    case "interrupted":
      return "[interrupted]";
    case "text":
    case "exit":
    case "idle":
      return `[${met}]`;
  }
}

/** Also of a program that ended well: nothing else tells that it has. */
function endMarker({ running, exit_code, signal }: WindowState): string {
  if (running) return "";
  return signal === null ? `[exit code: ${exit_code}]` : `[killed by signal: ${signal}]`;
}

function stateWords({ running, exit_code, signal }: WindowState): string {
  if (running) return "running";
  return signal === null ? `ended with code ${exit_code}` : `killed by ${signal}`;
}
