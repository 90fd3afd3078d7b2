import type { CommandValue } from "./command_value.ts";
import { formatBytes } from "./truncate.ts";

/** What the model reads of a command: stdout, `[stderr]` and stderr, notes, then markers. */
export function renderCommand(value: CommandValue): string {
  const parts = [
    withoutLastNewline(value.stdout),
    value.stderr === "" ? "" : `[stderr]\n${withoutLastNewline(value.stderr)}`,
    ...notes(value),
    ...markers(value),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** What is unusual about the call itself, each with what was done about it. */
function notes(value: CommandValue): string[] {
  const { requested_timeout_ms: requested, timeout_ms: limit } = value;
  const found: string[] = [];
  if (requested !== undefined) found.push(`[timeout_ms ${requested} is too long: ${limit} used]`);
  if (value.folder_gone) found.push(`[working folder is gone: now in ${value.cwd}]`);
  if (value.state === "too_large") {
    found.push("[shell state over 1 MB not kept: variables and functions are as before this call]");
  }
  return found;
}

/** The markers, in the order that is a contract. */
function markers(value: CommandValue): string[] {
  return [
    value.interrupted ? "[interrupted]" : "",
    value.timed_out ? `[timed out after ${value.timeout_ms}ms]` : "",
    exitMarker(value),
    backgroundMarker(value.background_ended),
    truncationMarker(value),
  ];
}

function exitMarker({ signal, exit_code }: CommandValue): string {
  if (signal !== null) return `[killed by signal: ${signal}]`;
  return exit_code === 0 || exit_code === null ? "" : `[exit code: ${exit_code}]`;
}

function backgroundMarker(count: number): string {
  if (count === 0) return "";
  return `[${count} background ${count === 1 ? "process" : "processes"} ended: use background]`;
}

function truncationMarker({ truncated, spill }: CommandValue): string {
  if (!truncated) return "";
  const shown = `${formatBytes(truncated.shown)} of ${formatBytes(truncated.total)} shown`;
  return `[output truncated: ${shown}${spill ? `, ${place(spill, truncated.total)}` : ""}]`;
}

function place(spill: { path: string; bytes: number }, total: number): string {
  if (spill.bytes >= total) return `all in ${spill.path}`;
  return `first ${formatBytes(spill.bytes)} in ${spill.path}`;
}

function withoutLastNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
