import { ok, strictEqual } from "node:assert/strict";
import { BatchRun } from "../../../agent/batch/batch_run.ts";
import { Ledger } from "../../../agent/batch/ledger.ts";
import { takeOutFolder } from "../../../agent/batch/out_folder.ts";
import { Tally } from "../../../agent/batch/tally.ts";
import { type TasksFile, tasksIn } from "../../../agent/batch/tasks_file.ts";
import { realClock } from "../../../agent/model/real_clock.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { usedBytes } from "../../helpers/used_bytes.ts";
import { result } from "./results.ts";

/** Of each task, and of each answer, in characters. */
const SIZE = 96 * 1024;

/** What may stay in memory of all tasks together, in bytes: far less than one of their two texts. */
const BOUND = 6 * 1024 * 1024;

const TASKS = 200;

Deno.test("a batch keeps neither tasks nor answers in memory, and reads none of them back", async () => {
  await using dir = await tempDir();
  const file: TasksFile = { path: dir.join("tasks.jsonl"), name: "tasks" };
  {
    using tasks = await Deno.open(file.path, { write: true, createNew: true });
    const encoder = new TextEncoder();
    for (let n = 0; n < TASKS; n++) {
      const task = { id: `t${n}`, prompt: `${n}`.padEnd(SIZE, "p") };
      await tasks.write(encoder.encode(`${JSON.stringify(task)}\n`));
    }
  }
  using taken = takeOutFolder(dir.join("out"), "alone");
  const options = { retryFailed: false, note: () => {} };
  const tally = new Tally();
  const grown = { working: 0, reading: 0 };
  {
    using ledger = await Ledger.open(taken.out, options);
    let ended = 0;
    let first = 0;
    const run = new BatchRun({
      begin(task, { attempt }) {
        const text = `${task.index}`.padEnd(SIZE, "a");
        const done = { result: result(task.id, { text, attempt }), retryAfterMs: undefined };
        return { done: Promise.resolve(done), stop: () => Promise.resolve() };
      },
      keeper: ledger,
      ...{ maxBudgetUsd: undefined, retries: 0, clock: realClock() },
      emit(event) {
        if (event.type !== "ended") return;
        tally.add(event.result);
        ended++;
        if (ended === TASKS / 4) first = usedBytes();
        if (ended === TASKS) grown.working = usedBytes() - first;
      },
    });
    await run.all(tasksIn(file), 4, new AbortController().signal);
  }
  strictEqual(tally.done, TASKS);
  const before = usedBytes();
  using ledger = await Ledger.open(taken.out, options);
  grown.reading = usedBytes() - before;
  strictEqual(ledger.done.size, TASKS);
  // Three quarters of the answers alone are twice the bound.
  ok(grown.working < BOUND, `${grown.working} bytes`);
  ok(grown.reading < BOUND, `${grown.reading} bytes`);
});
