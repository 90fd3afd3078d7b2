import { deepStrictEqual } from "node:assert/strict";
import type { AssistantMessage, UserMessage } from "../../../agent/messages.ts";
import {
  assistantMessage,
  assistantRecord,
  toolCallRecord,
  toolResultRecord,
  userMessage,
  userRecord,
} from "../../../agent/session/convert.ts";
import { parseRecord } from "../../../agent/session/records.ts";

const stamp = { id: "r1", parent: "x", time: "2026-12-01T10:15:31.000Z" };

Deno.test("assistantRecord() keeps the whole message", async (t) => {
  const plain: AssistantMessage = {
    ...{ role: "assistant", text: "looking", model: "m1", finish: "tool_calls" },
    toolCalls: [{ callId: "c1", name: "bash", arguments: '{"command":' }],
    usage: { inputTokens: 4, cachedInputTokens: 3, outputTokens: 2, reasoningTokens: 1 },
  };
  const cases: [name: string, message: AssistantMessage][] = [
    ["without reasoning", plain],
    ["with text", { ...plain, reasoning: { text: "hm", wire: "chat" } }],
    ["with a field", {
      ...plain,
      reasoning: { text: "hm", wire: "chat", field: "reasoning_content" },
    }],
    ["with items", { ...plain, reasoning: { text: "", wire: "responses", items: [{ id: 1 }] } }],
  ];
  for (const [name, message] of cases) {
    await t.step(name, () => {
      const record = { ...stamp, ...assistantRecord(message) };
      deepStrictEqual(assistantMessage(record), message);
      deepStrictEqual(parseRecord(record), { ok: true, record });
    });
  }
});

Deno.test("userRecord() keeps texts and images", () => {
  const message: UserMessage = {
    role: "user",
    content: [
      { type: "text", text: "see" },
      { type: "image", blob: "a.png", mediaType: "image/png" },
    ],
  };
  const record = { ...stamp, ...userRecord(message.content) };
  deepStrictEqual(userMessage(record), message);
  deepStrictEqual(parseRecord(record), { ok: true, record });
});

Deno.test("toolResultRecord() joins texts and names images and files", () => {
  const record = toolResultRecord({
    ...{ callId: "c1", isError: false, value: null, files: ["c1.out"] },
    content: [
      { type: "text", text: "one" },
      { type: "image", blob: "a.png", mediaType: "image/png" },
      { type: "text", text: "two" },
    ],
  });
  deepStrictEqual(record, {
    ...{ type: "tool_result", call_id: "c1", is_error: false, value: null, text: "one\ntwo" },
    blobs: [{ name: "a.png", media_type: "image/png" }, { name: "c1.out" }],
  });
});

Deno.test("toolCallRecord() of no arguments can be read back", () => {
  const record = { ...stamp, ...toolCallRecord("c1", "bash", undefined) };
  deepStrictEqual(parseRecord(JSON.parse(JSON.stringify(record))), { ok: true, record });
});
