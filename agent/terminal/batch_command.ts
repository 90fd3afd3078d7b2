import { resolve } from "node:path";
import { isOfSystem } from "../../sandbox/files/system_errors.ts";
import { isInside } from "../../sandbox/rights/grants.ts";
import { collectElements } from "../batch/collect.ts";
import { type ElementEnd, runElement } from "../batch/element.ts";
import { type House, OF_ONE_RUN, openHouse } from "../batch/house.ts";
import { type OutFolder, takeElement, takeOutFolder } from "../batch/out_folder.ts";
import { type OpenTasks, spoolTasks } from "../batch/spool_tasks.ts";
import { surveyBatch } from "../batch/survey.ts";
import type { BatchSummary } from "../batch/tally.ts";
import { surveyTasks, type TasksFile, type TasksSurvey } from "../batch/tasks_file.ts";
import { runWholeBatch } from "../batch/whole_batch.ts";
import { type Invocation, UsageError } from "../command_line/parse.ts";
import type { OptionValues } from "../command_line/options.ts";
import { interruptionOf } from "../interruption.ts";
import { type BatchProgress, batchProgress } from "./batch_progress.ts";
import { summaryText } from "./batch_summary.ts";
import type { Host } from "./headless.ts";
import { onSignals } from "./signals.ts";
import { styleFor } from "./style.ts";
import { terminalSize } from "./terminal_size.ts";

/** As many as a small machine has cores. */
const DEFAULT_JOBS = 4;

/** How often a task that could not be done now is tried again, where nothing else is said. */
const DEFAULT_RETRIES = 3;

/** What tasks are done with, all of them or one. */
interface Work {
  readonly options: OptionValues;
  readonly house: House;
  readonly out: OutFolder;
  readonly file: TasksFile;
  readonly survey: TasksSurvey;
  readonly progress: BatchProgress;
}

/**
 * `cordon batch FILE --out DIR`: does the tasks of a file and writes down what came of each; with
 * `--task` one of them, with `--collect` none. Resolves to the exit code.
 * @throws {UsageError}
 * @throws {ConfigurationError} for a file of tasks that cannot be used.
 * @throws {BatchError} where results cannot be read or written.
 */
export async function runBatchCommand(invocation: Invocation, host: Host): Promise<number> {
  const { options } = invocation;
  const { operand, folder } = placesOf(invocation, host);
  const stop = new AbortController();
  using _signals = onSignals({
    interrupt: (reason) => stop.abort(reason),
    // Runs that have lost this process end by themselves.
    quit: ({ exitCode }) => host.exit(exitCode),
  });
  using progress = batchProgress(options, host);
  const stream = streamOf(operand, options, host);
  const given = stream ? undefined : { path: resolve(host.cwd, operand), name: operand };
  if (options.collect && given) {
    const survey = await surveyTasks(given, () => {});
    using taken = takeOutFolder(folder, "alone");
    const summary = await collectElements(taken.out, survey, (line) => progress.note(line));
    return await tell(summary, { options, progress }, host);
  }
  const house = await openHouse(options, host.env, host.cwd);
  house.launch.warnings.forEach((line) => progress.note(`warning: ${line}`));
  // A file that cannot be used leaves no folder behind, nor does an element that is none.
  const surveyed = given && await surveyBatch(given, house, options.task);
  settlePlace(folder, house, progress);
  using taken = takeOutFolder(folder, options.task === undefined ? "alone" : "shared");
  const { out } = taken;
  const look = (file: TasksFile) => surveyBatch(file, house);
  const tasks = given && surveyed
    ? { file: given, found: surveyed }
    : stream && await spoolTasks(stream, out, look, stop.signal);
  if (tasks === undefined) return interruptionOf(stop.signal).exitCode;
  const { file, found: survey } = tasks;
  survey.warnings.forEach((line) => progress.note(`warning: ${line}`));
  const work = { options, house, out, file, survey, progress };
  if (options.task !== undefined) return await one(work, options.task, host, stop.signal);
  return await tell(await whole(work, stop.signal), work, host);
}

function placesOf({ options, operands }: Invocation, { cwd }: Host) {
  const [operand, ...more] = operands;
  if (operand === undefined || more.length > 0) {
    throw new UsageError("Cannot run a batch: name one file of tasks, as cordon batch tasks.jsonl");
  }
  if (options.out === undefined) {
    throw new UsageError("Cannot run a batch: name the folder of its results by --out DIR");
  }
  const foreign = OF_ONE_RUN.find((name) => options[name] !== undefined);
  if (foreign) throw new UsageError(`Cannot use --${foreign} in a batch: it is for a single run`);
  if (options.task !== undefined && options.collect) {
    throw new UsageError("Cannot use --task with --collect: one does a task, the other none");
  }
  return { operand, folder: resolve(cwd, options.out) };
}

