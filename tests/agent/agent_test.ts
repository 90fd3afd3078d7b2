import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Agent } from "../../agent/agent.ts";
import { interruptedByPerson } from "../../agent/interruption.ts";
import { text } from "../../tools/tool.ts";
import type { Turn } from "../helpers/cordon.ts";
import { type DeskWorld, deskWorld } from "../helpers/desk_world.ts";

const forever = () => new AbortController().signal;

/** An agent whose model plays these turns. */
async function played(turns: readonly Turn[]): Promise<[DeskWorld, Agent]> {
  const world = await deskWorld({}, turns, { "no-session": true });
  const [agent] = world.seated;
  ok(agent);
  return [world, agent];
}

function usersOf({ session }: Agent): string[] {
  return session.conversation.said.map(({ content }) =>
    content.map((part) => part.type === "text" ? part.text : "").join()
  );
}

Deno.test("Agent.steer()", async (t) => {
  await t.step(
    "takes what is said from a task's first moment to its end, and nothing else",
    async () => {
      const [world, agent] = await played([{ text: "done" }]);
      await using _ = world;
      strictEqual(agent.steer([text("before")]), false);
      const running = agent.task([text("go")], forever());
      strictEqual(agent.steer([text("meanwhile")]), true);
      const end = await running;
      strictEqual(agent.steer([text("after")]), false);
      deepStrictEqual([end.reason, end.undelivered], ["done", undefined]);
      deepStrictEqual(usersOf(agent), ["go", "meanwhile"]);
    },
  );
  await t.step(
    "gives back what a stopped task was not told, and the next does not say it",
    async () => {
      const [world, agent] = await played([{ text: "done" }]);
      await using _ = world;
      const running = agent.task([text("go")], AbortSignal.abort(interruptedByPerson()));
      agent.steer([text("one")]);
      agent.steer([text("two")]);
      const end = await running;
      deepStrictEqual([end.reason, end.undelivered], ["interrupted", [[text("one")], [
        text("two"),
      ]]]);
      strictEqual((await agent.task([text("on")], forever())).reason, "done");
      deepStrictEqual(usersOf(agent), ["go", "on"]);
    },
  );
});

Deno.test("Agent.compact() and windowFill()", async (t) => {
  const long = "word ".repeat(8_000);
  const turns = [{ text: long }, { text: "done" }, { text: "THE SUMMARY" }, { text: "on" }];
  const [world, agent] = await played(turns);
  await using _ = world;
  await agent.task([text("one")], forever());
  await agent.task([text("two")], forever());
  const before = agent.windowFill();
  ok(before.usedTokens > 10_000);
  strictEqual(before.windowTokens, undefined);
  await t.step("a stopped one is told, and changes nothing", async () => {
    const outcome = await agent.compact(undefined, AbortSignal.abort(interruptedByPerson()));
    deepStrictEqual(outcome, { ok: false, reason: "it was stopped" });
    deepStrictEqual(agent.windowFill(), before);
  });
  await t.step("the next request is as small as the outcome says", async () => {
    const outcome = await agent.compact("briefly", forever());
    ok(outcome.ok && outcome.beforeTokens === before.usedTokens);
    strictEqual(agent.windowFill().usedTokens, outcome.afterTokens);
    ok(outcome.afterTokens < 4_000);
    strictEqual((await agent.task([text("three")], forever())).text, "on");
    deepStrictEqual(usersOf(agent), ["one", "two", "three"]);
  });
});
