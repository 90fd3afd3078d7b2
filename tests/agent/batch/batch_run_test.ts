import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import type { Attempt, AttemptOptions } from "../../../agent/batch/attempt.ts";
import { type BatchEvent, type BatchParts, BatchRun } from "../../../agent/batch/batch_run.ts";
import type { TaskResult } from "../../../agent/batch/result.ts";
import type { BatchTask } from "../../../agent/batch/task.ts";
import { Interruption } from "../../../agent/interruption.ts";
import { result, TRY_LATER } from "./results.ts";

/** An attempt that a test ends. */
interface Held {
  readonly task: BatchTask;
  readonly options: AttemptOptions;
  /** What it was told. */
  stopped: "cancelled" | "budget" | undefined;
  end(result: TaskResult, retryAfterMs?: number): void;
}

/** A batch whose attempts are the test's, and whose waits are none. */
class Stage {
  readonly held: Held[] = [];
  readonly finished: TaskResult[] = [];
  readonly attempts: TaskResult[] = [];
  readonly waits: number[] = [];
  readonly events: BatchEvent[] = [];
  readonly stop = new AbortController();
  /** Tasks that were asked for so far. */
  asked = 0;
  readonly run: BatchRun;
  #arrival = Promise.withResolvers<void>();

  constructor(more: Partial<BatchParts> = {}) {
    const costs = () =>
      [...this.finished, ...this.attempts].map(({ usage }) => usage.cost_usd ?? 0);
    this.run = new BatchRun({
      begin: (task, options) => this.#begin(task, options),
      keeper: {
        get spentUsd() {
          return costs().reduce((sum, cost) => sum + cost, 0);
        },
        finish: (one) => void this.finished.push(one),
        attempt: (one) => void this.attempts.push(one),
      },
      maxBudgetUsd: undefined,
      retries: 2,
      clock: {
        now: () => 0,
        random: () => 0,
        sleep: (ms) => Promise.resolve(void this.waits.push(ms)),
      },
      emit: (event) => void this.events.push(event),
      ...more,
    });
  }

  /** The `n`th attempt (from 0), once it has begun. */
  async attempt(n: number): Promise<Held> {
    for (;;) {
      const held = this.held[n];
      if (held) return held;
      await this.#arrival.promise;
    }
  }

  async all(ids: readonly string[], jobs = 2): Promise<void> {
    await this.run.all(this.#tasks(ids), jobs, this.stop.signal);
  }

  async *#tasks(ids: readonly string[]): AsyncGenerator<BatchTask> {
    for (const [index, id] of ids.entries()) {
      this.asked++;
      yield await Promise.resolve({ id, index, line: index + 1, digest: "", prompt: id });
    }
  }

  #begin(task: BatchTask, options: AttemptOptions): Attempt {
    const { promise, resolve } = Promise.withResolvers<Awaited<Attempt["done"]>>();
    const held: Held = {
      ...{ task, options, stopped: undefined },
      end: (result, retryAfterMs) => resolve({ result, retryAfterMs }),
    };
    this.held.push(held);
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
    return {
      done: promise,
      stop(why) {
        held.stopped = why;
        const reason = why === "budget" ? "budget" : "interrupted";
        held.end(result(task.id, { reason, exit_code: why === "budget" ? 3 : 130 }));
        return Promise.resolve();
      },
    };
  }
}

function idsOf(results: readonly TaskResult[]): string[] {
  return results.map(({ id }) => id);
}

Deno.test("BatchRun keeps as many tasks going as it has jobs, and asks for no more", async () => {
  const stage = new Stage();
  const all = stage.all(["a", "b", "c", "d"], 2);
  await stage.attempt(1);
  deepStrictEqual([stage.asked, stage.held.length], [2, 2]);
  (await stage.attempt(1)).end(result("b"));
  await stage.attempt(2);
  deepStrictEqual([stage.asked, stage.held.length], [3, 3]);
  (await stage.attempt(0)).end(result("a"));
  (await stage.attempt(2)).end(result("c"));
  (await stage.attempt(3)).end(result("d"));
  await all;
  deepStrictEqual(idsOf(stage.finished), ["b", "a", "c", "d"]);
  deepStrictEqual([stage.attempts, stage.run.stopped], [[], undefined]);
});

Deno.test("BatchRun tries a task again that ended by try later, as the server asks", async () => {
  const stage = new Stage();
  const all = stage.all(["a"]);
  (await stage.attempt(0)).end(result("a", { ...TRY_LATER, error: "busy" }), 1_234);
  (await stage.attempt(1)).end(result("a", TRY_LATER));
  (await stage.attempt(2)).end(result("a"));
  await all;
  deepStrictEqual(stage.held.map(({ options }) => options.attempt), [1, 2, 3]);
  // The second wait is ours: half of twenty seconds, and nothing by chance.
  deepStrictEqual(stage.waits, [1_234, 10_000]);
  deepStrictEqual([idsOf(stage.attempts), idsOf(stage.finished)], [["a", "a"], ["a"]]);
  deepStrictEqual(stage.events.map(({ type }) => type), [
    ...["started", "waiting", "started", "waiting", "started", "ended"],
  ]);
});

Deno.test("BatchRun gives a task up after its retries, and goes on", async () => {
  const stage = new Stage({ retries: 1 });
  const all = stage.all(["a", "b"], 1);
  (await stage.attempt(0)).end(result("a", TRY_LATER));
  (await stage.attempt(1)).end(result("a", TRY_LATER));
  (await stage.attempt(2)).end(result("b"));
  await all;
  deepStrictEqual(stage.finished.map(({ exit_code }) => exit_code), [75, 0]);
});

