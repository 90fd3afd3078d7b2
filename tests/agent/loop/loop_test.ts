import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { z } from "zod";
import type { AgentEvent } from "../../../agent/events.ts";
import { interruptedByPerson, Interruption } from "../../../agent/interruption.ts";
import type { RunLimits, TaskEnd } from "../../../agent/loop/loop.ts";
import type { Prices } from "../../../agent/model/provider.ts";
import type { Session } from "../../../agent/session/log.ts";
import { schema } from "../../../tools/schema.ts";
import { defineTool, text, type Tool } from "../../../tools/tool.ts";
import { type ModelServer, modelServer, type ScriptEntry } from "../../helpers/model_server.ts";
import { inSmallWindow } from "../../helpers/small_window.ts";
import { taskWorld } from "../task_world.ts";

interface Run {
  readonly end: TaskEnd;
  readonly events: readonly AgentEvent[];
  readonly session: Session;
}

interface RunOptions {
  readonly tools?: readonly Tool[];
  readonly limits?: RunLimits;
  readonly prices?: Prices;
  readonly contextWindow?: number;
  readonly signal?: AbortSignal;
}

/** Runs one task against a server; nothing is compacted unasked. */
async function run(server: ModelServer, options: RunOptions = {}): Promise<Run> {
  const { contextWindow: tokens, signal, tools = [echo], ...given } = options;
  const world = taskWorld(server, {
    ...given,
    tools,
    window: { compactAt: false, ...(tokens !== undefined && { tokens }) },
  });
  const end = await world.task("go", signal);
  return { end, events: world.events, session: world.session };
}

const echo: Tool = defineTool({
  name: "echo",
  description: "Says it again.",
  parameters: schema(z.strictObject({ x: z.string() })),
  needs: {},
  plan: () => ({ touches: [] }),
  run: ({ x }) => Promise.resolve(x),
  result: schema(z.string()),
  render: (value) => [text(value)],
});

const command: Tool = defineTool({
  name: "run",
  description: "Runs.",
  parameters: schema(z.strictObject({})),
  needs: {},
  plan: () => ({ touches: [{ kind: "command", command: "make" }] }),
  run: () => Promise.resolve("ran"),
  result: schema(z.string()),
  render: (value) => [text(value)],
});

const call = (x: string) => ({ toolCalls: [{ name: "echo", arguments: { x } }] });
const USAGE = { input: 1000, output: 100 };

Deno.test("runTask() ends with a stated reason", async (t) => {
  type Row = [
    name: string,
    script: ScriptEntry[],
    options: RunOptions,
    want: Pick<TaskEnd, "reason" | "exitCode" | "turns">,
  ];
  const rows: Row[] = [
    ["an answer", [{ text: "hi" }], {}, { reason: "done", exitCode: 0, turns: 1 }],
    ["calls, then an answer", [call("a"), call("b"), { text: "hi" }], {}, {
      reason: "done",
      exitCode: 0,
      turns: 3,
    }],
    ["a turn limit", [call("a"), call("b")], { limits: { maxTurns: 2 } }, {
      reason: "turn_limit",
      exitCode: 3,
      turns: 2,
    }],
    ["an answer in the last turn", [call("a"), { text: "hi" }], { limits: { maxTurns: 2 } }, {
      reason: "done",
      exitCode: 0,
      turns: 2,
    }],
    ["a budget", [{ ...call("a"), usage: USAGE }], {
      limits: { maxBudgetUsd: 0.001 },
      prices: { input: 2, cachedInput: 1, output: 10 },
    }, { reason: "budget", exitCode: 3, turns: 1 }],
    ["a wrong key", [{ status: 401, body: { error: { message: "no" } } }], {}, {
      reason: "model_error",
      exitCode: 76,
      turns: 0,
    }],
    [
      "a model that is not there",
      [{ status: 404, body: { error: { code: "model_not_found" } } }],
      {},
      {
        reason: "model_error",
        exitCode: 77,
        turns: 0,
      },
    ],
    ["a server that stays busy", Array(5).fill({ status: 503 }), {}, {
      reason: "model_error",
      exitCode: 75,
      turns: 0,
    }],
    ["an answer that was cut off", [{ text: "half", finish: "length" }], {}, {
      reason: "model_error",
      exitCode: 1,
      turns: 1,
    }],
    [
      "a call that fails the same way again and again",
      Array(6).fill({
        toolCalls: [{ name: "nonesuch", arguments: {} }],
      }),
      {},
      { reason: "repeated_failure", exitCode: 1, turns: 6 },
    ],
    [
      "an approval nobody could give",
      [{ toolCalls: [{ name: "run", arguments: {} }] }, {
        text: "I could not.",
      }],
      { tools: [command] },
      { reason: "approval_unavailable", exitCode: 4, turns: 2 },
    ],
  ];
  for (const [name, script, options, want] of rows) {
    await t.step(name, async () => {
      await using server = await modelServer(script);
      const { end } = await run(server, options);
      const { reason, exitCode, turns } = end;
      deepStrictEqual({ reason, exitCode, turns }, want);
    });
  }
});

