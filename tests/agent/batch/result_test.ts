import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type AttemptFacts, isFinal, parseResult, resultOf } from "../../../agent/batch/result.ts";
import type { ResultEvent } from "../../../agent/events.ts";
import { NO_USAGE } from "../../../agent/terminal/result_event.ts";
import { result } from "./results.ts";

const TASK = { id: "a", index: 3, digest: "d" };

function saying(more: Partial<ResultEvent>): ResultEvent {
  return {
    ...{ type: "result", reason: "done", exit_code: 0, text: "yes", turns: 2 },
    ...{ usage: NO_USAGE, duration_ms: 1 },
    ...more,
  };
}

const FACTS: AttemptFacts = {
  said: saying({}),
  ...{ stopped: undefined, error: "", usage: NO_USAGE, turns: 2, durationMs: 3.6 },
  ...{ sessionId: "s", workspace: "/w", branch: "cordon/a", attempt: 2 },
  ended: new Date("2026-12-01T10:00:00Z"),
};

Deno.test("resultOf() writes down all that is known", () => {
  deepStrictEqual(resultOf(TASK, FACTS), {
    ...{ id: "a", index: 3, reason: "done", exit_code: 0, text: "yes", turns: 2 },
    ...{ usage: NO_USAGE, duration_ms: 4, session_id: "s", workspace: "/w", branch: "cordon/a" },
    ...{ attempt: 2, task: "d", ended: "2026-12-01T10:00:00.000Z" },
  });
});

Deno.test("resultOf() names the end", async (t) => {
  const interrupted = saying({ reason: "interrupted", exit_code: 130 });
  const cases: readonly [name: string, facts: Partial<AttemptFacts>, want: [string, number]][] = [
    ["its own", { said: saying({ reason: "turn_limit", exit_code: 3 }) }, ["turn_limit", 3]],
    ["its time was up", { said: interrupted, stopped: "time_limit" }, ["time_limit", 3]],
    ["the budget was spent", { said: interrupted, stopped: "budget" }, ["budget", 3]],
    ["a person stopped the batch", { said: interrupted, stopped: "interrupted" }, [
      "interrupted",
      130,
    ]],
    ["it was killed, being stopped", { said: undefined, stopped: "time_limit" }, ["time_limit", 3]],
    // What it finished before it was told to end counts.
    ["it was done already", { stopped: "budget" }, ["done", 0]],
    ["somebody stopped it alone", { said: saying({ reason: "interrupted", exit_code: 143 }) }, [
      "interrupted",
      143,
    ]],
    ["it died", { said: undefined }, ["failed", 1]],
  ];
  for (const [name, facts, want] of cases) {
    await t.step(name, () => {
      const { reason, exit_code } = resultOf(TASK, { ...FACTS, ...facts });
      deepStrictEqual([reason, exit_code], want);
    });
  }
});

Deno.test("resultOf() gives an answer to a schema as a value", () => {
  const of = (schema: string | undefined, more: Partial<ResultEvent>) =>
    resultOf({ ...TASK, ...(schema && { schema }) }, { ...FACTS, said: saying(more) }).result;
  deepStrictEqual(of("{}", { text: '{"a":[1]}' }), { a: [1] });
  strictEqual(of("{}", { text: "0" }), 0);
  // Without a schema, or where it was not met, text is text.
  strictEqual(of(undefined, { text: '{"a":1}' }), undefined);
  strictEqual(of("{}", { text: '{"a":1}', reason: "failed", exit_code: 1 }), undefined);
  strictEqual(of("{}", { text: '{"a":' }), undefined);
});

Deno.test("resultOf() tells an error only where one came of it", () => {
  const error = "once the server was busy";
  strictEqual(resultOf(TASK, { ...FACTS, error }).error, undefined);
  strictEqual(resultOf(TASK, { ...FACTS, said: undefined, error }).error, error);
});

Deno.test("parseResult() reads what was written, and takes nothing else for it", () => {
  const { id, reason, exit_code, task } = result("a");
  const known = { id, reason, exit_code, usage: { cost_usd: 0.5 }, task };
  deepStrictEqual(parseResult(JSON.stringify(result("a"))), known);
  for (const line of ["", "{", "1", "null", "{}", '{"id":1}']) {
    strictEqual(parseResult(line), undefined, line);
  }
});

Deno.test("isFinal() is what a later run does not do again", () => {
  const ends: readonly [reason: string, code: number, final: boolean][] = [
    ["done", 0, true],
    ["failed", 1, true],
    ["time_limit", 3, true],
    ["approval_unavailable", 4, true],
    ["model_error", 1, true],
    ["model_error", 75, false],
    ["budget", 3, false],
    ["interrupted", 143, false],
  ];
  deepStrictEqual(
    ends.map(([reason, exit_code]) => isFinal({ reason, exit_code })),
    ends.map(([, , final]) => final),
  );
});
