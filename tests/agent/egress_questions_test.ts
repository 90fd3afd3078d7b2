import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { askWhileWorking } from "../../agent/egress_questions.ts";
import type { Decision, Question } from "../../agent/gate/approver.ts";
import { questionQueue } from "../../agent/gate/in_turn.ts";
import { rulesOf, ruleText } from "../../agent/gate/rules.ts";
import { memorySession } from "../../agent/session/log.ts";
import { egressGate } from "../../sandbox/egress/permission.ts";

const YES: Decision = { decision: "allow", by: "person" };
const NO: Decision = { decision: "deny", by: "person" };

type Answer = Decision | "silent";

/** A way out with nothing on its list, and a person who gives these answers. */
function world(answers: readonly Answer[]) {
  const left = [...answers];
  const asked: Question[] = [];
  const session = memorySession({
    cwd: "/w",
    version: "0",
    now: () => new Date(0),
    random: () => crypto.randomUUID(),
  });
  const asking = askWhileWorking({
    inTurn: questionQueue(),
    rules: () => rulesOf(session.conversation.standingApprovals),
    append: (record) => session.append(record),
    approve(question, signal) {
      asked.push(question);
      const answer = left.shift() ?? NO;
      if (answer !== "silent") return Promise.resolve(answer);
      const { promise, resolve } = Promise.withResolvers<Decision>();
      signal.addEventListener("abort", () => resolve({ decision: "deny", by: "silence" }));
      return promise;
    },
  });
  const gate = egressGate({ rules: { allow: [], deny: [] }, ask: asking.ask });
  return {
    asked,
    session,
    reaches: async (host = "a.example") => (await gate.permit({ host, port: 443 })).ok,
    begin: (signal = new AbortController().signal) =>
      asking.begin(signal, () => gate.forgetAnswers()),
  };
}

Deno.test("a plain answer about a host holds until the task ends", async () => {
  const w = world([YES, NO]);
  {
    using _task = w.begin();
    deepStrictEqual([await w.reaches(), await w.reaches()], [true, true]);
    strictEqual(w.asked.length, 1);
  }
  {
    using _task = w.begin();
    deepStrictEqual([await w.reaches(), await w.reaches()], [false, false]);
  }
  strictEqual(w.asked.length, 2);
  const [question] = w.asked;
  deepStrictEqual(
    [question?.once, question?.offers?.map(({ what }) => what), question?.editable],
    ["until this task ends", ["reaching a.example:443"], undefined],
  );
});

Deno.test("an answer for the session is logged, and holds in later tasks", async () => {
  const w = world([{ ...YES, offer: 0 }, { ...NO, offer: 0 }]);
  for (let task = 0; task < 2; task++) {
    using _task = w.begin();
    deepStrictEqual([await w.reaches(), await w.reaches("b.example")], [true, false]);
  }
  strictEqual(w.asked.length, 2);
  deepStrictEqual(rulesOf(w.session.conversation.standingApprovals).map(ruleText), [
    "reaching a.example:443 is allowed",
    "reaching b.example:443 is refused",
  ]);
});

Deno.test("nothing is asked while nobody looks, and nothing is concluded from it", async () => {
  const w = world([YES]);
  strictEqual(await w.reaches(), false);
  strictEqual(w.asked.length, 0);
  using _task = w.begin();
  strictEqual(await w.reaches(), true);
});

Deno.test("a question is withdrawn with its turn, and with its task", async (t) => {
  await t.step("the turn is stopped", async () => {
    const w = world(["silent"]);
    const stop = new AbortController();
    using _task = w.begin(stop.signal);
    const reaching = w.reaches();
    while (w.asked.length === 0) await new Promise((resolve) => setTimeout(resolve));
    stop.abort();
    strictEqual(await reaching, false);
  });
  await t.step("the task ends", async () => {
    const w = world(["silent"]);
    const task = w.begin();
    const reaching = w.reaches();
    while (w.asked.length === 0) await new Promise((resolve) => setTimeout(resolve));
    task[Symbol.dispose]();
    strictEqual(await reaching, false);
  });
  await t.step("not while other work goes on", async () => {
    const w = world([YES]);
    const first = w.begin();
    using _second = w.begin();
    first[Symbol.dispose]();
    strictEqual(await w.reaches(), true);
  });
});
