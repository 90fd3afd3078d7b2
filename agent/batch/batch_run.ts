import type { UsageTotals } from "../events.ts";
import { EXIT } from "../exit_code.ts";
import { interruptionOf } from "../interruption.ts";
import type { Clock } from "../model/retry.ts";
import { NO_USAGE } from "../terminal/result_event.ts";
import type { Attempt, BeginAttempt } from "./attempt.ts";
import type { TaskResult } from "./result.ts";
import { retryWait } from "./retry_wait.ts";
import type { BatchTask } from "./task.ts";

/** Where the ends of tasks and of attempts are written down. */
export interface Keeper {
  /** What all that is written down cost, in US dollars. */
  readonly spentUsd: number;
  finish(result: TaskResult): void;
  attempt(result: TaskResult): void;
}

/** What happens in a batch, for whoever shows it. */
export type BatchEvent =
  | { readonly type: "started"; readonly id: string }
  | { readonly type: "waiting"; readonly id: string; readonly ms: number; readonly why: string }
  /** It counts as done with, unless `isKept` says that a later run does it again. */
  | { readonly type: "ended"; readonly result: TaskResult; readonly isKept: boolean };

/** What a batch runs on. */
export interface BatchParts {
  /** Begins an attempt at a task. */
  readonly begin: BeginAttempt;
  readonly keeper: Keeper;
  /** Of the whole batch, in US dollars. */
  readonly maxBudgetUsd: number | undefined;
  /** How often a task is tried again that could not be done now. */
  readonly retries: number;
  readonly clock: Clock;
  readonly emit: (event: BatchEvent) => void;
}

/** Why a batch does not go on. */
export interface BatchStop {
  readonly exitCode: number;
  /** One sentence for people; undefined where a person stopped it. */
  readonly why?: string;
}

/** Does the tasks of a batch, several at once. Of those that are done nothing stays in memory. */
export class BatchRun {
  readonly #parts: BatchParts;
  readonly #running = new Map<Attempt, UsageTotals>();
  readonly #halt = new AbortController();
  #stop: BatchStop | undefined;

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /** Why it did not come to its end. */
  get stopped(): BatchStop | undefined {
    return this.#stop;
  }

  /**
   * Does the tasks, at most `jobs` at once; resolves when nothing of them works any more.
   * @throws what the keeper, or whoever gives the tasks, throws; everything is ended then, too.
   */
  async all(tasks: AsyncIterable<BatchTask>, jobs: number, signal: AbortSignal): Promise<void> {
    const interrupt = () =>
      void this.#end({ exitCode: interruptionOf(signal).exitCode }, "cancelled");
    signal.addEventListener("abort", interrupt);
    if (signal.aborted) interrupt();
    // Earlier runs of the batch may have spent it.
    this.#watchBudget();
    const iterator = tasks[Symbol.asyncIterator]();
    const worker = async () => {
      while (!this.#stop) {
        const next = await iterator.next();
        if (next.done || this.#stop) return;
        await this.#run(next.value);
      }
    };
    const workers = Array.from(
      { length: jobs },
      () => worker().catch((error) => this.#fail(error)),
    );
    try {
      const failures = (await Promise.all(workers)).flatMap((failure) => failure ?? []);
      for (const { error } of failures) throw error;
    } finally {
      signal.removeEventListener("abort", interrupt);
      await iterator.return?.();
    }
  }

  async #run(task: BatchTask): Promise<void> {
    const { clock, emit, retries } = this.#parts;
    for (let attempt = 1;; attempt++) {
      emit({ type: "started", id: task.id });
      const { result, retryAfterMs } = await this.#attempt(task, attempt);
      if (this.#isForAll(result, task)) return this.#give(result, false);
      if (result.reason === "interrupted" && this.#stop) return this.#give(result, false);
      const again = result.exit_code === EXIT.tryLater && attempt <= retries && !this.#stop;
      if (!again) return this.#give(result, true);
      this.#parts.keeper.attempt(result);
      const ms = retryWait(attempt, retryAfterMs, clock.random());
      emit({ type: "waiting", id: task.id, ms, why: result.error ?? result.reason });
      await clock.sleep(ms, this.#halt.signal);
      if (this.#stop) return;
    }
  }

  async #attempt(task: BatchTask, number: number) {
    const { begin, maxBudgetUsd } = this.#parts;
    const attempt = begin(task, {
      attempt: number,
      leftUsd: maxBudgetUsd === undefined ? undefined : Math.max(0, maxBudgetUsd - this.#spent()),
      onUsage: (usage) => {
        this.#running.set(attempt, usage);
        this.#watchBudget();
      },
    });
    this.#running.set(attempt, NO_USAGE);
    try {
      return await attempt.done;
    } finally {
      this.#running.delete(attempt);
    }
  }

  #give(result: TaskResult, isKept: boolean): void {
    const { keeper, emit } = this.#parts;
    if (isKept) keeper.finish(result);
    else keeper.attempt(result);
    emit({ type: "ended", result, isKept });
    this.#watchBudget();
  }

  /** What keeps one task from its model keeps all of them that ask the same one. */
  #isForAll({ exit_code, error = "" }: TaskResult, { id, model }: BatchTask): boolean {
    if (model !== undefined) return false;
    if (exit_code !== EXIT.credentials && exit_code !== EXIT.modelUnavailable) return false;
    const why = `The other tasks would end as "${id}" did: ${error}`;
    void this.#end({ exitCode: exit_code, why }, "cancelled");
    return true;
  }

  #watchBudget(): void {
    const { maxBudgetUsd } = this.#parts;
    if (maxBudgetUsd === undefined || this.#stop || this.#spent() < maxBudgetUsd) return;
    const why = `The budget of the batch is spent: ${maxBudgetUsd} USD`;
    void this.#end({ exitCode: EXIT.limit, why }, "budget");
  }

  #spent(): number {
    const running = [...this.#running.values()].map(({ cost_usd = 0 }) => cost_usd);
    return running.reduce((sum, cost) => sum + cost, this.#parts.keeper.spentUsd);
  }

  async #end(stop: BatchStop, how: "cancelled" | "budget"): Promise<void> {
    if (this.#stop) return;
    this.#stop = stop;
    this.#halt.abort();
    await Promise.all([...this.#running.keys()].map((attempt) => attempt.stop(how)));
  }

  async #fail(error: unknown): Promise<{ readonly error: unknown }> {
    await this.#end({ exitCode: EXIT.failed }, "cancelled");
    return { error };
  }
}
