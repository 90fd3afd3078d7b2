import { deepStrictEqual } from "node:assert/strict";
import type { AssistantMessage, Message } from "../../../agent/messages.ts";
import { createModel } from "../../../agent/model/connect.ts";
import { modelServer } from "../../helpers/model_server.ts";
import { sse } from "../../helpers/model_streams.ts";
import { ask, assistant, BASH, options, request, user } from "./asking.ts";

/** A stream of these deltas, with its end. */
function deltas(list: readonly unknown[], finish: string | null = "stop"): string[] {
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    sse({ choices: [{ index: 0, delta, finish_reason }] });
  return [...list.map((delta) => chunk(delta)), chunk({}, finish), sse("[DONE]")];
}

/** A delta with parts of calls. */
function calls(...tool_calls: unknown[]): unknown {
  return { tool_calls };
}

function fn(name: string | undefined, args?: unknown): unknown {
  return { name, arguments: args };
}

const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };

Deno.test("Chat Completions: events and answer", async () => {
  await using server = await modelServer([{
    text: "héllo",
    reasoning: "hm",
    toolCalls: [{ name: "bash", arguments: { command: "ls" } }],
    usage: { input: 100, cached: 40, output: 7 },
  }]);
  const message = assistant({
    text: "héllo",
    toolCalls: [{ callId: "call_1", name: "bash", arguments: '{"command":"ls"}' }],
    reasoning: { text: "hm", wire: "chat", field: "reasoning_content" },
    usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 7, reasoningTokens: 0 },
    finish: "tool_calls",
  });
  deepStrictEqual((await ask(options(server))).events, [
    { type: "reasoning_delta", text: "h" },
    { type: "reasoning_delta", text: "m" },
    { type: "text_delta", text: "hé" },
    { type: "text_delta", text: "ll" },
    { type: "text_delta", text: "o" },
    { type: "tool_call_start", name: "bash" },
    { type: "answer", message },
  ]);
  deepStrictEqual(server.requests[0]?.path, "/v1/chat/completions");
  deepStrictEqual(server.requests[0]?.body, {
    model: "m1",
    messages: [{ role: "system", content: "Be brief" }, { role: "user", content: "hi" }],
    tools: [{ type: "function", function: BASH }],
    stream: true,
    stream_options: { include_usage: true },
  });
});

