import { deepStrictEqual } from "node:assert/strict";
import type { AssistantMessage, Message, ToolMessage } from "../../../agent/messages.ts";
import { createModel } from "../../../agent/model/connect.ts";
import { modelServer } from "../../helpers/model_server.ts";
import { sse } from "../../helpers/model_streams.ts";
import { ask, assistant, BASH, options, request } from "./asking.ts";

const wire = { wire: "responses" } as const;
const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** A stream of these events. */
function stream(...events: readonly Record<string, unknown>[]): string[] {
  return events.map((event) => sse(event, String(event.type)));
}

function completed(response: Record<string, unknown>): Record<string, unknown> {
  return { type: "response.completed", response: { status: "completed", ...response } };
}

function said(text: string): Record<string, unknown> {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
}

function call(args: unknown = "{}", id = "a"): Record<string, unknown> {
  return { type: "function_call", call_id: id, name: "bash", arguments: args };
}

Deno.test("Responses: events and answer", async () => {
  await using server = await modelServer([{
    text: "hey",
    reasoning: "hm",
    toolCalls: [{ name: "bash", arguments: { command: "ls" } }],
    usage: { input: 100, cached: 40, output: 7 },
  }]);
  const sealed = {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "hm" }],
    encrypted_content: "sealed call_1",
  };
  const item = call('{"command":"ls"}', "call_2");
  const content = [{ type: "output_text", text: "hey", annotations: [] }];
  const message = { ...said("hey"), id: "msg_1", status: "completed", content };
  deepStrictEqual((await ask(options(server, wire))).events, [
    { type: "reasoning_delta", text: "h" },
    { type: "reasoning_delta", text: "m" },
    { type: "text_delta", text: "h" },
    { type: "text_delta", text: "e" },
    { type: "text_delta", text: "y" },
    { type: "tool_call_start", name: "bash" },
    {
      type: "answer",
      message: assistant({
        text: "hey",
        toolCalls: [{ callId: "call_2", name: "bash", arguments: '{"command":"ls"}' }],
        reasoning: { text: "hm", wire: "responses", items: [sealed, message, item] },
        usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 7, reasoningTokens: 0 },
        finish: "tool_calls",
      }),
    },
  ]);
  deepStrictEqual(server.requests[0]?.path, "/v1/responses");
  deepStrictEqual(server.requests[0]?.body, {
    model: "m1",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] }],
    instructions: "Be brief",
    tools: [{ type: "function", ...BASH, strict: false }],
    store: false,
    include: ["reasoning.encrypted_content"],
    stream: true,
  });
});

Deno.test("Responses: what servers send, and what is made of it", async (t) => {
  const cases: [name: string, raw: readonly string[], want: Partial<AssistantMessage>][] = [
    [
      "unknown events are ignored",
      stream({ type: "response.new" }, completed({ output: [said("a")] })),
      {
        text: "a",
      },
    ],
    [
      "the items where the last list is empty",
      stream(
        { type: "response.output_item.done", item: said("a") },
        completed({ output: [] }),
      ),
      { text: "a" },
    ],
    [
      "deltas where there are no items",
      stream(
        { type: "response.output_text.delta", delta: "a" },
        completed({}),
      ),
      { text: "a" },
    ],
    [
      "a refusal as text",
      stream(
        completed({ output: [{ type: "message", content: [{ type: "refusal", refusal: "no" }] }] }),
      ),
      { text: "no" },
    ],
    ["arguments as an object", stream(completed({ output: [call({ command: "ls" })] })), {
      toolCalls: [{ callId: "a", name: "bash", arguments: '{"command":"ls"}' }],
      finish: "tool_calls",
    }],
    [
      "an answer cut by the token limit",
      stream({
        type: "response.incomplete",
        response: {
          status: "incomplete",
          incomplete_details: { reason: "max_output_tokens" },
          output: [{ type: "reasoning", encrypted_content: "x" }, call('{"comm')],
        },
      }),
      {
        toolCalls: [{ callId: "a", name: "bash", arguments: '{"comm' }],
        reasoning: { text: "", wire: "responses" },
        finish: "length",
      },
    ],
    [
      "a filtered answer",
      stream({
        type: "response.incomplete",
        response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      }),
      { finish: "content_filter" },
    ],
    [
      "reasoning that cannot go back keeps its text only",
      stream(completed({
        output: [{ type: "reasoning", id: "rs", summary: [{ text: "hm" }] }, said("a")],
      })),
      { text: "a", reasoning: { text: "hm", wire: "responses" } },
    ],
  ];
  for (const [name, raw, want] of cases) {
    await t.step(name, async () => {
      await using server = await modelServer([{ raw }]);
      deepStrictEqual(
        (await ask(options(server, wire))).answer,
        assistant({ usage: none, ...want }),
      );
    });
  }
});

