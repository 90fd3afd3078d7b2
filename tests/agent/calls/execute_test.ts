import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { z } from "zod";
import type { AgentEvent } from "../../../agent/events.ts";
import { executeCalls } from "../../../agent/calls/execute.ts";
import type { ExecutorParts } from "../../../agent/calls/executor_parts.ts";
import { type Approver, denyAll, nobody } from "../../../agent/gate/approver.ts";
import type { ApprovalMode } from "../../../agent/gate/gate.ts";
import type { ToolCall } from "../../../agent/messages.ts";
import { assistantRecord } from "../../../agent/session/convert.ts";
import { memorySession } from "../../../agent/session/log.ts";
import { schema } from "../../../tools/schema.ts";
import { defineTool, text, type Tool } from "../../../tools/tool.ts";
import { executorParts } from "../executor_parts.ts";

const anything = schema(z.unknown());

/** A tool of a test: reads or writes nothing real, and does what it is told. */
function tool(
  name: string,
  touches: "read" | "write" | "command",
  run: (args: { x: string }, signal: AbortSignal) => Promise<unknown>,
): Tool {
  return defineTool({
    name,
    description: "",
    parameters: schema(z.strictObject({ x: z.string().default("") })),
    needs: {},
    plan: ({ x }) => ({
      touches: [
        touches === "command" ? { kind: "command", command: x } : { kind: touches, path: x },
      ],
    }),
    run: (args, { signal }) => run(args, signal),
    result: anything,
    render: (value) => [text(typeof value === "string" ? value : JSON.stringify(value))],
  });
}

Deno.test("executeCalls() shows nothing before it is known what is secret", async () => {
  const read = {
    ...tool("t", "read", () => Promise.resolve("shown")),
    needs: { read: ["workspace"] },
  };
  const house = world([read as Tool, tool("pure", "read", () => Promise.resolve("fine"))]);
  const failing = () => Promise.reject(new Error("nobody knows the secrets"));
  const parts = { ...house.parts, ready: failing };
  const calls = ["t", "pure"].map((name) => ({ callId: name, name, arguments: "{}" }));
  await executeCalls(calls, false, parts, new AbortController().signal);
  deepStrictEqual(
    house.events.flatMap((event) => event.type === "tool_result" ? [event.text] : []),
    ["Error: nobody knows the secrets", "fine"],
  );
});

Deno.test("executeCalls() tells what was done about files that are obeyed, after the result", async () => {
  const house = world([tool("t", "write", () => Promise.resolve("done"))]);
  const swept = async <T>(run: () => Promise<T>) => ({ result: await run(), lines: ["taken out"] });
  const call = { callId: "1", name: "t", arguments: "{}" };
  await executeCalls([call], false, { ...house.parts, swept }, new AbortController().signal);
  const [result] = house.events.filter((event) => event.type === "tool_result");
  strictEqual(result?.text, "done\n[taken out]");
});

Deno.test("executeCalls() tells what an edit has changed, and of no edit that it said no to", async (t) => {
  const long = "x".repeat(300_000);
  const cases: [name: string, value: unknown, preview: string, diff: string | undefined][] = [
    ["landed", { ok: true }, "+new\n", "+new\n"],
    ["refused", { ok: false }, "+new\n", undefined],
    ["no edit", "done", "+new\n", undefined],
    ["nothing has changed", { ok: true }, "", undefined],
    ["too long", { ok: true }, long, undefined],
  ];
  for (const [name, value, preview, diff] of cases) {
    await t.step(name, async () => {
      const edit = {
        ...tool("t", "write", () => Promise.resolve(value)),
        plan: () => ({ touches: [{ kind: "write" as const, path: "a" }], preview }),
      };
      const house = world([edit]);
      await house.call([{ callId: "1", name: "t", arguments: "{}" }]);
      const [result] = house.events.filter((event) => event.type === "tool_result");
      deepStrictEqual([result?.is_error, result?.diff], [false, diff]);
    });
  }
});

interface World {
  readonly parts: ExecutorParts;
  readonly events: AgentEvent[];
  readonly errors: unknown[];
  readonly results: () => { callId: string; isError: boolean; text: string }[];
  call(
    calls: readonly ToolCall[],
    cut?: boolean,
    signal?: AbortSignal,
  ): ReturnType<typeof executeCalls>;
}

function world(tools: Tool[], approve: Approver = nobody, mode: ApprovalMode = "on-escape"): World {
  const session = memorySession({
    cwd: "/w",
    version: "0",
    now: () => new Date(0),
    random: () => "test",
  });
  const events: AgentEvent[] = [];
  const errors: unknown[] = [];
  const parts = executorParts({
    tools,
    policy: {
      mode,
      confined: false,
      judge: (command) =>
        Promise.resolve(
          command === "forbidden"
            ? { kind: "forbidden", reason: "it is forbidden", saferWay: "Do something else" }
            : { kind: "other", reason: "unknown" },
        ),
    },
    approve,
    append: (record) => session.append(record),
    emit: (event) => events.push(event),
    logError: (error) => errors.push(error),
  });
  return {
    parts,
    events,
    errors,
    results: () =>
      session.conversation.messages.flatMap((message) =>
        message.role === "tool"
          ? [{
            callId: message.callId,
            isError: message.isError,
            text: message.content.map((part) => part.type === "text" ? part.text : "").join(""),
          }]
          : []
      ),
    async call(calls, cut = false, signal = new AbortController().signal) {
      const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
      await session.append(assistantRecord({
        role: "assistant",
        text: "",
        toolCalls: calls,
        model: "test",
        usage,
        finish: cut ? "length" : "tool_calls",
      }));
      return await executeCalls(calls, cut, parts, signal);
    },
  };
}