Deno.test("Chat Completions: what servers send, and what is made of it", async (t) => {
  const ls = { callId: "a", name: "bash", arguments: '{"command":"ls"}' };
  const whole = fn("bash", '{"command":"ls"}');
  const cases: [name: string, stream: readonly string[], want: Partial<AssistantMessage>][] = [
    ["null choices", [
      sse({ choices: null }),
      sse({}),
      ...deltas([{ content: "a" }]),
    ], { text: "a" }],
    [
      "a null delta",
      [sse({ choices: [{ index: 0, delta: null }] }), ...deltas([{ content: "a" }])],
      {
        text: "a",
      },
    ],
    ["a second choice is ignored", [
      sse({ choices: [{ index: 1, delta: { content: "b" } }] }),
      ...deltas([{ content: "a" }]),
    ], { text: "a" }],
    ["a stream with CRLF, comments and no blank after the colon", [
      ": hello\r\n\r\n",
      'data:{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\r\n\r\n',
    ], { text: "a" }],
    ["an end without [DONE]", deltas([{ content: "a" }]).slice(0, -1), { text: "a" }],
    ["content as parts", deltas([{ content: [{ type: "text", text: "a" }, { type: "x" }] }]), {
      text: "a",
    }],
    ["a refusal as text", deltas([{ content: null, refusal: "I will not" }]), {
      text: "I will not",
    }],
    ["a repeated last chunk", [
      ...deltas([{ content: "a" }]).slice(0, -1),
      ...deltas([{ content: "b" }]),
    ], {
      text: "a",
    }],
    ["calls that end with stop", deltas([calls({ index: 0, id: "a", function: whole })]), {
      toolCalls: [ls],
      finish: "tool_calls",
    }],
    [
      "calls in pieces, mixed",
      deltas([
        calls({ index: 0, id: "a", function: fn("bash", "") }, {
          index: 1,
          id: "b",
          function: fn("glob", "{"),
        }),
        calls({ index: 0, function: { arguments: '{"command":' } }),
        calls({ index: 1, id: null, function: { name: null, arguments: "}" } }),
        calls({ index: 0, id: "a", function: { arguments: '"ls"}' } }),
      ], "tool_calls"),
      {
        toolCalls: [ls, { callId: "b", name: "glob", arguments: "{}" }],
        finish: "tool_calls",
      },
    ],
    [
      "calls without an index, told by their id",
      deltas([
        calls({ id: "a", function: whole }, { id: "b", function: fn("glob", "{") }),
        calls({ id: "b", function: fn(undefined, "}") }),
      ], "tool_calls"),
      {
        toolCalls: [ls, { callId: "b", name: "glob", arguments: "{}" }],
        finish: "tool_calls",
      },
    ],
    [
      "two calls that share the index 0",
      deltas([
        calls({ index: 0, id: "a", function: whole }),
        calls({ index: 0, id: "b", function: whole }),
      ], "tool_calls"),
      {
        toolCalls: [ls, { ...ls, callId: "b" }],
        finish: "tool_calls",
      },
    ],
    [
      "arguments as an object",
      deltas([
        calls({ index: 0, id: "a", function: fn("bash", { command: "ls" }) }),
      ], "tool_calls"),
      { toolCalls: [ls], finish: "tool_calls" },
    ],
    [
      "no arguments at all",
      deltas([calls({ index: 0, id: "a", function: fn("bash") })], "tool_calls"),
      {
        toolCalls: [{ ...ls, arguments: "{}" }],
        finish: "tool_calls",
      },
    ],
    [
      "arguments that are no JSON stay",
      deltas([
        calls({ index: 0, id: "a", function: fn("bash", "{oops") }),
      ], "tool_calls"),
      { toolCalls: [{ ...ls, arguments: "{oops" }], finish: "tool_calls" },
    ],
    [
      "calls cut by the token limit stay as they are",
      deltas([
        calls({ index: 0, id: "a", function: fn("bash", '{"command":"rm -rf ./bu') }),
        calls({ index: 1, id: "b", function: fn("bash", "") }),
      ], "length"),
      {
        toolCalls: [
          { ...ls, arguments: '{"command":"rm -rf ./bu' },
          { ...ls, callId: "b", arguments: "" },
        ],
        finish: "length",
      },
    ],
    ["a filtered answer", deltas([{ content: "a" }], "content_filter"), {
      text: "a",
      finish: "content_filter",
    }],
    ["an unknown reason to end", deltas([{ content: "a" }], "eos_token"), { text: "a" }],
    ["usage of DeepSeek, and counts that are none", [
      ...deltas([{ content: "a" }]).slice(0, -1),
      sse({
        choices: [],
        usage: { prompt_tokens: 9, prompt_cache_hit_tokens: 4, completion_tokens: "x" },
      }),
    ], { text: "a", usage: { ...none, inputTokens: 9, cachedInputTokens: 4 } }],
    ["reasoning in the field `reasoning`", deltas([{ reasoning: "h" }, { reasoning: "m" }]), {
      reasoning: { text: "hm", wire: "chat", field: "reasoning" },
    }],
    [
      "reasoning in details, joined by index",
      deltas([
        { reasoning_details: [{ type: "reasoning.text", index: 0, text: "h", signature: null }] },
        { reasoning_details: [{ type: "reasoning.text", index: 0, text: "m" }] },
        { reasoning_details: [{ type: "reasoning.text", index: 0, signature: "sig" }] },
        { reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "x" }] },
      ]),
      {
        reasoning: {
          text: "hm",
          wire: "chat",
          items: [
            { type: "reasoning.text", index: 0, text: "hm", signature: "sig" },
            { type: "reasoning.encrypted", index: 1, data: "x" },
          ],
        },
      },
    ],
  ];
  for (const [name, raw, want] of cases) {
    await t.step(name, async () => {
      await using server = await modelServer([{ raw }]);
      const { answer } = await ask(options(server));
      deepStrictEqual(answer, assistant({ usage: none, ...want }));
    });
  }
});

