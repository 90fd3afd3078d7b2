import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Observation } from "../../../../agent/observation/observation.ts";
import { openTelemetry } from "../../../../agent/observation/telemetry/open_telemetry.ts";
import { telemetryChoice } from "../../../../agent/observation/telemetry/telemetry_settings.ts";
import { type SeenSpan, spansIn, treeOf } from "../../../helpers/collector.ts";

type Variables = Readonly<Record<string, string>>;

const ENDPOINT = {
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://c",
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
};

/** Traces that end in a list. */
function opened(variables: Variables = {}, reply: () => Promise<Response> = accepted) {
  const all: Variables = { ...ENDPOINT, ...variables };
  const chosen = telemetryChoice((name) => all[name]);
  if (chosen.kind !== "on") throw new Error(JSON.stringify(chosen));
  const spans: SeenSpan[] = [];
  const requests: Request[] = [];
  const warnings: string[] = [];
  const secrets: string[] = [];
  const traces = openTelemetry({
    settings: chosen.settings,
    facts: { agent: "cordon", version: "1", provider: "p" },
    secret: (value) => secrets.push(value),
    warn: (line) => warnings.push(line),
    async fetch(input, init) {
      const request = new Request(input, init);
      requests.push(request.clone());
      const response = await reply();
      if (response.ok) spans.push(...spansIn(await request.json()));
      return response;
    },
  });
  return { traces, spans, requests, warnings, secrets };
}

function accepted(): Promise<Response> {
  return Promise.resolve(Response.json({}));
}

/** The spans that these observations come to. */
async function spansOf(
  observations: readonly Observation[],
  variables: Variables = {},
): Promise<SeenSpan[]> {
  const { traces, spans } = opened(variables);
  for (const observation of observations) traces.record(observation);
  await traces.close();
  return spans;
}

const STARTED: Observation = { type: "task_started", prompt: "words" };
const ENDED: Observation = {
  type: "task_ended",
  ...{ reason: "done", exit_code: 0, turns: 1, duration_ms: 1 },
};
const ask = (request_id: number): Observation => ({
  type: "request_started",
  ...{ request_id, model: "m", messages: 1, tools: 0 },
});
const answer = (request_id: number): Observation => ({
  type: "request_ended",
  ...{ request_id, outcome: "answered", duration_ms: 1, retries: 0 },
});
const call = (call_id: string, name: string): Observation => ({
  type: "tool_call",
  ...{ call_id, name, arguments: { secret: "words" } },
});
const result = (call_id: string, name: string, is_error = false): Observation => ({
  type: "tool_result",
  ...{ call_id, name, is_error, text: "words", value: null },
});

Deno.test("summaries are asked for below their compaction", async () => {
  const spans = await spansOf([
    STARTED,
    { type: "compaction_started", asked: false },
    ask(1),
    answer(1),
    { type: "compaction_ended", ok: true, before_tokens: 9, after_tokens: 3 },
    ask(2),
    answer(2),
    { type: "compaction_started", asked: false },
    { type: "compaction_ended", ok: false, reason: "the summary is empty" },
    ENDED,
  ]);
  const task = "invoke_agent cordon";
  deepStrictEqual(treeOf(spans), [
    task,
    `${task} > chat m`,
    `${task} > compact conversation`,
    `${task} > compact conversation`,
    `${task} > compact conversation > chat m`,
  ]);
  const [first, second] = spans.filter(({ name }) => name === "compact conversation");
  deepStrictEqual(first?.attributes, {
    "cordon.compaction.asked": false,
    "cordon.compaction.before_tokens": 9,
    "cordon.compaction.after_tokens": 3,
  });
  deepStrictEqual(second?.status, { code: 2, message: "the summary is empty" });
});

Deno.test("calls that a call makes lie below it, also those that run side by side", async () => {
  const spans = await spansOf([
    STARTED,
    call("call_1", "python"),
    call("call_1/1", "read_file"),
    result("call_1/1", "read_file"),
    result("call_1", "python"),
    call("a", "grep"),
    call("b", "glob"),
    result("a", "grep"),
    result("b", "glob", true),
    ENDED,
  ]);
  const task = "invoke_agent cordon";
  deepStrictEqual(treeOf(spans), [
    task,
    `${task} > execute_tool glob`,
    `${task} > execute_tool grep`,
    `${task} > execute_tool python`,
    `${task} > execute_tool python > execute_tool read_file`,
  ]);
});

