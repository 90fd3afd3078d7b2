import { deepStrictEqual, rejects } from "node:assert/strict";
import type { Agent } from "../../../agent/agent.ts";
import type { TaskEnd } from "../../../agent/loop/loop.ts";
import type { Observation } from "../../../agent/observation/observation.ts";
import { observedAgent } from "../../../agent/observation/observed_agent.ts";
import { observedCompaction } from "../../../agent/observation/observed_compaction.ts";
import { text } from "../../../tools/tool.ts";

const DONE: TaskEnd = { reason: "turn_limit", exitCode: 3, text: "", turns: 2 };

/** An agent of which only what is observed is there, and what was done, in order. */
function observed(parts: Partial<Agent>) {
  const seen: (Observation | string)[] = [];
  let ms = 0;
  const agent = observedAgent(
    // Nothing else of it is looked at.
    parts as Agent,
    {
      observe: (it) => void seen.push(it),
      close: () => Promise.resolve(void seen.push("closed")),
      abandon: () => Promise.resolve(void seen.push("abandoned")),
    },
    () => ms += 10,
  );
  return { agent, seen };
}

const STARTED = { type: "task_started", prompt: "do it" };

Deno.test("observedAgent() tells of a task, however it ends", async (t) => {
  const cases: [what: string, task: () => Promise<TaskEnd>, end: object][] = [
    ["by itself", () => Promise.resolve(DONE), { reason: "turn_limit", exit_code: 3, turns: 2 }],
    ["by an error", () => Promise.reject(new TypeError("oh")), {
      reason: "failed",
      ...{ exit_code: 1, turns: 0 },
    }],
  ];
  for (const [what, task, end] of cases) {
    await t.step(what, async () => {
      const { agent, seen } = observed({ task });
      const signal = new AbortController().signal;
      await agent.task([text("do it")], signal).catch((error) => {
        if (!(error instanceof TypeError)) throw error;
      });
      deepStrictEqual(seen, [STARTED, { type: "task_ended", ...end, duration_ms: 10 }]);
    });
  }
});

Deno.test("observedAgent() ends its records after the agent, also where that fails", async () => {
  const order: string[] = [];
  const closing = observed({ close: () => Promise.resolve(void order.push("agent")) });
  await closing.agent.close("done");
  deepStrictEqual([order, closing.seen], [["agent"], ["closed"]]);
  const failing = observed({ close: () => Promise.reject(new Error("full")) });
  await rejects(failing.agent.close("done"), /full/);
  deepStrictEqual(failing.seen, ["closed"]);
  const leaving = observed({ abandon: () => Promise.resolve() });
  await leaving.agent.abandon();
  deepStrictEqual(leaving.seen, ["abandoned"]);
});

Deno.test("observedCompaction() tells how it ended, also where it was stopped", async () => {
  const seen: Observation[] = [];
  const observe = (it: Observation) => void seen.push(it);
  const done = { ok: true, beforeTokens: 9, afterTokens: 3 } as const;
  deepStrictEqual(await observedCompaction(true, observe, () => Promise.resolve(done)), done);
  await rejects(
    observedCompaction(false, observe, () => Promise.reject(new DOMException("", "AbortError"))),
  );
  deepStrictEqual(seen, [
    { type: "compaction_started", asked: true },
    { type: "compaction_ended", ok: true, before_tokens: 9, after_tokens: 3 },
    { type: "compaction_started", asked: false },
    { type: "compaction_ended", ok: false, reason: "it was stopped" },
  ]);
});
