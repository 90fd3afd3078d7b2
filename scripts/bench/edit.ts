import { replaceUnique } from "../../edit/ladder.ts";
import { Source } from "../../edit/source.ts";
import { findClosest } from "../../edit/suggest.ts";

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

/** Measures the edit engine alone, on generated files; nothing is read or written. */
export function benchEdit(): BenchRow[] {
  const rows: BenchRow[] = [];
  for (const count of [1_000, 10_000, 50_000]) {
    const text = sourceText(count);
    const old = lineBlock(text, Math.floor(count * 0.7));
    const missing = old.replace(/= \d+/, () => "= elsewhere");
    const name = `${count.toLocaleString("en")} lines`;
    const marks = count === 50_000 ? { exact: 10, miss: 60, closest: 150 } : undefined;
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
  }).sort((a, b) => a - b);
  const ms = times[RUNS >> 1] ?? 0;
  return { name, ms, ...(targetMs === undefined ? {} : { targetMs }) };
}

if (import.meta.main) {
  for (const { name, ms, targetMs } of benchEdit()) {
    const mark = targetMs === undefined ? "" : `  (mark ${targetMs})`;
    console.log(`${name.padEnd(44)} ${ms.toFixed(2).padStart(8)} ms${mark}`);
  }
}
