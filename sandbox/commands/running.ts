import type { CommandOptions, CommandResult, RunningCommand } from "./commands.ts";
import type { Output } from "./output.ts";
import { stopAt } from "./timers.ts";

/**
 * How long after a command's end its pipes are still read, in milliseconds: a grandchild that left
 * the process group can hold them open for ever.
 */
export const DRAIN_MS = 250;

/** After SIGKILL a process that has not ended waits in the kernel; nobody waits for it with us. */
export const UNKILLABLE_MS = 1_000;

/** Asks a command once to end; `requested` resolves to the grace in milliseconds. */
export class StopRequest {
  readonly #asked = Promise.withResolvers<number>();

  get requested(): Promise<number> {
    return this.#asked.promise;
  }

  ask(graceMs: number): void {
    this.#asked.resolve(graceMs);
  }
}

/** A command that was started, as those see it who wait for it. */
export function runningCommand(
  { pid, startedAt, ended }: Pick<RunningCommand, "pid" | "startedAt" | "ended">,
  output: Output,
  request: StopRequest,
): RunningCommand {
  return {
    ...{ pid, startedAt, ended },
    look: () => output.look(),
    peek: () => output.peek(),
    listen: (listener) => output.listen(listener),
    async stop(graceMs) {
      request.ask(graceMs);
      // What went wrong is told to who waits for the result.
      await Promise.allSettled([ended]);
    },
  };
}

/**
 * Waits for a command's end, and brings it about when `signal` is raised; resolves to `limit` where
 * it still runs when the time is over.
 */
export async function untilLimit(
  running: Pick<RunningCommand, "ended" | "stop">,
  { timeoutMs, signal }: Pick<CommandOptions, "timeoutMs" | "signal">,
  graceMs: number,
): Promise<CommandResult | "limit"> {
  using limit = stopAt(timeoutMs, signal);
  const first = await Promise.race([running.ended, limit.reached]);
  if (first === "timeout") return "limit";
  if (first === "abort") await running.stop(graceMs);
  return await running.ended;
}

/** The same, and ends it at the time limit. */
export async function withinLimit(
  running: Pick<RunningCommand, "ended" | "stop">,
  limits: Pick<CommandOptions, "timeoutMs" | "signal">,
  graceMs: number,
): Promise<CommandResult> {
  const result = await untilLimit(running, limits, graceMs);
  return result === "limit" ? await endAtLimit(running, graceMs) : result;
}

/** Ends a command that has met its time limit. */
export async function endAtLimit(
  running: Pick<RunningCommand, "ended" | "stop">,
  graceMs: number,
): Promise<CommandResult> {
  await running.stop(graceMs);
  const result = await running.ended;
  // It may have ended by itself in between.
  return result.aborted ? { ...result, aborted: false, timedOut: true } : result;
}

/** The result of a command whose signal was raised before it could be started. */
export function neverStarted(): CommandResult {
  const nothing = { head: "", tail: "", bytes: 0, omitted: 0 };
  return {
    ...{ stdout: nothing, stderr: nothing, exitCode: null, signal: "SIGKILL" },
    ...{ timedOut: false, aborted: true, durationMs: 0, backgroundEnded: 0 },
  };
}
