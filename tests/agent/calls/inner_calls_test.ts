import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { z } from "zod";
import type { AgentEvent } from "../../../agent/events.ts";
import { executeCalls } from "../../../agent/calls/execute.ts";
import { denyAll, nobody } from "../../../agent/gate/approver.ts";
import { assistantRecord } from "../../../agent/session/convert.ts";
import { memorySession } from "../../../agent/session/log.ts";
import { schema } from "../../../tools/schema.ts";
import { type Called, defineTool, text, type Tool } from "../../../tools/tool.ts";
import { executorParts } from "../executor_parts.ts";

/** Calls `name` with `args`, and answers with what it got. */
const outer = defineTool({
  name: "outer",
  description: "",
  parameters: schema(z.strictObject({ name: z.string(), args: z.record(z.string(), z.unknown()) })),
  needs: { uses: ["calls"] },
  plan: () => ({ touches: [] }),
  run: ({ name, args }, { calls }) => calls.call(name, args),
  result: schema(z.custom<Called>()),
  render: (value) => [text(JSON.stringify(value))],
});

function inner(name: string, callable: boolean, command?: string): Tool {
  return defineTool({
    name,
    description: "",
    callable,
    parameters: schema(z.strictObject({ n: z.number() })),
    needs: {},
    plan: ({ n }) => ({
      touches: command === undefined
        ? [{ kind: "read", path: String(n) }]
        : [{ kind: "command", command }],
    }),
    run: ({ n }) => Promise.resolve({ twice: 2 * n }),
    result: schema(z.object({ twice: z.number() })),
    render: ({ twice }) => [text(String(twice))],
  });
}

function world(approve = nobody) {
  const session = memorySession({
    cwd: "/w",
    version: "0",
    now: () => new Date(0),
    random: () => "test",
  });
  const events: AgentEvent[] = [];
  const logged: unknown[] = [];
  const parts = executorParts({
    tools: [outer, inner("twice", true), inner("hidden", false), inner("runs", true, "make")],
    approve,
    append: (record) => {
      logged.push(record);
      return session.append(record);
    },
    emit: (event) => events.push(event),
    logError: () => {},
  });
  return {
    ...{ events, logged, session },
    async call(name: string, args: unknown) {
      const calls = [{ callId: "c", name: "outer", arguments: JSON.stringify({ name, args }) }];
      const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
      await session.append(assistantRecord({
        ...{ role: "assistant", text: "", toolCalls: calls, model: "test", usage },
        finish: "tool_calls",
      }));
      const [executed] = await executeCalls(calls, false, parts, new AbortController().signal);
      return executed;
    },
  };
}

Deno.test("a call that a tool makes", async (t) => {
  await t.step(
    "gets the value; log and screen tell of both, the model of the outer one",
    async () => {
      const { call, events, logged, session } = world();
      const executed = await call("twice", { n: 4 });
      deepStrictEqual(executed?.outcome.value, { ok: true, value: { twice: 8 } });
      deepStrictEqual(
        events.flatMap((event) =>
          event.type === "tool_call" || event.type === "tool_result"
            ? [`${event.type} ${event.call_id} ${event.name}`]
            : []
        ),
        [
          "tool_call c outer",
          "tool_call c/1 twice",
          "tool_result c/1 twice",
          "tool_result c outer",
        ],
      );
      strictEqual(logged.filter((record) => JSON.stringify(record).includes('"c/1"')).length, 2);
      deepStrictEqual(
        session.conversation.messages.flatMap((message) =>
          message.role === "tool" ? [message.callId] : []
        ),
        ["c"],
      );
    },
  );

  const failures: [name: string, tool: string, args: unknown, problem: string][] = [
    [
      "of a tool that is not callable",
      "hidden",
      { n: 1 },
      'Cannot call "hidden": it is no function',
    ],
    ["of no tool", "nothing", {}, 'Cannot call "nothing": it is no function'],
    [
      "with arguments off the schema",
      "twice",
      { n: "x" },
      "Cannot run twice: n: Invalid input: expected number, received string (parameters: n)",
    ],
  ];
  for (const [name, tool, args, problem] of failures) {
    await t.step(name, async () => {
      deepStrictEqual((await world().call(tool, args))?.outcome.value, { ok: false, problem });
    });
  }

  await t.step("goes through the gate, and a missing approval is the outer call's", async () => {
    const unavailable = await world().call("runs", { n: 1 });
    strictEqual(unavailable?.approvalUnavailable, true);
    const { call } = world(denyAll);
    const denied = await call("runs", { n: 1 });
    strictEqual(denied?.approvalUnavailable, false);
    deepStrictEqual(denied?.outcome.value, {
      ok: false,
      problem: "Not run: --approval deny refuses it (nothing confines it, and unknown). " +
        "Do not try the same in another way",
    });
  });

  await t.step("does not count as a failure of the model", async () => {
    const { call } = world();
    for (let i = 0; i < 20; i++) {
      const executed = await call("nothing", { i });
      strictEqual(executed?.repeated, false);
    }
  });
});