Deno.test("calls of a server's tools say so", async () => {
  const [span] = await spansOf([call("1", "mcp__db__query"), result("1", "mcp__db__query")]);
  strictEqual(span?.attributes["mcp.method.name"], "tools/call");
  const [own] = await spansOf([call("1", "grep"), result("1", "grep")]);
  strictEqual(own?.attributes["mcp.method.name"], undefined);
});

Deno.test("a span tells what the gate decided", async (t) => {
  const approval = (decision: "allow" | "deny" | "unavailable"): Observation => ({
    type: "approval",
    ...{ call_id: "1", decision, reason: "it deletes" },
  });
  const cleared: Observation = { type: "call_cleared", call_id: "1", read_only: true };
  const cases: [observations: Observation[], failed: boolean, verdict: unknown, type: unknown][] = [
    [[cleared], false, "unasked", undefined],
    [[approval("allow"), cleared], false, "allow", undefined],
    [[approval("allow"), cleared], true, "allow", "tool_error"],
    [[approval("deny")], true, "deny", "denied"],
    [[approval("unavailable")], true, "unavailable", "approval_unavailable"],
    // It never came to the gate.
    [[], true, undefined, "tool_error"],
  ];
  for (const [observations, failed, verdict, type] of cases) {
    await t.step(`${verdict}, ${type}`, async () => {
      const [span] = await spansOf([
        call("1", "bash"),
        ...observations,
        result("1", "bash", failed),
      ]);
      deepStrictEqual(
        [span?.attributes["cordon.gate.verdict"], span?.attributes["error.type"]],
        [verdict, type],
      );
    });
  }
});

Deno.test("a sub-agent goes on with the trace of the call that started it", async () => {
  const { traces, spans } = opened();
  const child = (state: "queued" | "running" | "timeout"): Observation => ({
    type: "child",
    ...{ child_id: "c1", role: "explore", description: "", state },
    ...(state === "timeout" && { reason: "too slow" }),
  });
  for (const observation of [STARTED, call("1", "subagent"), child("queued")]) {
    traces.record(observation);
  }
  const traceparent = traces.traceparentOf?.("c1");
  strictEqual(traces.traceparentOf?.("c2"), undefined);
  for (const observation of [child("running"), result("1", "subagent"), child("timeout"), ENDED]) {
    traces.record(observation);
  }
  await traces.close();
  const span = spans.find(({ name }) => name === "invoke_agent explore");
  ok(span);
  strictEqual(traceparent, `00-${span.traceId}-${span.spanId}-01`);
  strictEqual(
    span.parentSpanId,
    spans.find(({ name }) => name === "execute_tool subagent")?.spanId,
  );
  deepStrictEqual([span.kind, span.status], [3, { code: 2, message: "too slow" }]);
  deepStrictEqual(span.events.map(({ name }) => name), ["cordon.child.running"]);
});

Deno.test("a span holds no content unless it was asked for", async () => {
  const observations = [STARTED, call("1", "bash"), result("1", "bash"), ENDED];
  strictEqual(JSON.stringify(await spansOf(observations)).includes("words"), false);
  const asked = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" };
  strictEqual(JSON.stringify(await spansOf(observations, asked)).split("words").length, 4);
  const long = { ...STARTED, type: "task_started", prompt: "x".repeat(100_000) } as const;
  ok(JSON.stringify(await spansOf([long, ENDED], asked)).length < 20_000);
});

