import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { retryWait } from "../../../agent/batch/retry_wait.ts";

Deno.test("retryWait() doubles, and no wait is longer than five minutes", () => {
  const longest = [1, 2, 3, 6, 50].map((attempt) => retryWait(attempt, undefined, 1));
  deepStrictEqual(longest, [10_000, 20_000, 40_000, 300_000, 300_000]);
  const shortest = [1, 2, 3].map((attempt) => retryWait(attempt, undefined, 0));
  deepStrictEqual(shortest, [5_000, 10_000, 20_000]);
});

Deno.test("retryWait() takes the server at its word, within an hour", () => {
  strictEqual(retryWait(5, 1, 0.5), 1);
  strictEqual(retryWait(1, 90_000, 0.5), 90_000);
  strictEqual(retryWait(1, 1e12, 0.5), 3_600_000);
});
