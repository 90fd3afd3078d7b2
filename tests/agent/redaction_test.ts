import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import type { AgentEvent } from "../../agent/events.ts";
import {
  createRedaction,
  ownSecrets,
  redactedAppend,
  redactedApprover,
  redactedEvents,
} from "../../agent/redaction.ts";
import { joinSettings } from "../../agent/settings.ts";
import { memorySession } from "../../agent/session/log.ts";
import { assistantRecord, toolResultRecord, userRecord } from "../../agent/session/convert.ts";
import { text } from "../../tools/tool.ts";

const SECRET = { name: "API_TOKEN", value: "hush-hush-hush" };
const MARKER = "[redacted: API_TOKEN]";

Deno.test("a redaction learns, and forgets nothing", () => {
  const redaction = createRedaction([SECRET]);
  redaction.learn([{ name: "OTHER", value: "another-one" }]);
  redaction.learn([]);
  deepStrictEqual(redaction.json({ a: [SECRET.value], "another-one": 1 }), {
    a: [MARKER],
    "[redacted: OTHER]": 1,
  });
});

Deno.test("ownSecrets() knows keys, and passwords in addresses as they are written in either way", () => {
  const settings = (address: string, key: string) =>
    joinSettings(
      { "base-url": address, model: "m" },
      {},
      (name) => name === "OPENAI_API_KEY" ? key : undefined,
    );
  const address = "http://bob:päss word:1@host:8080/v1?x=a@b";
  const redaction = createRedaction(ownSecrets(settings(address, "key-0123456789")));
  const cases = [
    [address, "http://bob:[redacted: password]@host:8080/v1?x=a@b"],
    [new URL(address).href, "http://bob:[redacted: password]@host:8080/v1?x=a@b"],
    ["key-0123456789", "[redacted: OPENAI_API_KEY]"],
  ];
  for (const [text = "", want] of cases) strictEqual(redaction.redact(text), want);
  deepStrictEqual(ownSecrets(settings("http://host:8080/v1?x=a:b@c", "")), []);
});

Deno.test("markerIn() finds the marker of a known secret and no other", () => {
  const redaction = createRedaction([SECRET]);
  strictEqual(redaction.markerIn({ content: `a=${MARKER}` }), MARKER);
  strictEqual(redaction.markerIn({ content: "a=[redacted: SOMETHING]" }), undefined);
});

Deno.test("redactedEvents() finds a secret however answers and thoughts are cut into pieces", () => {
  const whole = `the token is ${SECRET.value}, twice ${SECRET.value}`;
  const want = `the token is ${MARKER}, twice ${MARKER}`;
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: whole.length - 1 })), (cuts) => {
    const events: AgentEvent[] = [];
    const emit = redactedEvents((event) => events.push(event), createRedaction([SECRET]));
    const places = [...new Set([0, ...cuts, whole.length])].sort((a, b) => a - b);
    for (const type of ["reasoning_delta", "text_delta"] as const) {
      places.slice(1).forEach((end, index) =>
        emit({ type, text: whole.slice(places[index], end) })
      );
    }
    emit({ type: "text", text: whole });
    for (const type of ["reasoning_delta", "text_delta"] as const) {
      strictEqual(textOf(events, type), want);
    }
    deepStrictEqual(events.at(-1), { type: "text", text: want });
  }));
});

Deno.test("an answer that ends in what may begin a secret is shown whole", () => {
  const events: AgentEvent[] = [];
  const emit = redactedEvents((event) => events.push(event), createRedaction([SECRET]));
  emit({ type: "text_delta", text: "it begins with hush-hu" });
  emit({ type: "turn", n: 2 });
  strictEqual(
    events.map((event) => event.type === "text_delta" ? event.text : "").join(""),
    "it begins with hush-hu",
  );
  strictEqual(events.at(-1)?.type, "turn");
});

Deno.test("redactedApprover() asks without secrets", async () => {
  let asked = "";
  const approve = redactedApprover((question) => {
    asked = JSON.stringify(question);
    return Promise.resolve({ decision: "deny", by: "person" });
  }, createRedaction([SECRET]));
  const question = { callId: "1", tool: "bash", arguments: `echo ${SECRET.value}`, reason: "why" };
  await approve({ ...question, preview: `-${SECRET.value}` }, new AbortController().signal);
  strictEqual(asked.includes(SECRET.value), false);
  strictEqual(asked.split(MARKER).length, 3);
});

Deno.test("redactedAppend() keeps secrets from the log and so from the model", async () => {
  const now = () => new Date(0);
  const session = memorySession({ cwd: "/w", version: "0", now, random: () => "test" });
  const append = redactedAppend(session, createRedaction([SECRET]));
  const { value } = SECRET;
  await append(userRecord([text(`use ${value}`)]));
  await append(assistantRecord({
    role: "assistant",
    text: "",
    toolCalls: [{ callId: "1", name: "bash", arguments: `{"command":"echo ${value}"}` }],
    model: "m",
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
    finish: "tool_calls",
  }));
  const content = [text(`is ${value}`)];
  await append(toolResultRecord({ callId: "1", isError: false, value: [value], content }));
  const { messages } = session.conversation;
  strictEqual(messages.length, 3);
  strictEqual(JSON.stringify(messages).includes(value), false);
  strictEqual(JSON.stringify(messages).split(MARKER).length, 4);
});

Deno.test("redactedAppend() leaves what the model's server has sealed as it is", async () => {
  const now = () => new Date(0);
  const session = memorySession({ cwd: "/w", version: "0", now, random: () => "test" });
  const append = redactedAppend(session, createRedaction([SECRET]));
  const items = [{ type: "reasoning", encrypted_content: SECRET.value, summary: SECRET.value }];
  await append(userRecord([text("hello")]));
  await append(assistantRecord({
    role: "assistant",
    text: SECRET.value,
    toolCalls: [],
    reasoning: { text: SECRET.value, wire: "responses", items },
    model: "m",
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
    finish: "stop",
  }));
  const [, answer] = session.conversation.messages;
  deepStrictEqual(answer?.role === "assistant" && [answer.text, answer.reasoning], [MARKER, {
    text: MARKER,
    wire: "responses",
    items: [{ type: "reasoning", encrypted_content: SECRET.value, summary: MARKER }],
  }]);
});

/** All pieces of a type in a row. */
function textOf(events: readonly AgentEvent[], type: "text_delta" | "reasoning_delta"): string {
  return events.map((event) => event.type === type ? event.text : "").join("");
}
