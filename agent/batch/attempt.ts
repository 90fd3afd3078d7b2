import { ChildRun } from "../children/child_run.ts";
import { SeenWork } from "../children/seen_work.ts";
import type { FromChild } from "../children/messages.ts";
import type { UsageTotals } from "../events.ts";
import { stripControls } from "../terminal/printable.ts";
import { totalsOf } from "../usage_totals.ts";
import type { House } from "./house.ts";
import { isolationOf } from "./isolation.ts";
import { type AttemptFacts, resultOf, type TaskResult } from "./result.ts";
import type { BatchTask } from "./task.ts";
import { atMost, prepareTask } from "./task_start.ts";
import type { Workspaces } from "./workspaces.ts";

/** An attempt, ended. */
export interface Attempted {
  readonly result: TaskResult;
  /** How long the model's server asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** A run of a task that goes on. */
export interface Attempt {
  /** Resolves when nothing of it works any more; never rejects. */
  readonly done: Promise<Attempted>;
  /** Ends it; what it finished before counts. */
  stop(why: "cancelled" | "budget"): Promise<void>;
}

/** What an attempt is told beside its task. */
export interface AttemptOptions {
  /** From 1. */
  readonly attempt: number;
  /** What it may spend at the most, in US dollars. */
  readonly leftUsd: number | undefined;
  /** Called after each answer of its model, with all that it used so far. */
  readonly onUsage: (usage: UsageTotals) => void;
}

/** Begins an attempt at a task. */
export type BeginAttempt = (task: BatchTask, options: AttemptOptions) => Attempt;

/** What all attempts of a batch share. */
export interface AttemptParts {
  readonly house: House;
  readonly workspaces: Workspaces;
  /** Takes lines for people. */
  readonly note: (line: string, alarm: boolean) => void;
  readonly now: () => Date;
}

/** The longest that a timer of JavaScript waits, in milliseconds; some 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Attempts as processes of our own program. */
export function beginsProcesses(parts: AttemptParts): BeginAttempt {
  return (task, options) => begin(task, options, parts);
}

function begin(task: BatchTask, options: AttemptOptions, parts: AttemptParts): Attempt {
  const { house, workspaces, note } = parts;
  const work = new SeenWork();
  const isApart = isolationOf(house, task) !== "none";
  function take(message: FromChild): void {
    if (message.type === "note") return note(message.line, message.alarm);
    if (message.type !== "event") return;
    work.see(message.event);
    if (message.event.type === "usage") options.onUsage(totalsOf(work.usage));
    if (message.event.type === "result") run.awaitLeave();
  }
  const run = new ChildRun({
    prepare: (apart) => prepareTask(house, task, apart, options),
    ...(isApart && { openApart: (signal) => workspaces.open(task, signal) }),
    now: () => performance.now(),
    timeoutMs: atMost(task.timeoutMs ?? MAX_TIMER_MS, house.timeoutMs),
    ...{ work, take },
    onEnd: () => {},
    onChange: () => {},
  });
  async function untilEnd(): Promise<Attempted> {
    await run.ended;
    const { path, branch } = isApart
      ? placeApart(run)
      : { path: workspaces.folderOf(task), branch: undefined };
    const facts: AttemptFacts = {
      said: work.result,
      stopped: stopOf(run),
      // The last words of a process that died can be coloured.
      error: stripControls(work.error ?? run.end?.end.reason ?? ""),
      usage: totalsOf(work.usage),
      turns: work.result?.turns ?? work.turns,
      durationMs: run.durationMs,
      sessionId: work.sessionId,
      ...{ workspace: path, branch, attempt: options.attempt },
      ended: parts.now(),
    };
    return { result: resultOf(task, facts), retryAfterMs: work.retryAfterMs };
  }
  run.begin();
  return { done: untilEnd(), stop: (why) => run.stop(why) };
}

/** Where what was done in a copy is, if anything of it stays. */
function placeApart({ end }: ChildRun) {
  const { kept, branch } = end?.end.landing ?? {};
  return { path: kept?.path, branch };
}

function stopOf({ end }: ChildRun): AttemptFacts["stopped"] {
  switch (end?.state) {
    case "timeout":
      return "time_limit";
    case "budget":
      return "budget";
    case "cancelled":
      return "interrupted";
    case "success":
    case "failure":
    case undefined:
      return undefined;
  }
}
