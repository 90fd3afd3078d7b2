import { deepStrictEqual } from "node:assert/strict";
import { inTurnPerson, questionQueue } from "../../../agent/gate/in_turn.ts";

const NEVER = new AbortController().signal;

/** Resolves once all that hangs on promises alone has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Questions that are answered by hand. */
function hall() {
  const log: string[] = [];
  const answers = new Map<string, () => void>();
  const inTurn = questionQueue();
  const ask = (name: string, signal = NEVER) =>
    inTurn(
      () => {
        log.push(`asked ${name}`);
        const { promise, resolve } = Promise.withResolvers<string>();
        answers.set(name, () => resolve(name));
        return promise;
      },
      () => `withdrawn ${name}`,
      signal,
    );
  return { log, ask, answer: (name: string) => answers.get(name)?.(), inTurn };
}

Deno.test("questionQueue() lets one question stand at a time, in order", async () => {
  const { log, ask, answer } = hall();
  const first = ask("a");
  const second = ask("b");
  const third = ask("c");
  await settled();
  deepStrictEqual(log, ["asked a"]);
  answer("a");
  deepStrictEqual(await first, "a");
  await settled();
  deepStrictEqual(log, ["asked a", "asked b"]);
  answer("b");
  deepStrictEqual(await second, "b");
  await settled();
  answer("c");
  deepStrictEqual(await third, "c");
});

Deno.test("questionQueue() withdraws a question that waits, and keeps the order of the others", async () => {
  const { log, ask, answer } = hall();
  const stop = new AbortController();
  const first = ask("a");
  const second = ask("b", stop.signal);
  const third = ask("c");
  await settled();
  stop.abort();
  deepStrictEqual(await second, "withdrawn b");
  deepStrictEqual(log, ["asked a"]);
  answer("a");
  await first;
  await settled();
  answer("c");
  deepStrictEqual([await third, log], ["c", ["asked a", "asked c"]]);
});

Deno.test("questionQueue() goes on after a question that failed", async () => {
  const { inTurn } = hall();
  const failing = inTurn(() => Promise.reject(new Error("no")), () => "", NEVER);
  const next = inTurn(() => Promise.resolve("yes"), () => "", NEVER);
  deepStrictEqual([await failing.catch(() => "failed"), await next], ["failed", "yes"]);
});

Deno.test("inTurnPerson() waits for other questions, too", async () => {
  const { ask, answer, inTurn } = hall();
  const person = inTurnPerson({ ask: ({ question }) => Promise.resolve(question) }, inTurn);
  const first = ask("a");
  const second = person.ask({ question: "b" }, NEVER);
  const third = person.ask({ question: "c" }, AbortSignal.abort());
  deepStrictEqual(await third, undefined);
  await settled();
  answer("a");
  deepStrictEqual([await first, await second], ["a", "b"]);
});