Deno.test("BatchRun retries nothing that failed for another reason", async () => {
  const stage = new Stage();
  const all = stage.all(["a"]);
  (await stage.attempt(0)).end(result("a", { reason: "failed", exit_code: 1 }));
  await all;
  deepStrictEqual([stage.held.length, idsOf(stage.finished)], [1, ["a"]]);
});

Deno.test("BatchRun ends what works when it is interrupted, and writes no result for it", async () => {
  const stage = new Stage();
  const all = stage.all(["a", "b", "c"], 2);
  (await stage.attempt(0)).end(result("a"));
  await stage.attempt(2);
  stage.stop.abort(new Interruption("interrupted", 143));
  await all;
  deepStrictEqual([idsOf(stage.finished), idsOf(stage.attempts)], [["a"], ["b", "c"]]);
  strictEqual(stage.run.stopped?.exitCode, 143);
  deepStrictEqual(stage.held.map(({ stopped }) => stopped), [undefined, "cancelled", "cancelled"]);
});

Deno.test("BatchRun begins nothing where it was interrupted before", async () => {
  const stage = new Stage();
  stage.stop.abort(new Interruption("interrupted", 130));
  await stage.all(["a"]);
  deepStrictEqual([stage.held.length, stage.run.stopped?.exitCode], [0, 130]);
});

Deno.test("BatchRun stops waiting for a retry when it is interrupted", async () => {
  const waiting = Promise.withResolvers<void>();
  const stage: Stage = new Stage({
    clock: {
      ...{ now: () => 0, random: () => 0 },
      sleep(_, signal) {
        waiting.resolve();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
      },
    },
  });
  const all = stage.all(["a"]);
  (await stage.attempt(0)).end(result("a", TRY_LATER));
  await waiting.promise;
  stage.stop.abort();
  await all;
  deepStrictEqual([stage.held.length, idsOf(stage.attempts)], [1, ["a"]]);
});

Deno.test("BatchRun keeps all of a batch to its budget", async () => {
  const stage = new Stage({ maxBudgetUsd: 1 });
  const all = stage.all(["a", "b", "c", "d"], 2);
  const [a, b] = [await stage.attempt(0), await stage.attempt(1)];
  deepStrictEqual([a.options.leftUsd, b.options.leftUsd], [1, 1]);
  a.options.onUsage({ ...result("a").usage, cost_usd: 0.25 });
  a.end(result("a", { usage: { ...result("a").usage, cost_usd: 0.25 } }));
  const c = await stage.attempt(2);
  strictEqual(c.options.leftUsd, 0.75);
  // What runs counts with what it has used so far.
  b.options.onUsage({ ...result("b").usage, cost_usd: 0.5 });
  strictEqual(b.stopped, undefined);
  c.options.onUsage({ ...result("c").usage, cost_usd: 0.25 });
  await all;
  deepStrictEqual([b.stopped, c.stopped, stage.held.length], ["budget", "budget", 3]);
  deepStrictEqual(stage.finished.map(({ reason }) => reason), ["done", "budget", "budget"]);
  strictEqual(stage.run.stopped?.exitCode, 3);
  match(String(stage.run.stopped?.why), /^The budget of the batch is spent: 1 USD$/);
});

Deno.test("BatchRun begins nothing where earlier runs spent the budget", async () => {
  const stage = new Stage({ maxBudgetUsd: 0.5 });
  stage.attempts.push(result("earlier"));
  await stage.all(["a"]);
  deepStrictEqual([stage.held.length, stage.run.stopped?.exitCode], [0, 3]);
});

Deno.test("BatchRun stops where every task would end as the first one did", async (t) => {
  const cases: readonly [code: number, model: boolean, stops: boolean][] = [
    [76, false, true],
    [77, false, true],
    [76, true, false],
    [78, false, false],
    [1, false, false],
  ];
  for (const [exit_code, hasModel, stops] of cases) {
    await t.step(`code ${exit_code}${hasModel ? " of a model of its own" : ""}`, async () => {
      const stage = new Stage();
      const task = { id: "a", index: 0, line: 1, digest: "", prompt: "a" };
      const tasks = async function* () {
        yield await Promise.resolve(hasModel ? { ...task, model: "m" } : task);
        yield { ...task, id: "b" };
      };
      const all = stage.run.all(tasks(), 1, stage.stop.signal);
      const reason = "model_error" as const;
      (await stage.attempt(0)).end(result("a", { reason, exit_code, error: "no key" }));
      if (!stops) (await stage.attempt(1)).end(result("b"));
      await all;
      deepStrictEqual(idsOf(stage.finished), stops ? [] : ["a", "b"]);
      deepStrictEqual(
        stage.run.stopped,
        stops
          ? { exitCode: exit_code, why: 'The other tasks would end as "a" did: no key' }
          : undefined,
      );
    });
  }
});

Deno.test("BatchRun ends everything where a result cannot be written down", async () => {
  const stage: Stage = new Stage({
    keeper: {
      spentUsd: 0,
      finish: () => {
        throw new Error("disk full");
      },
      attempt: (one) => void stage.attempts.push(one),
    },
  });
  const all = stage.all(["a", "b", "c"], 2);
  const b = await stage.attempt(1);
  (await stage.attempt(0)).end(result("a"));
  await rejects(all, /disk full/);
  deepStrictEqual([b.stopped, stage.held.length], ["cancelled", 2]);
});

Deno.test("BatchRun ends everything where the tasks break off", async () => {
  const stage = new Stage();
  const tasks = async function* () {
    yield await Promise.resolve({ id: "a", index: 0, line: 1, digest: "", prompt: "a" });
    throw new Error("line 2 is wrong");
  };
  await rejects(stage.run.all(tasks(), 2, stage.stop.signal), /line 2 is wrong/);
  strictEqual(stage.held[0]?.stopped, "cancelled");
});
