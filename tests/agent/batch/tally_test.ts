import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Tally } from "../../../agent/batch/tally.ts";
import { result, TRY_LATER } from "./results.ts";

const FACTS = { tasks: 3, spent_usd: 0, duration_ms: 1, results: "/r" };

const FAILED = { reason: "failed", exit_code: 1 } as const;

Deno.test("Tally counts ends by their reasons, and names those that failed", () => {
  const tally = new Tally();
  tally.addEarlier({ id: "e", reason: "done", exitCode: 0 });
  tally.add(result("a"));
  tally.add(result("b", { ...FAILED, error: "no" }));
  const summary = tally.summary({ ...FACTS, left: [] }, undefined);
  deepStrictEqual(
    [summary.done, summary.failed, summary.earlier, summary.reasons, summary.failures],
    [2, 1, 1, { done: 2, failed: 1 }, [{ id: "b", ...FAILED, error: "no" }]],
  );
  // What earlier runs used is not used again.
  strictEqual(summary.usage.input_tokens, 20);
});

Deno.test("Tally gives the exit code of a batch", () => {
  const code = (ends: Parameters<typeof result>[1][], left: number[], stop?: number) => {
    const tally = new Tally();
    ends.forEach((end, at) => tally.add(result(`t${at}`, end)));
    return tally.summary({ ...FACTS, left }, stop === undefined ? undefined : { exitCode: stop })
      .exit_code;
  };
  strictEqual(code([{}, {}], []), 0);
  strictEqual(code([{}, FAILED], []), 1);
  strictEqual(code([{}, TRY_LATER], [1]), 75);
  strictEqual(code([FAILED, TRY_LATER], [1]), 1);
  // Elements that have not come to their end, in a collection.
  strictEqual(code([{}], [1, 2]), 75);
  strictEqual(code([FAILED], [1, 2], 130), 130);
  // What came to its end all the same was not stopped.
  strictEqual(code([{}], [], 3), 0);
});

Deno.test("Tally names a few failures of many", () => {
  const tally = new Tally();
  for (let n = 0; n < 1_000; n++) tally.add(result(`t${n}`, FAILED));
  const { failures, failed } = tally.summary({ ...FACTS, left: [] }, undefined);
  deepStrictEqual([failures.length, failed, failures.at(-1)?.id], [20, 1_000, "t19"]);
});
