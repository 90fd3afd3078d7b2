import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { z } from "zod";
import { interruptedByPerson } from "../../../agent/interruption.ts";
import { Steering } from "../../../agent/loop/steering.ts";
import { schema } from "../../../tools/schema.ts";
import { defineTool, text, type Tool } from "../../../tools/tool.ts";
import { modelServer, type ScriptEntry } from "../../helpers/model_server.ts";
import { readFile, reads, type TaskWorld, taskWorld } from "../task_world.ts";

Deno.test("Steering", async (t) => {
  await t.step("takes nothing while no task runs", () => {
    const steering = new Steering();
    strictEqual(steering.add([text("a")]), false);
    strictEqual(steering.isWaiting, false);
    steering.open();
    strictEqual(steering.add([text("b")]), true);
    deepStrictEqual(steering.close(), [[text("b")]]);
    strictEqual(steering.add([text("c")]), false);
    deepStrictEqual(steering.close(), []);
  });
  await t.step("hands each thing out once, in order", () => {
    const steering = new Steering();
    steering.open();
    steering.add([text("a")]);
    steering.add([text("b")]);
    deepStrictEqual([steering.take(), steering.take(), steering.take()], [
      [text("a")],
      [text("b")],
      undefined,
    ]);
    deepStrictEqual(steering.close(), []);
  });
});

/** What each request ends with, after the first; results of calls by their role alone. */
function newIn(world: TaskWorld): string[] {
  return world.session.conversation.messages.slice(1).map((message) => {
    if (message.role === "tool") return "result";
    if (message.role === "assistant") return message.text || "call";
    return `user: ${message.content.map((part) => part.type === "text" ? part.text : "").join()}`;
  });
}

/** A tool during which something is said. */
function during(act: () => void): Tool {
  return defineTool({
    name: "work",
    description: "Works.",
    parameters: schema(z.strictObject({})),
    needs: {},
    plan: () => ({ touches: [] }),
    run() {
      act();
      return Promise.resolve("worked");
    },
    result: schema(z.string()),
    render: (value) => [text(value)],
  });
}

const works = { toolCalls: [{ name: "work", arguments: {} }] };

Deno.test("what is said while a task runs is told at the next request, once", async (t) => {
  type Row = [
    name: string,
    script: (say: (...words: string[]) => void) => ScriptEntry[],
    saidInCall: string[],
    want: string[],
  ];
  const rows: Row[] = [
    [
      "before the first answer: with the second request",
      (say) => [() => (say("wait"), reads("a", 13)), { text: "done" }],
      [],
      ["call", "result", "user: wait", "done"],
    ],
    [
      "during a call: after its result, all of it, in order",
      () => [works, { text: "done" }],
      ["one", "two"],
      ["call", "result", "user: one", "user: two", "done"],
    ],
    [
      "with the last answer: the task goes on",
      (say) => [() => (say("and that"), { text: "done" }), { text: "done, too" }],
      [],
      ["done", "user: and that", "done, too"],
    ],
    [
      "with several last answers",
      (say) => [
        () => (say("a"), { text: "1" }),
        () => (say("b", "c"), { text: "2" }),
        { text: "3" },
      ],
      [],
      ["1", "user: a", "2", "user: b", "user: c", "3"],
    ],
  ];
  for (const [name, script, saidInCall, want] of rows) {
    await t.step(name, async () => {
      const steering = new Steering();
      const say = (...words: string[]) => words.forEach((word) => steering.add([text(word)]));
      await using server = await modelServer(script(say));
      const world = taskWorld(server, {
        steering,
        tools: [readFile, during(() => say(...saidInCall))],
      });
      steering.open();
      const end = await world.task("go");
      deepStrictEqual([end.reason, end.exitCode], ["done", 0]);
      deepStrictEqual(newIn(world), want);
      const told = world.eventsOf("user").map((event) => `user: ${event.text}`);
      deepStrictEqual(told, want.filter((words) => words.startsWith("user")));
      deepStrictEqual(steering.close(), []);
    });
  }
});

Deno.test("what is said before the first request goes with it", async () => {
  const steering = new Steering();
  await using server = await modelServer([{ text: "done" }]);
  const world = taskWorld(server, { steering });
  steering.open();
  steering.add([text("and be quick")]);
  await world.task("go");
  deepStrictEqual(newIn(world), ["user: and be quick", "done"]);
});

Deno.test("what a task that stops was not told stays with the person", async (t) => {
  await t.step("interrupted in a call", async () => {
    const steering = new Steering();
    const stop = new AbortController();
    await using server = await modelServer([works]);
    const tool = during(() => {
      steering.add([text("never mind")]);
      stop.abort(interruptedByPerson());
    });
    const world = taskWorld(server, { steering, tools: [readFile, tool] });
    steering.open();
    strictEqual((await world.task("go", stop.signal)).reason, "interrupted");
    deepStrictEqual(steering.close(), [[text("never mind")]]);
    deepStrictEqual(newIn(world), ["call", "result"]);
    deepStrictEqual(world.eventsOf("user"), []);
  });
  await t.step("interrupted with the last answer", async () => {
    const steering = new Steering();
    const stop = new AbortController();
    await using server = await modelServer([{ text: "done" }]);
    const world = taskWorld(server, { steering });
    steering.open();
    const running = world.task("go", stop.signal);
    await server.request(1);
    steering.add([text("never mind")]);
    stop.abort(interruptedByPerson());
    strictEqual((await running).reason, "interrupted");
    deepStrictEqual(steering.close(), [[text("never mind")]]);
  });
  await t.step("at the limit of turns", async () => {
    const steering = new Steering();
    await using server = await modelServer([
      () => (steering.add([text("more")]), { text: "done" }),
    ]);
    const world = taskWorld(server, { steering, limits: { maxTurns: 1 } });
    steering.open();
    strictEqual((await world.task("go")).reason, "turn_limit");
    deepStrictEqual(steering.close(), [[text("more")]]);
  });
  await t.step("at an error of the model", async () => {
    const steering = new Steering();
    await using server = await modelServer([
      () => (steering.add([text("more")]), { status: 401 }),
    ]);
    const world = taskWorld(server, { steering });
    steering.open();
    strictEqual((await world.task("go")).exitCode, 76);
    deepStrictEqual(steering.close(), [[text("more")]]);
  });
});

Deno.test("a model that answers with nothing is asked once more", async (t) => {
  const nothing = { text: " \n" };
  await t.step("and its next answer counts", async () => {
    await using server = await modelServer([reads("a", 13), nothing, { text: "done" }]);
    const world = taskWorld(server);
    const end = await world.task("go");
    deepStrictEqual([end.reason, end.text, end.turns], ["done", "done", 3]);
    // What was empty is not sent back, and counts all the same.
    deepStrictEqual(newIn(world), ["call", "result", "done"]);
    strictEqual(world.session.conversation.usage.inputTokens, 30);
  });
  await t.step("and again after an answer of something", async () => {
    await using server = await modelServer([nothing, reads("a", 13), nothing, { text: "done" }]);
    strictEqual((await taskWorld(server).task("go")).reason, "done");
  });
  await t.step("and not twice: the run has failed", async () => {
    await using server = await modelServer([nothing, { text: "" }]);
    const world = taskWorld(server);
    const end = await world.task("go");
    deepStrictEqual([end.reason, end.exitCode, end.turns], ["model_error", 1, 2]);
    const [error] = world.eventsOf("error");
    strictEqual(error?.code, "empty_answer");
    match(error.message, /^The model answered twice with nothing: /);
  });
});
