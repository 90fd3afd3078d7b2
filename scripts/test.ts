/**
 * The one test command, `deno task test [PATH | PART OF A FILE NAME | FLAG OF DENO TEST]…`: brings
 * the system programs, runs the tests, lists what was skipped and what failed, and ends with a line of
 * totals.
 */
import { join } from "node:path";
import { ENDING_SIGNALS } from "./ending_signals.ts";
import { installCommand, type Program, setup } from "./setup.ts";
import { installPeers } from "./setup/peers.ts";
import { testArguments } from "./test/arguments.ts";
import {
  failureLines,
  readReport,
  readTotals,
  type Report,
  type Totals,
  totalsLine,
} from "./test/report.ts";
import { SHARDS, shardsOf } from "./test/shards.ts";

/**
 * Frozen, so that a run tests the locked packages; types are checked, which is Deno's default. Not
 * `--parallel`: it runs test files as threads of one process, where a program that one file starts
 * holds the file locks of another for a moment. A whole run is shared out to processes instead.
 */
const FLAGS = ["test", "--allow-all", "--frozen"];

/** Runs the tests that `words` name, all without any, and resolves to the exit code of the run. */
export async function runTests(words: readonly string[]): Promise<number> {
  const files = testFilesIn("tests");
  let runs: string[][];
  try {
    runs = words.length === 0 ? shardsOf(files, SHARDS) : [testArguments(words, files, exists)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    return 2;
  }
  const missing = await setup();
  await installPeers();
  const results = await resultsOf(runs);
  const totals = sum(results.map(({ totals }) => totals));
  const report = {
    skipped: results.flatMap(({ report }) => report.skipped),
    failures: results.flatMap(({ report }) => report.failures),
  };
  console.log(closingLines(totals, report, missing).join("\n"));
  return totals.failed > 0 || totals.passed === 0 ? 1 : 0;
}

/** Starts the runs, and leaves none of them and no report behind, however this process ends. */
async function resultsOf(runs: readonly string[][]): Promise<RunResult[]> {
  using reports = reportFolder();
  const started = runs.map((args, index) => startRun(args, join(reports.path, `${index}.xml`)));
  endOnSignals(started, reports);
  return await shown(started);
}

/** Removed once, by whoever ends first. */
function reportFolder(): Disposable & { readonly path: string } {
  const path = Deno.makeTempDirSync({ prefix: "cordon-tests-" });
  const removal = new DisposableStack();
  removal.defer(() => Deno.removeSync(path, { recursive: true }));
  return { path, [Symbol.dispose]: () => removal.dispose() };
}

/**
 * Hands a signal on, which a terminal sends to all of us but `kill` to this process alone. What is
 * left to read of the output is not waited for: a program of a test may hold it open.
 */
function endOnSignals(runs: readonly TestRun[], reports: Disposable): void {
  for (const [signal, code] of ENDING_SIGNALS) {
    Deno.addSignalListener(signal, async () => {
      for (const run of runs) run.end(signal);
      await Promise.all(runs.map(({ ended }) => ended));
      reports[Symbol.dispose]();
      Deno.exit(code);
    });
  }
}

/** One process of `deno test` at work; `output` has to be read for it to go on. */
interface TestRun {
  readonly output: ReadableStream<Uint8Array>;
  readonly ended: Promise<boolean>;
  /** Sends it a signal, if it still runs. */
  readonly end: (signal: Deno.Signal) => void;
  /** Where its report will lie. */
  readonly report: string;
}

interface RunResult {
  readonly totals: Totals;
  readonly report: Report;
}

function startRun(args: readonly string[], report: string): TestRun {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...FLAGS, `--junit-path=${report}`, ...args],
    env: { DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  let running = true;
  const ended = child.status.then(({ success }) => {
    running = false;
    return success;
  });
  const end = (signal: Deno.Signal) => running && child.kill(signal);
  return { output: child.stdout, ended, end, report };
}

/** Shows the first run as it goes and each other one when those before it are over. */
async function shown(runs: readonly TestRun[]): Promise<RunResult[]> {
  let before: Promise<unknown> = Promise.resolve();
  const results = runs.map((run, index) => {
    const earlier = before;
    const result = index === 0 ? follow(run, writeAll) : hold(run, earlier);
    before = Promise.all([earlier, result]);
    return result;
  });
  return await Promise.all(results);
}

async function hold(run: TestRun, earlier: Promise<unknown>): Promise<RunResult> {
  const held: Uint8Array[] = [];
  let show: (chunk: Uint8Array) => void = (chunk) => held.push(chunk);
  const shows = earlier.then(() => {
    held.forEach(writeAll);
    show = writeAll;
  });
  const result = await follow(run, (chunk) => show(chunk));
  await shows;
  return result;
}

async function follow(
  { output, ended, report }: TestRun,
  show: (chunk: Uint8Array) => void,
): Promise<RunResult> {
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of output) {
    show(chunk);
    tail = keepTail(tail + decoder.decode(chunk, { stream: true }));
  }
  const totals = verdict(await ended, readTotals(tail));
  return { totals, report: readReport(await readTextIfThere(report)) };
}

/** A run that never began to test leaves no report. */
async function readTextIfThere(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

function sum(all: readonly Totals[]): Totals {
  return all.reduce((one, other) => ({
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }));
}

/** A run that failed without a failed test (types wrong, a file not found) counts as one failure. */
function verdict(success: boolean, totals: Totals | undefined): Totals {
  const { passed, failed, skipped } = totals ?? { passed: 0, failed: 0, skipped: 0 };
  return { passed, failed: success ? failed : Math.max(failed, 1), skipped };
}

function closingLines(
  totals: Totals,
  { skipped, failures }: Report,
  missing: readonly Program[],
): string[] {
  const lines: string[] = [];
  if (skipped.length > 0) lines.push("skipped:");
  for (const { file, name } of skipped) lines.push(`  ${file}: ${name}`);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ");
    lines.push(`missing here: ${names} (install with: ${installCommand(missing)})`);
  }
  if (totals.passed + totals.failed === 0) lines.push("no test ran");
  lines.push(...failureLines(failures));
  return [...lines, totalsLine(totals)];
}

/** The summary is Deno's last line; a run's whole output need not stay in memory. */
function keepTail(output: string): string {
  const TAIL_LENGTH = 10_000;
  return output.length > 2 * TAIL_LENGTH ? output.slice(-TAIL_LENGTH) : output;
}

function writeAll(chunk: Uint8Array): void {
  for (let rest = chunk; rest.length > 0;) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

function testFilesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return testFilesIn(path);
    return name.endsWith("_test.ts") ? [path] : [];
  }).sort();
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

if (import.meta.main) Deno.exitCode = await runTests(Deno.args);
