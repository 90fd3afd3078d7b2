import type { CommandValue } from "./command_value.ts";
import { formatBytes } from "./truncate.ts";

/** What the model reads of a command: stdout, `[stderr]` and stderr, notes, then markers. */
export function renderCommand(value: CommandValue): string {
  return joinParts([...outputParts(value), ...notes(value), ...markers(value)]);
}

/** Both streams as they are shown: stdout first, then `[stderr]` and stderr. */
export function outputParts({ stdout, stderr }: Pick<CommandValue, "stdout" | "stderr">): string[] {
  return [
    withoutLastNewline(stdout),
    stderr === "" ? "" : `[stderr]\n${withoutLastNewline(stderr)}`,
  ];
}

/** Parts that are not empty, each on a line of its own. */
export function joinParts(parts: readonly string[]): string {
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
  if (value.no_job !== undefined) found.push(`[not kept as a job: ${value.no_job}]`);
  for (const note of value.notes ?? []) found.push(`[${note}]`);
  return found;
}

/** The markers, in the order that is a contract. */
function markers(value: CommandValue): string[] {
  if (value.job_id !== undefined) return [truncationMarker(value), jobMarker(value, value.job_id)];
  return [
    value.interrupted ? "[interrupted]" : "",
    value.timed_out ? `[timed out after ${value.timeout_ms}ms]` : "",
    exitMarker(value),
    backgroundMarker(value.background_ended),
    truncationMarker(value),
  ];
}

function jobMarker({ timed_out, timeout_ms }: CommandValue, id: string): string {
  const when = timed_out ? ` after ${timeout_ms}ms` : "";
  return `[running in background${when}: job ${id}, see job_output]`;
}

/** How a process ended; empty where it ended well. */
export function exitMarker(
  { signal, exit_code }: Pick<CommandValue, "signal" | "exit_code">,
): string {
  if (signal !== null) return `[killed by signal: ${signal}]`;
  return exit_code === 0 || exit_code === null ? "" : `[exit code: ${exit_code}]`;
}

function backgroundMarker(count: number): string {
  if (count === 0) return "";
  return `[${count} background ${count === 1 ? "process" : "processes"} ended: use background]`;
}

/** What was left out, and where it lies; empty where all is shown. */
export function truncationMarker(
  { truncated, spill }: Pick<CommandValue, "truncated" | "spill">,
): string {
  if (!truncated) return "";
  const shown = `${formatBytes(truncated.shown)} of ${formatBytes(truncated.total)} shown`;
  return `[output truncated: ${shown}${spill ? `, ${place(spill, truncated.total)}` : ""}]`;
}

function place({ of, ...spill }: NonNullable<CommandValue["spill"]>, total: number): string {
  if (spill.bytes >= (of ?? total)) return `all in ${spill.path}`;
  return `first ${formatBytes(spill.bytes)} in ${spill.path}`;
}

function withoutLastNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