Deno.test("Chat Completions: what is no answer is asked again, and never kept", async (t) => {
  const text = { content: "half" };
  const cases: [name: string, raw: readonly string[], reason: string, then?: "reset"][] = [
    ["an empty stream", [], "its stream ended before the answer did"],
    ["comments only", [": hi\n\n", ": there\n\n"], "its stream ended before the answer did"],
    ["an end without a reason", deltas([text], null), "its stream ended before the answer did"],
    ["a connection that breaks", deltas([text]).slice(0, 1), "the stream broke off", "reset"],
    ["an event that is no JSON", [sse("{oops")], "an event of its stream is no JSON"],
    ["an event that is a list", [sse([])], "a chunk of its stream is no object"],
    ["an event that is null", [sse("null")], "a chunk of its stream is no object"],
    [
      "an error event",
      [...deltas([text]).slice(0, 1), sse({ error: { message: "overheated" } })],
      "overheated",
    ],
    ["a named error event", [sse({ message: "overheated" }, "error")], "overheated"],
    ["an error as reason", deltas([text], "error"), "the server ended its answer with an error"],
    ["choices that are text", [sse({ choices: "x" })], "choices has the type string"],
    ["content that is a number", deltas([{ content: 1 }]), "content has the type number"],
    ["calls that are an object", deltas([{ tool_calls: {} }]), "tool_calls has the type object"],
    ["a call that is text", deltas([calls("x")]), "a tool call is no object"],
    [
      "a call without a name",
      deltas([calls({ index: 0, id: "a" })]),
      "a tool call begins without a name",
    ],
    [
      "a part that belongs to no call",
      deltas([
        calls({ index: 0, id: "a", function: fn("bash", "{") }),
        calls({ function: { arguments: "}" } }),
      ]),
      "part of a tool call has neither index nor id",
    ],
    [
      "an index that is text",
      deltas([calls({ index: "0" })]),
      "index of a tool call has the type string",
    ],
    [
      "arguments that are a number",
      deltas([calls({ index: 0, id: "a", function: fn("bash", 1) })]),
      "arguments of a tool call has the type number",
    ],
    [
      "arguments as text and object",
      deltas([
        calls({ index: 0, id: "a", function: fn("bash", "{}") }),
        calls({ index: 0, function: { arguments: { command: "ls" } } }),
      ]),
      "arguments of a tool call come as text and as an object",
    ],
    [
      "announced calls that do not come",
      deltas([text], "tool_calls"),
      "it announces tool calls and sends none",
    ],
  ];
  for (const [name, raw, reason, then] of cases) {
    await t.step(name, async () => {
      await using server = await modelServer([
        { raw, ...(then ? { then } : {}) },
        { text: "whole" },
      ]);
      const { events, answer } = await ask(options(server));
      const [retry, ...others] = events.filter(({ type }) => type === "retry");
      deepStrictEqual(others, []);
      deepStrictEqual(
        retry?.type === "retry" && retry.reason.includes(reason),
        true,
        JSON.stringify(retry),
      );
      deepStrictEqual(answer, assistant({ text: "whole" }));
    });
  }
});

Deno.test("Chat Completions: call ids are made where they are missing or taken", async () => {
  const raw = deltas([
    calls(
      { index: 0, function: fn("bash", "{}") },
      { index: 1, id: "old", function: fn("bash", "{}") },
      { index: 2, id: "new", function: fn("bash", "{}") },
      { index: 3, id: "new", function: fn("bash", "{}") },
    ),
  ]);
  await using server = await modelServer([{ raw }]);
  let made = 0;
  const connect = { ...options(server), clock: { random: () => ++made / 2 ** 52 } };
  const { answer } = await ask(connect, request(...pair("old")));
  deepStrictEqual(answer?.toolCalls.map(({ callId }) => callId), [
    "call_1",
    "call_2",
    "new",
    "call_3",
  ]);
});

/** A call with its result. */
function pair(
  callId: string,
  result: Partial<Message & { role: "tool" }> = {},
  args = "{}",
): Message[] {
  return [
    assistant({ toolCalls: [{ callId, name: "bash", arguments: args }], finish: "tool_calls" }),
    {
      role: "tool",
      callId,
      name: "bash",
      isError: false,
      content: [{ type: "text", text: "ok" }],
      ...result,
    },
  ];
}

