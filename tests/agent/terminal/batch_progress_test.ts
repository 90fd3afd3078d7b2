import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { Tally } from "../../../agent/batch/tally.ts";
import { progressLine } from "../../../agent/terminal/batch_progress.ts";
import { summaryText } from "../../../agent/terminal/batch_summary.ts";
import { styleFor } from "../../../agent/terminal/style.ts";
import { result } from "../batch/results.ts";

const PLAIN = styleFor({ flag: "never", isTerminal: false, env: () => undefined });

Deno.test("progressLine() tells how far a batch is, and what it is at", () => {
  strictEqual(progressLine({ done: 0, failed: 0 }, 9, []), "0/9");
  strictEqual(
    progressLine({ done: 3, failed: 1 }, 9, ["a", "b\u202e"]),
    "4/9  1 failed  running: a, b<U+202E>",
  );
});

Deno.test("summaryText() is a table of what a batch came to", () => {
  const tally = new Tally();
  tally.addEarlier({ id: "e", reason: "done", exitCode: 0 });
  tally.add(result("a"));
  tally.add(result("b", { reason: "failed", exit_code: 1, error: "no\x1b[2J luck" }));
  const facts = { tasks: 9, spent_usd: 1.5, duration_ms: 65_000, results: "/out/results.jsonl" };
  const summary = tally.summary({ ...facts, left: [3, 4, 5, 6, 7, 8] }, {
    exitCode: 3,
    why: "The budget of the batch is spent: 1 USD",
  });
  deepStrictEqual(summaryText(summary, { width: 60, style: PLAIN }).split("\n"), [
    "tasks   9  1 done with before",
    "done    2",
    "failed  1  1 failed",
    "left    6  3-8",
    "tokens  20 in, 10 out",
    "cost    $1.5000",
    "time    1 min 05 s",
    "",
    "task  reason  code  error",
    "b     failed  1     no<U+001B>[2J luck",
    "",
    "The budget of the batch is spent: 1 USD",
    "Results: /out/results.jsonl",
    "",
  ]);
});

Deno.test("summaryText() fits the width, but for the path", () => {
  const tally = new Tally();
  for (let n = 0; n < 30; n++) {
    tally.add(
      result(`t${n}`.padEnd(90, "x"), {
        reason: "failed",
        exit_code: 1,
        error: "long ".repeat(40),
      }),
    );
  }
  const facts = {
    tasks: 30,
    spent_usd: 0,
    duration_ms: 1,
    results: `/${"r".repeat(80)}`,
    left: [],
  };
  const lines = summaryText(tally.summary(facts, undefined), { width: 40, style: PLAIN }).split(
    "\n",
  );
  deepStrictEqual(lines.filter((line) => line.length > 40), [`Results: ${facts.results}`]);
  match(lines.join("\n"), /^and 10 more$/m);
});