Deno.test("whatever a model calls for, a span stays small", async () => {
  const long = "x".repeat(1_000_000);
  const answered = (calls: number): Observation => ({
    type: "request_ended",
    ...{ request_id: 1, outcome: "answered", duration_ms: 1, retries: 0 },
    answer: { text: long, tool_calls: Array(calls).fill({ name: long, arguments: long }) },
  });
  for (const calls of [0, 1, 500]) {
    const spans = await spansOf([
      { type: "task_started", prompt: long },
      ask(1),
      { type: "retry", attempt: 1, delay_ms: 1, reason: long },
      answered(calls),
      { type: "tool_call", call_id: long, name: long, arguments: { long } },
      { type: "approval", call_id: long, decision: "deny", reason: long },
      { type: "tool_result", call_id: long, name: long, is_error: true, text: long, value: null },
      ENDED,
    ], { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" });
    strictEqual(spans.length, 3);
    for (const span of spans) ok(JSON.stringify(span).length < 120_000, span.name.slice(0, 30));
  }
});

Deno.test("samplers decide which traces are sent, and what comes from outside decides for them", async (t) => {
  const outside = (flags: string) => ({
    TRACEPARENT: `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`,
  });
  const cases: [what: string, variables: Variables, sent: boolean][] = [
    ["nothing said", {}, true],
    ["always_off", { OTEL_TRACES_SAMPLER: "always_off" }, false],
    [
      "no share of them",
      { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" },
      false,
    ],
    ["taken outside", { ...outside("01"), OTEL_TRACES_SAMPLER: "parentbased_always_off" }, true],
    ["not taken outside", outside("00"), false],
    ["always_on, whatever comes", { ...outside("00"), OTEL_TRACES_SAMPLER: "always_on" }, true],
    ["a trace that is none", { TRACEPARENT: "rubbish", TRACESTATE: "=" }, true],
  ];
  for (const [what, variables, sent] of cases) {
    await t.step(what, async () => {
      const spans = await spansOf([STARTED, ENDED], variables);
      strictEqual(spans.length, sent ? 1 : 0);
    });
  }
});

Deno.test("a child of a trace that is not sent sends none either", () => {
  const { traces } = opened({ OTEL_TRACES_SAMPLER: "always_off" });
  traces.record({
    type: "child",
    ...{ child_id: "c1", role: "explore", description: "", state: "queued" },
  });
  strictEqual(traces.traceparentOf?.("c1")?.slice(-3), "-00");
});

Deno.test("what is open when a run ends is sent as interrupted", async () => {
  const spans = await spansOf([STARTED, call("1", "bash"), ask(1)]);
  deepStrictEqual(
    spans.map(({ name, attributes }) => [name, attributes["error.type"]]),
    [
      ["chat m", "interrupted"],
      ["execute_tool bash", "interrupted"],
      ["invoke_agent cordon", "interrupted"],
    ],
  );
});

Deno.test("what nobody began, or ends twice, breaks nothing", async () => {
  const spans = await spansOf([
    ENDED,
    answer(7),
    result("x", "bash"),
    { type: "compaction_ended", ok: true },
    { type: "approval", call_id: "c1/x", decision: "deny", reason: "no" },
    STARTED,
    ENDED,
    ENDED,
  ]);
  deepStrictEqual(spans.map(({ name }) => name), ["invoke_agent cordon"]);
});

Deno.test("values of headers are secrets, and what is no pair is left out", async () => {
  const { traces, secrets, warnings, requests } = opened({
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b, rubbish ,other=c",
  });
  deepStrictEqual([secrets, warnings], [["a b", "b", "c"], []]);
  traces.record(STARTED);
  await traces.close();
  deepStrictEqual(
    [requests[0]?.headers.get("x-key"), requests[0]?.headers.get("other")],
    ["a b", "c"],
  );
});

Deno.test("what no header can hold is left out, and its value not told", async () => {
  const { traces, warnings, requests } = opened({
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=secret%0Avalue,n%20o=1,fine=yes",
  });
  traces.record(STARTED);
  await traces.close();
  strictEqual(requests[0]?.headers.get("fine"), "yes");
  deepStrictEqual(warnings, [
    "OTEL_EXPORTER_OTLP_HEADERS holds what no header can hold, which is left out",
  ]);
});

Deno.test("what a collector may take later goes with the next batch", async () => {
  const replies = [new Response("busy", { status: 503 }), Response.json({})];
  const { traces, spans, requests, warnings } = opened(
    {},
    () => Promise.resolve(replies.shift() ?? Response.json({})),
  );
  // A batch is sent at once when it is full.
  for (let i = 0; i < 512; i++) {
    traces.record(call(`${i}`, "grep"));
    traces.record(result(`${i}`, "grep"));
  }
  while (warnings.length === 0) await nextTurn();
  traces.record(STARTED);
  traces.record(ENDED);
  await traces.close();
  deepStrictEqual([requests.length, spans.length, warnings.length], [2, 513, 1]);
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
