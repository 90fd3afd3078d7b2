import { deepStrictEqual, rejects } from "node:assert/strict";
import { AttemptFailure, type Failure } from "../../../agent/model/failure.ts";
import type { ModelEvent } from "../../../agent/model/model.ts";
import { retryDelay, type RetryState, withRetries } from "../../../agent/model/retry.ts";

const busy: Failure = { kind: "refused", status: 503, sentence: "busy" };
const gone: Failure = { kind: "unreachable", sentence: "connection refused" };

function asksFor(retryAfterMs: number): Failure {
  return { kind: "refused", status: 429, sentence: "slow down", retryAfterMs };
}

Deno.test("retryDelay()", async (t) => {
  const fresh: RetryState = { retries: 0, attemptMs: 0, unreachableMs: 0, random: 0.5 };
  const cases: [name: string, failure: Failure, state: Partial<RetryState>, want?: number][] = [
    ["draws from the first second", busy, {}, 500],
    ["may not wait at all", busy, { random: 0 }, 0],
    ["doubles the range", busy, { retries: 1 }, 1_000],
    ["doubles it again", busy, { retries: 2 }, 2_000],
    ["draws from eight seconds at last", busy, { retries: 3 }, 4_000],
    ["ends after four retries", busy, { retries: 4 }],
    ["waits as long as asked", asksFor(7_000), {}, 7_000],
    ["waits a minute if asked", asksFor(60_000), {}, 60_000],
    ["gives up on longer waits", asksFor(60_001), {}],
    ["draws where a server asks for no wait", asksFor(0), {}, 500],
    ["does not retry what stays wrong", { kind: "refused", status: 400, sentence: "bad" }, {}],
    ["retries a torn answer", { kind: "torn", sentence: "cut" }, {}, 500],
    ["looks for a server for 20 s", gone, { retries: 3, unreachableMs: 16_000 }, 4_000],
    ["and no longer", gone, { retries: 3, unreachableMs: 16_001 }],
    ["counts what the next attempt may take", gone, { unreachableMs: 10_000, attemptMs: 10_000 }],
    ["does not count the past of other failures", busy, { unreachableMs: 30_000 }, 500],
  ];
  for (const [name, failure, state, want] of cases) {
    await t.step(name, () => deepStrictEqual(retryDelay(failure, { ...fresh, ...state }), want));
  }
});

/** Attempts that fail as listed and take `attemptMs`, then one that answers; time is a number. */
function play(failures: readonly Failure[], attemptMs = 0) {
  let time = 0;
  let made = 0;
  const slept: number[] = [];
  const clock = {
    now: () => time,
    random: () => 0.5,
    sleep: (ms: number) => {
      slept.push(ms);
      time += ms;
      return Promise.resolve();
    },
  };
  async function* attempt(): AsyncGenerator<ModelEvent> {
    const failure = failures[made++];
    time += attemptMs;
    yield { type: "text_delta", text: `attempt ${made}` };
    if (failure) throw new AttemptFailure(failure);
  }
  const never = new AbortController().signal;
  return {
    slept,
    run: () => Array.fromAsync(withRetries(attempt, clock, never)),
    time: () => time,
  };
}

Deno.test("withRetries()", async (t) => {
  await t.step("announces a retry between the deltas of two attempts", async () => {
    const { run, slept } = play([busy]);
    deepStrictEqual(await run(), [
      { type: "text_delta", text: "attempt 1" },
      { type: "retry", attempt: 1, delayMs: 500, reason: "503: busy" },
      { type: "text_delta", text: "attempt 2" },
    ]);
    deepStrictEqual(slept, [500]);
  });
  await t.step("throws the fifth failure", async () => {
    const { run, slept } = play([busy, busy, busy, busy, busy]);
    await rejects(run, { failure: busy });
    deepStrictEqual(slept, [500, 1_000, 2_000, 4_000]);
  });
  await t.step("gives up within 20 s where no server is found", async () => {
    const { run, time } = play([gone, gone, gone, gone, gone], 7_000);
    await rejects(run, { failure: gone });
    deepStrictEqual(time(), 14_500);
  });
  await t.step("forgets an absence that ended", async () => {
    const { run } = play([gone, busy, gone], 7_000);
    deepStrictEqual((await run()).at(-1), { type: "text_delta", text: "attempt 4" });
  });
  await t.step("stops where the wait is interrupted", async () => {
    const stop = new AbortController();
    let made = 0;
    // deno-lint-ignore require-yield -- it fails before its first event
    async function* attempt(): AsyncGenerator<ModelEvent> {
      made++;
      throw new AttemptFailure(busy);
    }
    const sleep = () => Promise.resolve(stop.abort());
    const clock = { now: () => 0, random: () => 0, sleep };
    await rejects(Array.fromAsync(withRetries(attempt, clock, stop.signal)), {
      name: "AbortError",
    });
    deepStrictEqual(made, 1);
  });
  await t.step("lets errors of the program pass", async () => {
    // deno-lint-ignore require-yield -- it fails before its first event
    async function* attempt(): AsyncGenerator<ModelEvent> {
      throw new RangeError("bug");
    }
    const clock = { now: () => 0, random: () => 0, sleep: () => Promise.resolve() };
    await rejects(
      Array.fromAsync(withRetries(attempt, clock, new AbortController().signal)),
      RangeError,
    );
  });
});
