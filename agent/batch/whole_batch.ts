import { realClock } from "../model/real_clock.ts";
import { beginsProcesses } from "./attempt.ts";
import { type BatchEvent, type BatchParts, BatchRun } from "./batch_run.ts";
import type { House } from "./house.ts";
import { indexesOf } from "./index_ranges.ts";
import { Ledger } from "./ledger.ts";
import type { OutFolder } from "./out_folder.ts";
import { type BatchSummary, Tally } from "./tally.ts";
import type { BatchTask } from "./task.ts";
import { type TasksFile, tasksIn, type TasksSurvey } from "./tasks_file.ts";
import { Workspaces } from "./workspaces.ts";

/** What a batch is about, and who watches it. */
export interface WholeBatch extends Pick<BatchParts, "maxBudgetUsd" | "retries"> {
  readonly house: House;
  readonly out: OutFolder;
  readonly file: TasksFile;
  readonly survey: TasksSurvey;
  readonly jobs: number;
  /** Whether tasks that failed are done again. */
  readonly retryFailed: boolean;
  readonly emit: (event: BatchEvent, tally: Tally) => void;
  /** Takes lines for people; `alarm`: what they must not miss. */
  readonly note: (line: string, alarm: boolean) => void;
}

/** Names of tasks that a sentence lists, at the most. */
const MAX_NAMED = 5;

/**
 * Does all tasks that are not done with, and resolves to what it came to; nothing of it works any
 * more then.
 * @throws {BatchError} where a result cannot be written down.
 */
export async function runWholeBatch(batch: WholeBatch, signal: AbortSignal): Promise<BatchSummary> {
  const { house, out, file, survey, retryFailed, note } = batch;
  const began = performance.now();
  using ledger = await Ledger.open(out, { retryFailed, note: (line) => note(line, false) });
  const tally = new Tally();
  for (const [id, end] of ledger.done) if (survey.digests.has(id)) tally.addEarlier({ id, ...end });
  tellChanges(ledger, survey, file, note);
  using workspaces = new Workspaces(house, out, out.id);
  await tellLeftOver(workspaces, ledger, note);
  const run = new BatchRun({
    begin: beginsProcesses({ house, workspaces, note, now: () => new Date() }),
    keeper: ledger,
    maxBudgetUsd: batch.maxBudgetUsd,
    retries: batch.retries,
    clock: realClock(),
    emit(event) {
      if (event.type === "ended" && event.isKept) tally.add(event.result);
      batch.emit(event, tally);
    },
  });
  await run.all(undone(file, ledger), batch.jobs, signal);
  return tally.summary({
    tasks: survey.count,
    spent_usd: ledger.spentUsd,
    duration_ms: Math.round(performance.now() - began),
    results: out.results,
    left: indexesOf(survey.digests, (id) => !ledger.isFinal(id)),
  }, run.stopped);
}

async function* undone(file: TasksFile, { done }: Ledger): AsyncGenerator<BatchTask> {
  for await (const task of tasksIn(file)) if (!done.has(task.id)) yield task;
}

/** What a file says of tasks that are done with is not what was done, where it changed meanwhile. */
function tellChanges(
  { done }: Ledger,
  { digests }: TasksSurvey,
  { name }: TasksFile,
  note: WholeBatch["note"],
): void {
  const changed: string[] = [];
  const gone: string[] = [];
  for (const [id, { digest }] of done) {
    const now = digests.get(id);
    if (now === undefined) gone.push(id);
    else if (digest !== undefined && digest !== now) changed.push(id);
  }
  if (changed.length > 0) {
    const advice = "take its line out of results.jsonl to have a task done again";
    note(`warning: "${name}" changed: done as they were: ${named(changed)}; ${advice}`, false);
  }
  if (gone.length > 0) {
    note(`warning: "${name}" changed: done, and no longer in it: ${named(gone)}`, false);
  }
}

async function tellLeftOver(
  workspaces: Workspaces,
  ledger: Ledger,
  note: WholeBatch["note"],
): Promise<void> {
  if (!workspaces.mayBeLeft) return;
  const kept = await workspaces.leftOver(ledger.workspaces);
  if (kept.length === 0) return;
  note(`warning: Earlier runs left work in ${named(kept)}, see cordon worktrees`, false);
}

function named(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
