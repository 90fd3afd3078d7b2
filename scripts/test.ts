/**
 * The one test command, `deno task test [PATH | PART OF A FILE NAME | FLAG OF DENO TEST]…`: brings
 * the system programs, runs the tests, lists the skipped ones, and ends with a line of totals.
 */
import { installCommand, type Program, setup } from "./setup.ts";
import { installPeers } from "./setup/peers.ts";
import { testArguments } from "./test/arguments.ts";
import { readSkipped, readTotals, type Skipped, type Totals, totalsLine } from "./test/report.ts";

/**
 * Frozen, so that a run tests the locked packages; types are checked, which is Deno's default. Not
 * `--parallel`: it runs test files as threads of one process, where a program that one file starts
 * holds the file locks of another for a moment (47 s instead of 84 s, and a lock test failed).
 */
const FLAGS = ["test", "--allow-all", "--frozen"];

/** Runs the tests that `words` name and resolves to the exit code of the run. */
export async function runTests(words: readonly string[]): Promise<number> {
  let named: string[];
  try {
    named = testArguments(words, testFilesIn("tests"), exists);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    return 2;
  }
  const missing = await setup();
  await installPeers();
  const report = await Deno.makeTempFile({ prefix: "cordon-tests-", suffix: ".xml" });
  try {
    const { success, output } = await denoTest([`--junit-path=${report}`, ...named]);
    const totals = verdict(success, readTotals(output));
    const skipped = totals.skipped > 0 ? readSkipped(await Deno.readTextFile(report)) : [];
    console.log(closingLines(totals, skipped, missing).join("\n"));
    return totals.failed > 0 || totals.passed === 0 ? 1 : 0;
  } finally {
    await Deno.remove(report);
  }
}

/** A run that failed without a failed test (types wrong, a file not found) counts as one failure. */
function verdict(success: boolean, totals: Totals | undefined): Totals {
  const { passed, failed, skipped } = totals ?? { passed: 0, failed: 0, skipped: 0 };
  return { passed, failed: success ? failed : Math.max(failed, 1), skipped };
}

function closingLines(
  totals: Totals,
  skipped: readonly Skipped[],
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
  return [...lines, totalsLine(totals)];
}

/** Runs `deno test`, passes its output on as it comes, and keeps it for the summary. */
async function denoTest(args: readonly string[]): Promise<{ success: boolean; output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...FLAGS, ...args],
    env: { DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stdout) {
    writeAll(chunk);
    output = keepTail(output + decoder.decode(chunk, { stream: true }));
  }
  return { success: (await child.status).success, output };
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
