import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { askWhileWorking } from "../../../agent/children/ask_while_working.ts";
import { type Decision, type Question, SILENCE } from "../../../agent/gate/approver.ts";

const QUESTION: Question = { callId: "c1/1", tool: "bash", arguments: "{}", reason: "it removes" };
const YES: Decision = { decision: "allow", by: "person" };

/** A person who answers when the test says so, or falls silent when the question is withdrawn. */
function person() {
  const asked: PromiseWithResolvers<Decision>[] = [];
  let told = Promise.withResolvers<void>();
  return {
    asked,
    async askedAgain() {
      await told.promise;
      told = Promise.withResolvers();
    },
    approve(_: Question, signal: AbortSignal): Promise<Decision> {
      const answer = Promise.withResolvers<Decision>();
      signal.addEventListener("abort", () => answer.resolve(SILENCE));
      asked.push(answer);
      told.resolve();
      return answer.promise;
    },
  };
}

Deno.test("a question waits for a task, and is asked again in the next one", async () => {
  const who = person();
  const waiting = askWhileWorking(who.approve);
  const answer = waiting.approve(QUESTION, new AbortController().signal);
  strictEqual(who.asked.length, 0);
  {
    using _task = waiting.begin();
    await who.askedAgain();
  }
  {
    using _task = waiting.begin();
    await who.askedAgain();
    who.asked[1]?.resolve(YES);
    deepStrictEqual(await answer, YES);
  }
  strictEqual(who.asked.length, 2);
});

Deno.test("a question that is withdrawn is answered by silence, asked or not", async () => {
  const who = person();
  const waiting = askWhileWorking(who.approve);
  const unasked = new AbortController();
  const first = waiting.approve(QUESTION, unasked.signal);
  unasked.abort();
  deepStrictEqual(await first, SILENCE);
  using _task = waiting.begin();
  const asked = new AbortController();
  const second = waiting.approve(QUESTION, asked.signal);
  await who.askedAgain();
  asked.abort();
  deepStrictEqual(await second, SILENCE);
  strictEqual(who.asked.length, 1);
});