Deno.test("Responses: what is no answer is asked again, and never kept", async (t) => {
  const half = { type: "response.output_text.delta", delta: "half" };
  const cases: [name: string, raw: readonly string[], reason: string][] = [
    ["an end before the last event", stream(half), "its stream ended before the answer did"],
    [
      "a failed response",
      stream(half, {
        type: "response.failed",
        response: { error: { code: "server_error", message: "overheated" } },
      }),
      "500: overheated",
    ],
    [
      "a failed response without a reason",
      stream({ type: "response.failed", response: {} }),
      "no reason given",
    ],
    ["an error event", stream({ type: "error", code: "server_error", message: "hot" }), "500: hot"],
    ["an unnamed error event", [sse({ type: "error", message: "hot" })], "hot"],
    ["an event that is a number", [sse("1")], "an event of its stream is no object"],
    ["a delta that is a number", stream({ ...half, delta: 1 }), "a text delta has the type number"],
    [
      "an answer that is a list",
      stream({ type: "response.completed", response: [] }),
      "an item of its answer is no object",
    ],
    [
      "announced calls that do not come",
      stream(
        { type: "response.output_item.added", item: call("") },
        completed({ output: [said("a")] }),
      ),
      "it announces tool calls and does not send them",
    ],
    [
      "a call without a name",
      stream(completed({ output: [{ type: "function_call" }] })),
      "a tool call has no name",
    ],
    [
      "arguments that are a number",
      stream(completed({ output: [call(1)] })),
      "arguments of a call has the type number",
    ],
  ];
  for (const [name, raw, reason] of cases) {
    await t.step(name, async () => {
      await using server = await modelServer([{ raw }, { text: "whole" }]);
      const { events, answer } = await ask(options(server, wire));
      const retries = events.flatMap((event) => event.type === "retry" ? [event.reason] : []);
      deepStrictEqual(retries, [reason]);
      deepStrictEqual(answer?.text, "whole");
    });
  }
});

Deno.test("Responses: the history as it is sent", async (t) => {
  const thought = { type: "reasoning", id: "rs", encrypted_content: "x" };
  const items = [thought, said("t"), { ...call("{oops"), id: "fc" }];
  const toolCalls = [{ callId: "a", name: "bash", arguments: "{oops" }];
  const result = (content: ToolMessage["content"]): Message[] => [
    { role: "tool", callId: "a", name: "bash", isError: false, content },
  ];
  const ok = [{ type: "text", text: "ok" } as const];
  const output = { type: "function_call_output", call_id: "a", output: "ok" };
  const plainCall = call('{"invalid_arguments":"{oops"}');
  const reasoning = { text: "", wire: "responses", items } as const;
  const cases: [name: string, messages: Message[], want: unknown[]][] = [
    ["the server's items in their order, before the result", [
      assistant({ text: "t", toolCalls, reasoning }),
      ...result(ok),
    ], [thought, said("t"), { ...plainCall, id: "fc" }, output]],
    ["text and calls where there was no reasoning", [
      assistant({ text: "t", toolCalls }),
      ...result(ok),
    ], [said("t"), plainCall, output]],
    ["no reasoning of another model", [
      assistant({ text: "t", toolCalls, reasoning, model: "m2" }),
      ...result(ok),
    ], [said("t"), plainCall, output]],
    ["no items that tell other calls", [
      assistant({ text: "t", toolCalls: [{ ...toolCalls[0]!, callId: "b" }], reasoning }),
      ...result(ok).map((message) => ({ ...message, callId: "b" })),
    ], [said("t"), { ...plainCall, call_id: "b" }, { ...output, call_id: "b" }]],
    ["an image within a result", [
      assistant({ toolCalls }),
      ...result([...ok, { type: "image", blob: "a.png", mediaType: "image/png" }]),
    ], [plainCall, {
      ...output,
      output: [
        { type: "input_text", text: "ok" },
        { type: "input_image", image_url: "data:image/png;base64,AQID", detail: "auto" },
      ],
    }]],
    ["nothing for an answer that was empty", [assistant()], []],
  ];
  for (const [name, messages, want] of cases) {
    await t.step(name, async () => {
      await using server = await modelServer([{ text: "ok" }]);
      const loadBlob = () => Promise.resolve(new Uint8Array([1, 2, 3]));
      await ask({ ...options(server, wire), loadBlob }, request(...messages));
      deepStrictEqual(server.requests[0]?.body.input.slice(1), want);
    });
  }
});

Deno.test("Responses: reasoning goes back with its call over a whole turn", async () => {
  await using server = await modelServer([
    { reasoning: "hm", toolCalls: [{ name: "bash", arguments: {} }] },
    { text: "done" },
  ]);
  const model = createModel(options(server, { ...wire, maxOutputTokens: 99 }));
  const never = new AbortController().signal;
  const first = (await Array.fromAsync(model.ask(request(), never))).at(-1);
  const message = first?.type === "answer" ? first.message : assistant();
  const callId = message.toolCalls[0]?.callId ?? "";
  const result: Message = { role: "tool", callId, name: "bash", isError: false, content: [] };
  await Array.fromAsync(model.ask(request(message, result), never));
  const { input, max_output_tokens } = server.requests[1]?.body ?? {};
  deepStrictEqual(
    input.map((item: { type: string }) => item.type),
    ["message", "reasoning", "function_call", "function_call_output"],
  );
  deepStrictEqual(max_output_tokens, 99);
});