Deno.test("Chat Completions: the history as it is sent", async (t) => {
  const png = { type: "image", blob: "a.png", mediaType: "image/png" } as const;
  const lost = { type: "image", blob: "lost.png", mediaType: "image/png" } as const;
  const url = "data:image/png;base64,AQID";
  const sentCall = (args: string) => ({
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: { name: "bash", arguments: args } }],
  });
  const reasoned = (reasoning: AssistantMessage["reasoning"], model = "m1") =>
    assistant({ text: "t", model, ...(reasoning ? { reasoning } : {}) });
  const said = { role: "assistant", content: "t" };
  const cases: [name: string, messages: Message[], want: unknown[]][] = [
    ["a call and its result", pair("a"), [sentCall("{}"), {
      role: "tool",
      tool_call_id: "a",
      content: "ok",
    }]],
    ["arguments that are no JSON, inside of an object", pair("a", {}, "{oops"), [
      sentCall('{"invalid_arguments":"{oops"}'),
      { role: "tool", tool_call_id: "a", content: "ok" },
    ]],
    ["reasoning in its own field", [
      reasoned({ text: "hm", wire: "chat", field: "reasoning_content" }),
    ], [{ ...said, reasoning_content: "hm" }]],
    ["reasoning in details and nowhere else", [
      reasoned({ text: "hm", wire: "chat", field: "reasoning", items: [{ type: "x" }] }),
    ], [{ ...said, reasoning_details: [{ type: "x" }] }]],
    ["no reasoning where none was given", [reasoned(undefined)], [said]],
    ["no reasoning of the other protocol", [
      reasoned({ text: "hm", wire: "responses", items: [{ type: "reasoning" }] }),
    ], [said]],
    ["no reasoning of another model", [
      reasoned({ text: "hm", wire: "chat", field: "reasoning_content" }, "m2"),
    ], [said]],
    ["an image of a person", [{ role: "user", content: [{ type: "text", text: "see" }, png] }], [{
      role: "user",
      content: [{ type: "text", text: "see" }, { type: "image_url", image_url: { url } }],
    }]],
    ["an image that is gone", [{ role: "user", content: [lost] }], [
      { role: "user", content: "[image lost.png is no longer there]" },
    ]],
    ["images of results, after the last result", [
      assistant({
        toolCalls: ["a", "b"].map((callId) => ({ callId, name: "view_image", arguments: "{}" })),
      }),
      { role: "tool", callId: "a", name: "view_image", isError: false, content: [png] },
      {
        role: "tool",
        callId: "b",
        name: "view_image",
        isError: false,
        content: [{ type: "text", text: "no" }],
      },
      user("so?"),
    ], [
      {
        role: "assistant",
        content: null,
        tool_calls: ["a", "b"].map((id) => ({
          id,
          type: "function",
          function: { name: "view_image", arguments: "{}" },
        })),
      },
      { role: "tool", tool_call_id: "a", content: "[image follows]" },
      { role: "tool", tool_call_id: "b", content: "no" },
      {
        role: "user",
        content: [
          { type: "text", text: "Image of view_image (a):" },
          { type: "image_url", image_url: { url } },
        ],
      },
      { role: "user", content: "so?" },
    ]],
  ];
  for (const [name, messages, want] of cases) {
    await t.step(name, async () => {
      await using server = await modelServer([{ text: "ok" }]);
      await ask({ ...options(server), loadBlob }, request(...messages));
      deepStrictEqual(server.requests[0]?.body.messages.slice(2), want);
    });
  }
  await t.step("no image to a model that takes none", async () => {
    await using server = await modelServer([{ text: "ok" }]);
    const connect = { ...options(server, { images: false }), loadBlob };
    await ask(connect, request({ role: "user", content: [png] }));
    deepStrictEqual(server.requests[0]?.body.messages[2], {
      role: "user",
      content: "[image a.png not shown: this model takes no images]",
    });
  });
});

function loadBlob(name: string): Promise<Uint8Array> {
  if (name === "a.png") return Promise.resolve(new Uint8Array([1, 2, 3]));
  return Promise.reject(new Deno.errors.NotFound(name));
}

Deno.test("Chat Completions: a message is encoded once, however often it is sent", async () => {
  await using server = await modelServer([{ text: "a" }, { text: "b" }]);
  let loads = 0;
  const model = createModel({ ...options(server), loadBlob: (name) => (loads++, loadBlob(name)) });
  const asked = request({
    role: "user",
    content: [{ type: "image", blob: "a.png", mediaType: "image/png" }],
  });
  for (let turn = 0; turn < 2; turn++) {
    await Array.fromAsync(model.ask(asked, new AbortController().signal));
  }
  deepStrictEqual(loads, 1);
  deepStrictEqual(server.requests[1]?.body, server.requests[0]?.body);
});

Deno.test("Chat Completions: the limit of an answer", async () => {
  await using server = await modelServer([{ text: "a" }]);
  await ask(options(server, { maxOutputTokens: 99, maxTokensField: "max_completion_tokens" }));
  const { max_tokens, max_completion_tokens } = server.requests[0]?.body ?? {};
  deepStrictEqual([max_tokens, max_completion_tokens], [undefined, 99]);
});
