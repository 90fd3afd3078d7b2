import type { UsageTotals } from "../events.ts";
import { EXIT } from "../exit_code.ts";
import { NO_USAGE } from "../terminal/result_event.ts";
import { addTotals } from "../usage_totals.ts";
import type { BatchStop } from "./batch_run.ts";
import { indexRanges } from "./index_ranges.ts";
import { isDone, type TaskResult } from "./result.ts";

/** Tasks that are named in a summary, at the most; all of them stand in the results. */
const MAX_NAMED = 20;

/** A task that did not go well, in a summary. */
export interface FailedTask {
  readonly id: string;
  readonly reason: string;
  readonly exit_code: number;
  readonly error?: string;
}

/** What a batch came to: the one object of `--output-format json`, published. */
export interface BatchSummary {
  readonly type: "batch";
  readonly exit_code: number;
  /** In the file. */
  readonly tasks: number;
  readonly done: number;
  readonly failed: number;
  /** Not done with: without a result, or with one that a later run does not take for the last word. */
  readonly left: number;
  /** Their places in the file, from 0, as `sbatch --array` takes them: `3,7-9`. */
  readonly left_indexes: string;
  /** Done with before this run. */
  readonly earlier: number;
  /** How many ended so, by their reasons. */
  readonly reasons: Readonly<Record<string, number>>;
  /** The first of those that failed. */
  readonly failures: readonly FailedTask[];
  /** Of this run, as far as results tell. */
  readonly usage: UsageTotals;
  /** Of all runs of the batch, in US dollars; 0 where no price is known. */
  readonly spent_usd: number;
  readonly duration_ms: number;
  readonly results: string;
  /** Why it did not come to its end. */
  readonly stopped?: string;
}

/** Counts the ends of tasks; of a task nothing is kept but a name, and of few that. */
export class Tally {
  #done = 0;
  #failed = 0;
  #earlier = 0;
  /** Those that may go well later. */
  #tryLater = 0;
  readonly #reasons = new Map<string, number>();
  readonly #failures: FailedTask[] = [];
  #usage: UsageTotals = NO_USAGE;

  get done(): number {
    return this.#done;
  }

  get failed(): number {
    return this.#failed;
  }

  get earlier(): number {
    return this.#earlier;
  }

  /** What was done with before. */
  addEarlier(end: { readonly exitCode: number; readonly reason: string; readonly id: string }) {
    this.#earlier++;
    this.#count({ id: end.id, reason: end.reason, exit_code: end.exitCode });
  }

  /** What came to its end now. */
  add(result: TaskResult): void {
    this.#usage = addTotals(this.#usage, result.usage);
    const { id, reason, exit_code, error } = result;
    this.#count({ id, reason, exit_code, ...(error !== undefined && { error }) });
  }

  #count(end: FailedTask): void {
    this.#reasons.set(end.reason, (this.#reasons.get(end.reason) ?? 0) + 1);
    if (isDone(end)) {
      this.#done++;
      return;
    }
    this.#failed++;
    if (end.exit_code === EXIT.tryLater) this.#tryLater++;
    if (this.#failures.length < MAX_NAMED) this.#failures.push(end);
  }

  /** What it all came to. Where nothing is left, whatever stopped it came too late to matter. */
  summary(
    facts: Pick<BatchSummary, "tasks" | "spent_usd" | "duration_ms" | "results"> & {
      readonly left: readonly number[];
    },
    stop: BatchStop | undefined,
  ): BatchSummary {
    const stopped = facts.left.length === 0 ? undefined : stop;
    return {
      type: "batch",
      exit_code: stopped?.exitCode ?? this.#exitCode(facts.left.length),
      tasks: facts.tasks,
      done: this.#done,
      failed: this.#failed,
      left: facts.left.length,
      left_indexes: indexRanges(facts.left),
      earlier: this.#earlier,
      reasons: Object.fromEntries([...this.#reasons].sort()),
      failures: this.#failures,
      usage: this.#usage,
      spent_usd: facts.spent_usd,
      duration_ms: facts.duration_ms,
      results: facts.results,
      ...(stopped?.why !== undefined && { stopped: stopped.why }),
    };
  }

  /** Whatever did not fail for good can go later. */
  #exitCode(left: number): number {
    if (this.#failed > this.#tryLater) return EXIT.failed;
    return this.#tryLater > 0 || left > 0 ? EXIT.tryLater : EXIT.done;
  }
}