/**
 * What brings the tasks where they can be read once only, as from a pipe; undefined for a file.
 * @throws {UsageError} where they are wanted by many processes.
 */
function streamOf(
  operand: string,
  { task, collect }: OptionValues,
  { cwd, stdin }: Host,
): OpenTasks | undefined {
  const path = resolve(cwd, operand);
  if (operand !== "-" && !isPipe(path)) return undefined;
  if (task !== undefined || collect) {
    throw new UsageError("Cannot take the tasks of an array from a pipe: name their file");
  }
  if (operand === "-") return () => Promise.resolve(stdin.readable);
  return async () => (await Deno.open(path)).readable;
}

function isPipe(path: string): boolean {
  try {
    const { isFile, isDirectory } = Deno.statSync(path);
    return !isFile && !isDirectory;
  } catch (error) {
    // Whoever opens it says what is wrong.
    if (isOfSystem(error)) return false;
    throw error;
  }
}

/**
 * Results among the files that tasks work on are left out of copies, and else in their reach.
 * @throws {UsageError} where the workspace itself would hold them.
 */
function settlePlace(
  folder: string,
  { launch: { places: { workspace } }, isolation }: House,
  { note }: BatchProgress,
): void {
  const path = realOrSame(folder);
  if (path === workspace) {
    throw new UsageError(`Cannot use "${path}": it is the workspace, name another folder by --out`);
  }
  if (isolation !== "none" || !isInside(path, workspace)) return;
  note(`warning: "${path}" lies in the workspace, where tasks can see and change it`);
}

/** A folder that is not there yet cannot be a link, either. */
function realOrSame(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (isOfSystem(error)) return path;
    throw error;
  }
}

async function whole(work: Work, signal: AbortSignal): Promise<BatchSummary> {
  const { options, survey, progress } = work;
  return await runWholeBatch({
    ...common(work),
    jobs: options.jobs ?? DEFAULT_JOBS,
    emit: (event, tally) => progress.emit(event, tally, survey.count),
  }, signal);
}

async function one(work: Work, index: number, host: Host, signal: AbortSignal): Promise<number> {
  using _mine = takeElement(work.out, index);
  const tally = { done: 0, failed: 0 };
  const end = await runElement({
    ...common(work),
    index,
    emit: (event) => work.progress.emit(event, tally, 1),
  }, signal);
  tellElement(end, work, host);
  return end.exitCode;
}

function common({ options, house, out, file, survey, progress }: Work) {
  return {
    ...{ house, out, file, survey },
    maxBudgetUsd: options["max-budget-usd"],
    retries: options.retries ?? DEFAULT_RETRIES,
    retryFailed: options["retry-failed"] ?? false,
    note: (line: string, alarm: boolean) => alarm ? progress.alarm(line) : progress.note(line),
  };
}

/** What a table is cut to where no terminal says how wide it is. */
const PAGE_COLUMNS = 160;

async function tell(
  summary: BatchSummary,
  { options, progress }: Pick<Work, "options" | "progress">,
  { streams: { stdout, stderr }, stdoutIsTerminal: isTerminal, env }: Host,
): Promise<number> {
  progress[Symbol.dispose]();
  // On a terminal both go to the same place, and this comes last.
  await stderr.flush();
  const style = styleFor({ flag: options.color ?? "auto", isTerminal, env });
  const view = { width: isTerminal ? terminalSize().columns : PAGE_COLUMNS, style };
  const asText = (options["output-format"] ?? "text") === "text";
  stdout.write(asText ? summaryText(summary, view) : `${JSON.stringify(summary)}\n`);
  return summary.exit_code;
}

/** The line of an element is what a program reads, and what happened has told people all. */
function tellElement(
  { line, isEarlier, why }: ElementEnd,
  { options, progress }: Work,
  { streams }: Host,
): void {
  progress[Symbol.dispose]();
  if (isEarlier) {
    progress.note("It is done with already; --retry-failed does one again that failed");
  }
  if (why !== undefined) progress.note(`error: ${why}`);
  if (options["output-format"] === "json" && line !== undefined) streams.stdout.write(`${line}\n`);
}
