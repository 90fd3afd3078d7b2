import { replaceUnique } from "../../edit/ladder.ts";
import { Source } from "../../edit/source.ts";
import { findClosest } from "../../edit/suggest.ts";
import type { WriteFiles } from "../../sandbox/files/files.ts";
import { createFiles } from "../../sandbox/files/guarded_files.ts";
import { editTools } from "../../tools/edit_tools.ts";
import { openCells } from "../../tests/helpers/both_files.ts";
import { tempDir } from "../../tests/helpers/temp_dir.ts";
import { runTool } from "../../tests/helpers/tool_calls.ts";
import { spreadOf } from "./statistics.ts";

/** One measured figure; `ms` is the median of its runs. */
export interface BenchRow {
  readonly name: string;
  readonly ms: number;
  /** The mark to stay below, in milliseconds. */
  readonly targetMs?: number;
}

const RUNS = 9;
/** A 30-line old text, as in the comparison with other engines. */
const OLD_LINES = 30;

/** A file of 1.6 MB, as in the comparison with other engines. */
const LINES = 50_000;

/** Measures the edit engine alone and whole calls of the tools, on generated files. */
export async function benchEdit(): Promise<BenchRow[]> {
  const engine = benchEngine().map((row) => ({ ...row, name: `edit engine: ${row.name}` }));
  return [...engine, ...await benchCalls()];
}

/** Measures the engine; nothing is read or written. */
function benchEngine(): BenchRow[] {
  const rows: BenchRow[] = [];
  for (const count of [1_000, 10_000, LINES]) {
    const text = sourceText(count);
    const old = lineBlock(text, Math.floor(count * 0.7));
    const missing = old.replace(/= \d+/, () => "= elsewhere");
    const name = `${count.toLocaleString("en")} lines`;
    const marks = count === LINES ? { exact: 10, miss: 60, closest: 150 } : undefined;
    rows.push(row(`${name}, exact hit`, () => replaceUnique(text, old, "x\n"), marks?.exact));
    rows.push(row(`${name}, CRLF hit`, crlf(text, old)));
    rows.push(row(`${name}, indented hit`, () => replaceUnique(text, shifted(old), "x\n")));
    rows.push(row(`${name}, miss`, () => replaceUnique(text, missing, "x\n"), marks?.miss));
    rows.push(
      row(`${name}, miss with closest place`, () => {
        const source = new Source(text);
        replaceUnique(source, missing, "x\n");
        findClosest(source, missing, () => false);
      }, marks?.closest),
    );
  }
  const long = sourceText(650_000);
  const old = lineBlock(long, 400_000);
  rows.push(row("20 MB, exact hit", () => replaceUnique(long, old, "x\n"), 150));
  const minified = "var a=1;f(a);".repeat(400_000) + "end();";
  rows.push(row("one line of 5 MB, hit", () => replaceUnique(minified, "end();", "fin();")));
  rows.push(
    row("one line of 5 MB, miss with closest place", () => {
      const source = new Source(minified);
      replaceUnique(source, "f(b);f(c)", "x");
      findClosest(source, "f(b);f(c)", () => false);
    }),
  );
  return rows;
}

/** Measures calls as the executor makes them, with real files: arguments read to text rendered. */
async function benchCalls(): Promise<BenchRow[]> {
  await using dir = await tempDir();
  await using cells = await openCells();
  const options = { roots: { workspace: dir.path }, cwd: () => dir.path };
  const here = await callRows("in this process", dir.path, createFiles(options));
  return [...here, ...await callRows("through a cell", dir.path, cells.open(options))];
}

async function callRows(where: string, folder: string, files: WriteFiles): Promise<BenchRow[]> {
  const text = sourceText(LINES);
  const old_string = lineBlock(text, Math.floor(LINES * 0.7));
  const shiftedOld = shifted(old_string);
  const missing = old_string.replace(/= \d+/, () => "= elsewhere");
  const hunk = (old: string, fresh: string) =>
    `<<<<<<< ORIGINAL\n${old}=======\n${fresh}>>>>>>> UPDATED\n`;
  const patch = [100, 25_000, 49_900].map((at) => hunk(lineBlock(text, at), "x\n")).join("");
  const calls: [name: string, tool: string, args: Record<string, unknown>, targetMs?: number][] = [
    ["edit_file, exact hit", "edit_file", { old_string, new_string: "x\n" }, 25],
    ["edit_file, indented hit", "edit_file", { old_string: shiftedOld, new_string: "x\n" }],
    ["edit_file, miss with message", "edit_file", { old_string: missing, new_string: "x\n" }],
    ["patch, three hunks", "patch", { patch }],
  ];
  const rows: BenchRow[] = [];
  for (const [name, tool, args, targetMs] of calls) {
    const times: number[] = [];
    for (let run = 0; run <= RUNS; run++) {
      await Deno.writeTextFile(`${folder}/f.ts`, text);
      times.push(await timeCall(tool, { path: "f.ts", ...args }, files));
    }
    // The first run of each call warms up, and is not counted.
    const ms = spreadOf(times.slice(1)).median;
    const row = { name: `${name}, whole call on 1.6 MB, ${where}`, ms };
    rows.push(targetMs === undefined ? row : { ...row, targetMs });
  }
  return rows;
}

async function timeCall(name: string, args: unknown, files: WriteFiles): Promise<number> {
  const tool = editTools({ recovery: "place" }).find((tool) => tool.name === name);
  if (tool === undefined) throw new RangeError(`no tool ${name}`);
  const start = performance.now();
  const { isError, text } = await runTool(tool, args, { files });
  const ms = performance.now() - start;
  if (isError) throw new Error(text);
  return ms;
}

function crlf(text: string, old: string): () => unknown {
  const file = text.replaceAll("\n", "\r\n");
  return () => replaceUnique(file, old, "x\n");
}

/** Lines of about 31 characters. */
function sourceText(count: number): string {
  return Array.from({ length: count }, (_, n) => `  const value${n} = ${n * 7919 % 100_003};`)
    .map((line) => line.padEnd(30, "/") + "\n").join("");
}

function lineBlock(text: string, first: number): string {
  return text.split("\n").slice(first, first + OLD_LINES).join("\n") + "\n";
}

function shifted(old: string): string {
  return old.replace(/^ {2}/gm, "");
}

function row(name: string, run: () => unknown, targetMs?: number): BenchRow {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  const ms = spreadOf(times).median;
  return { name, ms, ...(targetMs === undefined ? {} : { targetMs }) };
}

if (import.meta.main) {
  for (const { name, ms, targetMs } of await benchEdit()) {
    const mark = targetMs === undefined ? "" : `  (mark ${targetMs})`;
    console.log(`${name.padEnd(66)} ${ms.toFixed(2).padStart(8)} ms${mark}`);
  }
}
