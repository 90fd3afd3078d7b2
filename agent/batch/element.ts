import { isMissing } from "../../sandbox/files/system_errors.ts";
import { EXIT } from "../exit_code.ts";
import { realClock } from "../model/real_clock.ts";
import { reasonOf } from "../session/error.ts";
import { beginsProcesses } from "./attempt.ts";
import { type BatchEvent, BatchRun, type Keeper } from "./batch_run.ts";
import { BatchError } from "./error.ts";
import { isDone, isFinal, parseResult, type TaskResult } from "./result.ts";
import { draftOf, elementFile, type OutFolder } from "./out_folder.ts";
import { checkOwnFile } from "./own_file.ts";
import { noSuchTask } from "./survey.ts";
import type { BatchTask } from "./task.ts";
import { type TasksFile, tasksIn, type TasksSurvey } from "./tasks_file.ts";
import type { WholeBatch } from "./whole_batch.ts";
import { Workspaces } from "./workspaces.ts";

/** One task of a batch whose others are done by other processes. */
export interface Element extends Pick<WholeBatch, "house" | "out" | "file" | "survey" | "note"> {
  /** From 0. */
  readonly index: number;
  readonly maxBudgetUsd: number | undefined;
  readonly retries: number;
  readonly retryFailed: boolean;
  readonly emit: (event: BatchEvent) => void;
}

/** How an element ended. */
export interface ElementEnd {
  readonly exitCode: number;
  /** Its line; undefined where it was stopped before it had one. */
  readonly line?: string;
  /** Whether it was done with before. */
  readonly isEarlier: boolean;
  /** Why it was stopped. */
  readonly why?: string;
}

/**
 * Does one task, unless its file of results says that it is done with. A scheduler may so start it
 * again after whatever happened. The folder and the element are taken by whoever calls.
 * @throws {UsageError} where there is no such task.
 * @throws {BatchError} where its result cannot be written down.
 */
export async function runElement(element: Element, signal: AbortSignal): Promise<ElementEnd> {
  const { house, out, file, survey, index, note, retryFailed } = element;
  const task = await taskAt(file, index, survey);
  const earlier = await readElement(out, index);
  if (earlier && isFinal(earlier.result) && !(retryFailed && !isDone(earlier.result))) {
    if (earlier.result.task !== task.digest) {
      note(`warning: "${file.name}" changed: task "${task.id}" is done as it was`, false);
    }
    return { exitCode: earlier.result.exit_code, line: earlier.line, isEarlier: true };
  }
  using workspaces = new Workspaces(house, out, `${out.id}-${index}`);
  const keeper = new ElementFile(out, index);
  const run = new BatchRun({
    begin: beginsProcesses({ house, workspaces, note, now: () => new Date() }),
    keeper,
    maxBudgetUsd: element.maxBudgetUsd,
    retries: element.retries,
    clock: realClock(),
    emit: element.emit,
  });
  await run.all(only(task), 1, signal);
  const { finished } = keeper;
  // What came to its end all the same was not stopped.
  if (finished) return { ...finished, isEarlier: false };
  const { exitCode = EXIT.failed, why } = run.stopped ?? {};
  return { exitCode, isEarlier: false, ...(why !== undefined && { why }) };
}

/**
 * The result of an element; undefined where there is none.
 * @throws {BatchError} where it cannot be read.
 */
export async function readElement(out: OutFolder, index: number) {
  const path = elementFile(out, index);
  checkOwnFile(path);
  try {
    const line = (await Deno.readTextFile(path)).trim();
    const result = parseResult(line);
    return result && { line, result };
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new BatchError(`Cannot read "${path}": ${reasonOf(cause)}`, { cause });
  }
}

/** The file of one result, which is written whole or not at all. */
class ElementFile implements Keeper {
  readonly #path: string;
  spentUsd = 0;
  /** What its task came to, once it did. */
  finished: { readonly line: string; readonly exitCode: number } | undefined;

  constructor(out: OutFolder, index: number) {
    this.#path = elementFile(out, index);
  }

  finish(result: TaskResult): void {
    this.attempt(result);
    const line = JSON.stringify(result);
    const draft = draftOf(this.#path);
    try {
      using file = Deno.openSync(draft, {
        ...{ create: true, write: true, truncate: true },
        mode: 0o600,
      });
      const bytes = new TextEncoder().encode(`${line}\n`);
      for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
      file.syncDataSync();
      Deno.renameSync(draft, this.#path);
      this.finished = { line, exitCode: result.exit_code };
    } catch (cause) {
      throw new BatchError(`Cannot write "${this.#path}": ${reasonOf(cause)}`, { cause });
    }
  }

  attempt(result: TaskResult): void {
    this.spentUsd += result.usage.cost_usd ?? 0;
  }
}

async function taskAt(file: TasksFile, index: number, survey: TasksSurvey): Promise<BatchTask> {
  for await (const task of tasksIn(file)) if (task.index === index) return task;
  throw noSuchTask(index, file, survey);
}

async function* only(task: BatchTask): AsyncGenerator<BatchTask> {
  yield await Promise.resolve(task);
}
