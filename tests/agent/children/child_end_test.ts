import { deepStrictEqual } from "node:assert/strict";
import { type SeenEnd, wholeEnd } from "../../../agent/children/child_end.ts";
import type { ResultEvent } from "../../../agent/events.ts";
import type { EndReason } from "../../../agent/exit_code.ts";

const EXITED = { code: 0, signal: null, lastWords: "" };

function result(reason: EndReason): ResultEvent {
  const usage = {
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
  };
  return { type: "result", reason, exit_code: 0, text: "said", turns: 1, usage, duration_ms: 1 };
}

Deno.test("wholeEnd() names every end", async (t) => {
  const cases:
    readonly (readonly [string, Omit<SeenEnd, "process"> & Partial<SeenEnd>, string, string])[] = [
      ["done", { result: result("done") }, "success", "done"],
      [
        "done before it was told to end",
        { result: result("done"), cause: "cancelled" },
        "success",
        "done",
      ],
      [
        "told to end",
        { result: result("interrupted"), cause: "budget" },
        "budget",
        "its budget was spent",
      ],
      ["time", { result: result("interrupted"), cause: "timeout" }, "timeout", "its time was up"],
      ["a signal of somebody else", { result: result("interrupted") }, "cancelled", "interrupted"],
      ["turns", { result: result("turn_limit") }, "budget", "turn limit"],
      [
        "an error",
        { result: result("model_error"), error: "no key" },
        "failure",
        "model error: no key",
      ],
      ["killed in time", { cause: "cancelled" }, "cancelled", "it was cancelled"],
      [
        "killed",
        { process: { code: 137, signal: "SIGKILL", lastWords: "" } },
        "failure",
        "its process was killed by SIGKILL and without a result",
      ],
      [
        "crashed",
        { process: { code: 1, signal: null, lastWords: "boom\n" } },
        "failure",
        "its process ended with code 1 and without a result: boom",
      ],
      [
        "nonsense",
        { process: { ...EXITED, signal: "SIGKILL", problem: "Cannot read the line" } },
        "failure",
        "its process was ended: Cannot read the line",
      ],
    ];
  for (const [name, seen, state, reason] of cases) {
    await t.step(name, () => {
      const whole = wholeEnd({ process: EXITED, ...seen });
      deepStrictEqual([whole.state, whole.end.reason], [state, reason]);
    });
  }
});
