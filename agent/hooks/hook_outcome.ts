import { controlStripper } from "../../sandbox/commands/control.ts";
import { clipped } from "../clipped.ts";
import type { Hook } from "./configured_hooks.ts";
import { type HookAnswer, readAnswer } from "./hook_answer.ts";
import type { HookRun } from "./run_hook.ts";

/** What a hook's run means. */
export type HookOutcome =
  | { readonly kind: "passed"; readonly answer: HookAnswer; readonly exitCode: number }
  /** It said no, or is strict and could not tell. */
  | { readonly kind: "blocked"; readonly reason: string; readonly exitCode: number | null }
  /** It did not work, and everything goes on without it; `problem` is a sentence. */
  | { readonly kind: "failed"; readonly problem: string; readonly exitCode: number | null };

/** The exit code of a no. */
const NO = 2;

/** What of a reason is told, in UTF-16 units. */
const MAX_REASON_CHARS = 4_000;

/** What of a command names it in a sentence. */
const MAX_COMMAND_CHARS = 60;

/** Reads the end of a hook: 0 passes with what it printed, 2 is a no, everything else is a failure. */
export function outcomeOf(run: HookRun, hook: Hook, plain: boolean): HookOutcome {
  switch (run.kind) {
    case "ended":
      break;
    case "timed_out":
      return failed(hook, `it took more than ${hook.timeoutMs / 1000} s`, null);
    case "aborted":
      return failed(hook, "it was stopped", null);
    case "not_started":
      return failed(hook, run.problem, null);
  }
  const { exitCode } = run;
  const told = clip(run.stderr.trim(), MAX_REASON_CHARS);
  if (exitCode === NO) {
    return { kind: "blocked", reason: told || `the hook ${nameOf(hook)} said no`, exitCode };
  }
  if (exitCode !== 0) {
    return failed(hook, `exit code ${exitCode}${told && `: ${firstLine(told)}`}`, exitCode);
  }
  const read = readAnswer(run.stdout, plain);
  if (!read.ok) return failed(hook, read.problem, exitCode);
  const { answer } = read;
  if (answer.decision !== "deny") return { kind: "passed", answer: bounded(answer), exitCode };
  const reason = clip(answer.reason ?? "", MAX_REASON_CHARS);
  return { kind: "blocked", reason: reason || `the hook ${nameOf(hook)} said no`, exitCode };
}

/** What cannot be checked does not happen, where the hook is strict. */
function failed(hook: Hook, why: string, exitCode: number | null): HookOutcome {
  const name = nameOf(hook);
  return hook.strict
    ? { kind: "blocked", reason: `the hook ${name} could not check it: ${why}`, exitCode }
    : { kind: "failed", problem: `The hook ${name} (${hook.event}) failed: ${why}`, exitCode };
}

function bounded({ context, reason, message, ...rest }: HookAnswer): HookAnswer {
  return {
    ...rest,
    ...(message !== undefined && { message: clip(message, MAX_REASON_CHARS) }),
    ...(context !== undefined && { context: clip(context, MAX_CONTEXT_CHARS) }),
    ...(reason !== undefined && { reason: clip(reason, MAX_REASON_CHARS) }),
  };
}

/** What one hook may say to the model at once, in UTF-16 units. */
const MAX_CONTEXT_CHARS = 10_000;

/** Text of a bounded length, in which nothing acts on a terminal. */
function clip(given: string, chars: number): string {
  const stripper = controlStripper();
  return clipped(stripper.strip(given) + stripper.end(), chars);
}

function nameOf({ command }: Hook): string {
  return `"${clip(firstLine(command), MAX_COMMAND_CHARS)}"`;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
