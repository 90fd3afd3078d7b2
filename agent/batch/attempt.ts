import { ChildRun } from "../children/child_run.ts";
import { SeenWork } from "../children/seen_work.ts";
import type { UsageTotals } from "../events.ts";
import { totalsOf } from "../usage_totals.ts";
import type { House } from "./house.ts";
import { type AttemptFacts, resultOf, type TaskResult } from "./result.ts";
import type { BatchTask } from "./task.ts";
import { prepareTask } from "./task_start.ts";
import type { Workspaces } from "./workspaces.ts";

/** The longest that a timer of JavaScript waits, in milliseconds; some 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What an attempt at a task is made of. */
export interface AttemptParts {
  readonly house: House;
  readonly task: BatchTask;
  /** From 1. */
  readonly attempt: number;
  /** What it may spend at the most, in US dollars. */
  readonly leftUsd: number | undefined;
  readonly workspaces: Workspaces;
  /** Called after each answer of its model, with all that it used so far. */
  readonly onUsage: (usage: UsageTotals) => void;
  /** Takes lines for people. */
  readonly note: (line: string, alarm: boolean) => void;
  readonly now: () => Date;
}

/** An attempt, ended. */
export interface Attempted {
  readonly result: TaskResult;
  /** How long the model's server asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** A run of a task: a process of our own program. */
export class Attempt {
  readonly #parts: AttemptParts;
  readonly #run: ChildRun;
  readonly #work = new SeenWork();

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    const { house, task, leftUsd, workspaces, note, onUsage } = parts;
    const isApart = workspaces.isolationOf(task) !== "none";
    this.#run = new ChildRun({
      prepare: (apart) => prepareTask(house, task, apart, { leftUsd }),
      ...(isApart && { openApart: (signal) => workspaces.open(task, signal) }),
      now: () => performance.now(),
      timeoutMs: Math.min(task.timeoutMs ?? house.timeoutMs ?? MAX_TIMER_MS, MAX_TIMER_MS),
      work: this.#work,
      take: (message) => {
        if (message.type === "note") return note(message.line, message.alarm);
        if (message.type !== "event") return;
        this.#work.see(message.event);
        if (message.event.type === "usage") onUsage(totalsOf(this.#work.usage));
        if (message.event.type === "result") this.#run.awaitLeave();
      },
      onEnd: () => {},
      onChange: () => {},
    });
  }

  /** Does it, and resolves when nothing of it works any more. */
  async done(): Promise<Attempted> {
    this.#run.begin();
    await this.#run.ended;
    return {
      result: resultOf(this.#parts.task, this.#facts()),
      retryAfterMs: this.#work.retryAfterMs,
    };
  }

  /** Ends it; what it finished before counts. */
  async stop(why: "cancelled" | "budget"): Promise<void> {
    await this.#run.stop(why);
  }

  #facts(): AttemptFacts {
    const { task, attempt, workspaces, now } = this.#parts;
    const { result, error, usage, turns, sessionId } = this.#work;
    const whole = this.#run.end;
    const landing = whole?.end.landing;
    const isApart = workspaces.isolationOf(task) !== "none";
    return {
      said: result,
      stopped: stopOf(whole?.state),
      error: error ?? whole?.end.reason,
      ...{ attempt, sessionId },
      usage: totalsOf(usage),
      turns: result?.turns ?? turns,
      durationMs: this.#run.durationMs,
      workspace: isApart ? landing?.kept?.path : workspaces.folderOf(task),
      branch: landing?.branch,
      ended: now(),
    };
  }
}

function stopOf(state: string | undefined): AttemptFacts["stopped"] {
  switch (state) {
    case "timeout":
      return "time_limit";
    case "budget":
      return "budget";
    case "cancelled":
      return "interrupted";
    default:
      return undefined;
  }
}