function call(callId: string, name: string, args: unknown = {}): ToolCall {
  return { callId, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

const echo = tool("echo", "read", ({ x }) => Promise.resolve(x));

Deno.test("executeCalls() gives every call exactly one result", async (t) => {
  const broken = tool("broken", "read", () => Promise.reject(new Error("Cannot do it: no reason")));
  const cases: [name: string, call: ToolCall, isError: boolean, text: RegExp][] = [
    ["a call that works", call("1", "echo", { x: "hi" }), false, /^hi$/],
    [
      "an unknown tool",
      call("1", "nonesuch"),
      true,
      /^Error: There is no tool "nonesuch"; the tools are: echo, broken$/,
    ],
    [
      "arguments that are no JSON",
      call("1", "echo", '{"x":'),
      true,
      /^Error: Cannot run echo: the arguments are not JSON/,
    ],
    [
      "arguments off the schema",
      call("1", "echo", { y: "" }),
      true,
      /^Error: Cannot run echo: .*y/,
    ],
    ["a tool that throws", call("1", "broken"), true, /^Error: Cannot do it: no reason$/],
  ];
  for (const [name, toolCall, isError, textPattern] of cases) {
    await t.step(name, async () => {
      const w = world([echo, broken]);
      await w.call([toolCall]);
      const [result, ...more] = w.results();
      strictEqual(more.length, 0);
      strictEqual(result?.isError, isError);
      match(result?.text ?? "", textPattern);
    });
  }
  await t.step("and the stack of an unexpected error is logged", async () => {
    const w = world([broken]);
    await w.call([call("1", "broken")]);
    strictEqual(w.errors.length, 1);
  });
});

Deno.test("executeCalls() never runs a call of an answer that was cut off", async () => {
  let ran = false;
  const w = world([tool("act", "read", () => {
    ran = true;
    return Promise.resolve("");
  })]);
  await w.call([call("1", "act"), call("2", "act", '{"x": "half')], true);
  strictEqual(ran, false);
  for (const { isError, text: told } of w.results()) {
    strictEqual(isError, true);
    match(told, /cut off by the token limit/);
  }
  strictEqual(w.results().length, 2);
});

Deno.test("executeCalls() runs reading calls side by side and others alone, in order", async () => {
  const log: string[] = [];
  const bothStarted = Promise.withResolvers<void>();
  let started = 0;
  const look = tool("look", "read", async ({ x }) => {
    log.push(`start ${x}`);
    if (++started === 2) bothStarted.resolve();
    // Would never resolve if the second call waited for the first.
    await bothStarted.promise;
    log.push(`end ${x}`);
    return x;
  });
  const change = tool("change", "write", ({ x }) => {
    log.push(`change ${x}`);
    return Promise.resolve(x);
  });
  const w = world([look, change]);
  await w.call([
    call("1", "look", { x: "a" }),
    call("2", "look", { x: "b" }),
    call("3", "change", { x: "c" }),
    call("4", "change", { x: "d" }),
  ]);
  deepStrictEqual(log.slice(0, 2), ["start a", "start b"]);
  deepStrictEqual(new Set(log.slice(2, 4)), new Set(["end a", "end b"]));
  deepStrictEqual(log.slice(4), ["change c", "change d"]);
});

Deno.test("executeCalls() tells those who record it that a call runs once it does", async () => {
  const log: string[] = [];
  const planned = Promise.withResolvers<void>();
  const look = tool("look", "read", async () => {
    await planned.promise;
    // Whatever the next call does without waiting for this one comes first.
    await new Promise((resolve) => setTimeout(resolve));
    log.push("looked");
  });
  const change = {
    ...tool("change", "write", () => Promise.resolve(log.push("changed"))),
    plan() {
      planned.resolve();
      return { touches: [{ kind: "write" as const, path: "a" }] };
    },
  };
  const { parts } = world([look, change, tool("never", "command", () => Promise.resolve())]);
  const observe: ExecutorParts["observe"] = (seen) => {
    if (seen.type === "call_cleared") log.push(`cleared ${seen.call_id} ${seen.read_only}`);
  };
  const calls = [
    call("1", "look"),
    call("2", "change"),
    call("3", "never", { x: "forbidden" }),
  ];
  await executeCalls(calls, false, { ...parts, observe }, new AbortController().signal);
  deepStrictEqual(log, ["cleared 1 true", "looked", "cleared 2 false", "changed"]);
});

Deno.test("executeCalls() puts calls to the gate", async (t) => {
  const command = tool("run", "command", ({ x }) => Promise.resolve(`ran ${x}`));
  const yes: Approver = () => Promise.resolve({ decision: "allow", by: "person" });
  const no: Approver = () => Promise.resolve({ decision: "deny", by: "person" });
  type Row = [name: string, approve: Approver, x: string, text: RegExp, unavailable: boolean];
  const rows: Row[] = [
    ["a yes runs it", yes, "make", /^ran make$/, false],
    ["a no is an error result", no, "make", /^Error: Not run: The person said no/, false],
    ["nobody to ask", nobody, "make", /^Error: Not run: it needs a person's approval/, true],
    [
      "a policy that says no",
      denyAll,
      "make",
      /^Error: Not run: --approval deny refuses it/,
      false,
    ],
    [
      "a forbidden command",
      nobody,
      "forbidden",
      /^Error: Not run: it is forbidden. Do something else/,
      false,
    ],
    ["a person passes the exact forbidden call", yes, "forbidden", /^ran forbidden$/, false],
  ];
  for (const [name, approve, x, told, unavailable] of rows) {
    await t.step(name, async () => {
      const w = world([command], approve);
      const [executed] = await w.call([call("1", "run", { x })]);
      match(w.results()[0]?.text ?? "", told);
      strictEqual(executed?.approvalUnavailable, unavailable);
    });
  }
  await t.step("the question holds the exact arguments and the reason", async () => {
    const asked: unknown[] = [];
    const w = world([command], (question) => {
      asked.push(question);
      return Promise.resolve({ decision: "deny", by: "person" });
    });
    await w.call([call("1", "run", { x: "make" })]);
    deepStrictEqual(asked, [{
      callId: "1",
      tool: "run",
      arguments: '{"x":"make"}',
      reason: "nothing confines it, and unknown",
      editable: true,
    }]);
    ok(w.events.some((event) => event.type === "approval" && event.decision === "deny"));
  });
});

Deno.test("executeCalls() answers interrupted calls", async () => {
  const abort = new AbortController();
  const slow = tool("slow", "write", (_, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      abort.abort(new Error("stop"));
    }));
  const w = world([slow, echo]);
  await w.call([call("1", "slow"), call("2", "echo", { x: "later" })], false, abort.signal);
  deepStrictEqual(w.results(), [
    { callId: "1", isError: false, text: "[interrupted]" },
    { callId: "2", isError: false, text: "[interrupted]" },
  ]);
  deepStrictEqual(w.errors, []);
});

Deno.test("executeCalls() warns of the same failure at the fifth time and gives up after it", async () => {
  const w = world([tool("fail", "read", () => Promise.resolve({ ok: false }))]);
  const repeated: boolean[] = [];
  for (let i = 1; i <= 6; i++) {
    const [executed] = await w.call([call(String(i), "fail", { x: "same" })]);
    repeated.push(executed?.repeated ?? false);
  }
  deepStrictEqual(repeated, [false, false, false, false, false, true]);
  deepStrictEqual(
    w.results().map(({ text: told }) => /\[the same call failed/.test(told)),
    [false, false, false, false, true, false],
  );
});

Deno.test("executeCalls() lets equal calls with changing results go on", async () => {
  let n = 0;
  const w = world([tool("poll", "read", () => Promise.resolve({ ok: false, n: n++ }))]);
  for (let i = 1; i <= 12; i++) {
    const [executed] = await w.call([call(String(i), "poll", { x: "same" })]);
    strictEqual(executed?.repeated, false);
  }
});

Deno.test("beforeChange is awaited before each call that may change something, and no other", async () => {
  const order: string[] = [];
  const noted = (name: string, touches: "read" | "write" | "command") =>
    tool(name, touches, ({ x }) => {
      order.push(`${name} ${x}`);
      return Promise.resolve(x);
    });
  const tools = [noted("look", "read"), noted("write", "write"), noted("run", "command")];
  const { parts, results, call: execute } = world(tools, nobody, "all");
  const beforeChange = async (callId: string) => {
    await Promise.resolve();
    order.push(`before ${callId}`);
  };
  Object.assign(parts, { beforeChange });
  await execute([
    call("1", "look", { x: "1" }),
    call("2", "write", { x: "2" }),
    call("3", "run", { x: "forbidden" }),
    call("4", "run", { x: "4" }),
  ]);
  deepStrictEqual(order, ["look 1", "before 2", "write 2", "before 4", "run 4"]);
  strictEqual(results().length, 4);
});

Deno.test("a beforeChange that is aborted keeps the call from running", async () => {
  const write = tool("write", "write", () => Promise.reject(new Error("it ran")));
  const { parts, results, call: execute } = world([write]);
  const stop = new AbortController();
  const beforeChange = (_: string, signal: AbortSignal) => {
    stop.abort();
    return Promise.reject(signal.reason);
  };
  Object.assign(parts, { beforeChange });
  await execute([call("1", "write")], false, stop.signal);
  deepStrictEqual(results(), [{ callId: "1", isError: false, text: "[interrupted]" }]);
});
