import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { EventTeller } from "../../../agent/acp/event_teller.ts";
import type { EditorOffers } from "../../../agent/acp/offers.ts";
import type { AgentEvent } from "../../../agent/events.ts";
import { fakeEditor } from "./fake_editor.ts";

const names = { path: (path: string) => path, cwd: () => "/project" };

/** What an editor is told of these events: kind, id and text. */
function told(events: readonly AgentEvent[], offers: Partial<EditorOffers> = {}) {
  const fake = fakeEditor(() => ({}), offers);
  const teller = new EventTeller(fake.voice(), names);
  for (const event of events) teller.take(event);
  const updates = fake.updates.map((update) => {
    if (update.sessionUpdate === "notice") return ["notice", update.title];
    if (!("content" in update) || !update.content || !("type" in update.content)) {
      return [update.sessionUpdate];
    }
    const { content } = update;
    const id = "messageId" in update ? update.messageId : undefined;
    return [update.sessionUpdate, id, content.type === "text" ? content.text : ""];
  });
  return { updates, logged: fake.logged, teller };
}

Deno.test("a message is told once: in pieces where it comes so, else whole", () => {
  const { updates } = told([
    { type: "turn", n: 1 },
    { type: "reasoning_delta", text: "hm" },
    { type: "text_delta", text: "a" },
    { type: "text_delta", text: "b" },
    { type: "reasoning", text: "hm" },
    { type: "text", text: "ab" },
    { type: "turn", n: 2 },
    { type: "reasoning", text: "well" },
    { type: "text", text: "whole" },
    { type: "text_delta", text: "" },
  ]);
  deepStrictEqual(updates, [
    ["agent_thought_chunk", "message-tag-2-thought", "hm"],
    ["agent_message_chunk", "message-tag-2", "a"],
    ["agent_message_chunk", "message-tag-2", "b"],
    ["agent_thought_chunk", "message-tag-3-thought", "well"],
    ["agent_message_chunk", "message-tag-3", "whole"],
  ]);
});

Deno.test("an answer that is asked for again is another message", () => {
  const { updates, logged } = told([
    { type: "turn", n: 1 },
    { type: "text_delta", text: "half" },
    { type: "retry", attempt: 1, delay_ms: 10, reason: "the stream ended early" },
    { type: "text_delta", text: "whole" },
    { type: "text", text: "whole" },
  ]);
  deepStrictEqual(updates, [
    ["agent_message_chunk", "message-tag-2", "half"],
    ["agent_message_chunk", "message-tag-3", "whole"],
  ]);
  deepStrictEqual(logged, ["The model is asked again: the stream ended early"]);
});

Deno.test("what stands beside the conversation is told where the editor has a place for it", () => {
  const events: AgentEvent[] = [
    { type: "compaction", before_tokens: 900, after_tokens: 100 },
    { type: "compaction_failed", reason: "no answer" },
  ];
  const bare = told(events);
  deepStrictEqual(bare.updates, []);
  strictEqual(bare.logged.length, 2);
  deepStrictEqual(told(events, { notices: true, compaction: true }).updates, [
    ["compaction_update"],
    ["notice", "The conversation could not be summed up: no answer"],
  ]);
});

Deno.test("the last error of a turn is remembered until the next", () => {
  const { teller, updates } = told([
    { type: "error", message: "first", code: "a" },
    { type: "error", message: "last", code: "b" },
  ]);
  deepStrictEqual([teller.error, updates], [{ message: "last", code: "b" }, []]);
  teller.beginTurn();
  strictEqual(teller.error, undefined);
});