Deno.test("runTask() tells what happens, in order", async () => {
  await using server = await modelServer([{ text: "look", ...call("a") }, { text: "done" }]);
  const { events, end } = await run(server);
  strictEqual(end.text, "done");
  deepStrictEqual(
    events.filter(({ type }) => type !== "text_delta").map((event) =>
      event.type === "text" ? `text ${event.text}` : event.type
    ),
    ["turn", "text look", "usage", "tool_call", "tool_result", "turn", "text done", "usage"],
  );
});

Deno.test("runTask() sends results back, and the tools with each request", async () => {
  await using server = await modelServer([call("a"), { text: "done" }]);
  await run(server);
  const [first, second] = server.requests;
  deepStrictEqual(
    first?.body.tools.map((tool: { function: { name: string } }) => tool.function.name),
    [
      "echo",
    ],
  );
  deepStrictEqual(second?.body.messages.map(({ role }: { role: string }) => role), [
    "system",
    "user",
    "assistant",
    "tool",
  ]);
  strictEqual(second?.body.messages.at(-1).content, "a");
});

Deno.test("runTask() leaves results out where nothing is compacted", async (t) => {
  const overflow = {
    status: 400,
    body: { error: { code: "context_length_exceeded", message: "too long" } },
  };
  const large = "x".repeat(2000);
  await t.step("and goes on", async () => {
    await using server = await modelServer([call(large), overflow, { text: "done" }]);
    const { end, events } = await run(server);
    strictEqual(end.reason, "done");
    match(server.requests[2]?.body.messages.at(-1).content, /^\[left out/);
    ok(events.some((event) => event.type === "left_out" && event.results === 1));
  });
  await t.step("without asking in vain where the window is known", async () => {
    for (const [contextWindow, told] of [[1000, /^\[left out/], [2000, /^xxx/]] as const) {
      const { script } = inSmallWindow({ tokens: 2000 }, [call(large), { text: "done" }]);
      await using server = await modelServer(script);
      const { end } = await run(server, { contextWindow });
      strictEqual(end.reason, "done");
      match(server.requests[1]?.body.messages.at(-1).content, told);
      strictEqual(server.requests.length, 2);
    }
  });
  await t.step("and gives up when that is not enough", async () => {
    await using server = await modelServer([call(large), overflow, overflow]);
    strictEqual((await run(server)).end.exitCode, 1);
  });
  await t.step("and says what to do when there is nothing to leave out", async () => {
    await using server = await modelServer([overflow]);
    const { end, events } = await run(server);
    strictEqual(end.exitCode, 1);
    const error = events.find((event) => event.type === "error");
    match(error?.message ?? "", /^Cannot ask "m1": its window .* \(400: too long\); shorten/);
  });
});

Deno.test("runTask() stops when it is interrupted", async (t) => {
  await t.step("while the model is silent", async () => {
    await using server = await modelServer([{ raw: [], then: "hang" }]);
    const stop = new AbortController();
    const running = run(server, { signal: stop.signal });
    await server.request(1);
    stop.abort(interruptedByPerson());
    const { end } = await running;
    deepStrictEqual([end.reason, end.exitCode], ["interrupted", 130]);
  });
  await t.step("while a call runs, whose result says so", async () => {
    await using server = await modelServer([{ toolCalls: [{ name: "wait", arguments: {} }] }]);
    const stop = new AbortController();
    const wait = defineTool({
      ...command,
      name: "wait",
      plan: () => ({ touches: [] }),
      run: (_: unknown, { signal }) =>
        new Promise<unknown>((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          stop.abort(new Interruption("time_limit", 3));
        }),
    });
    const { end, session } = await run(server, { tools: [wait], signal: stop.signal });
    deepStrictEqual([end.reason, end.exitCode], ["time_limit", 3]);
    const last = session.conversation.messages.at(-1);
    deepStrictEqual(last?.role === "tool" && last.content, [text("[interrupted]")]);
  });
});
