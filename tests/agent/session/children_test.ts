import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createSession, memorySession, openSession } from "../../../agent/session/log.ts";
import { toolResultRecord } from "../../../agent/session/convert.ts";
import { textOf } from "../../../agent/loop/steering.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { options } from "./fixtures.ts";

const USAGE = {
  input_tokens: 100,
  cached_input_tokens: 40,
  output_tokens: 7,
  reasoning_tokens: 2,
};

/** A call of a tool with the value that its result has. */
async function called(session: ReturnType<typeof memorySession>, id: string, value: unknown) {
  await session.append({
    type: "assistant",
    content: "",
    tool_calls: [{ call_id: id, name: "subagent", arguments: "{}" }],
    model: "m",
    usage: { ...USAGE, input_tokens: 0, output_tokens: 0 },
    finish: "tool_calls",
  });
  await session.append({ type: "tool_call", call_id: id, name: "subagent", arguments: {} });
  await session.append(toolResultRecord({ callId: id, isError: false, value, content: [] }));
}

function lastWords(session: ReturnType<typeof memorySession>): string {
  const last = session.conversation.messages.at(-1);
  return last?.role === "user" ? textOf(last.content) : "";
}

Deno.test("results tell which sub-agents work, and records of ends which do not", async () => {
  const session = memorySession(options("/nowhere"));
  const { conversation } = session;
  await called(session, "1", { child_id: "c2", state: "running" });
  await called(session, "2", { children: [{ child_id: "c1" }, { started: false }, {}] });
  deepStrictEqual([conversation.runningChildren, conversation.lastChild], [["c2", "c1"], 2]);
  await session.append({ type: "child_end", child_id: "c1", state: "success", told: true });
  await called(session, "3", { child_id: "c1", state: "success" });
  deepStrictEqual(conversation.runningChildren, ["c2"]);
  await session.append({ type: "child_end", child_id: "c2", state: "failure", reason: "no key" });
  deepStrictEqual(conversation.runningChildren, []);
  strictEqual(lastWords(session), "[sub-agent c2 has ended: failure, no key, see subagent_status]");
});

Deno.test("an end that is known already says nothing more, and all count what they used", async () => {
  const session = memorySession(options("/nowhere"));
  const end = { type: "child_end", child_id: "c1", state: "success", usage: USAGE } as const;
  await session.append({ ...end, cost_usd: 0.5, told: true });
  strictEqual(session.conversation.messages.length, 0);
  strictEqual(session.conversation.childUsage.costUsd, 0.5);
  await session.append({ ...end, child_id: "c2", title: "explore: it", text: "found" });
  match(lastWords(session), /^\[sub-agent c2 \(explore: it\) has ended: success, .*\]\nfound$/);
  const { tokens, costUsd } = session.conversation.childUsage;
  deepStrictEqual([tokens.inputTokens, tokens.outputTokens], [200, 14]);
  // Of one of them the price is not known.
  strictEqual(costUsd, undefined);
});

Deno.test("a session that is opened again tells of those that were lost, once", async () => {
  await using dir = await tempDir({});
  const folder = dir.join("sessions");
  const first = await createSession(options(folder));
  await called(first, "1", { child_id: "c1", state: "queued" });
  await first.close("interrupted");
  for (const _ of [1, 2]) {
    const again = await openSession({ folder, id: first.id, now: () => new Date() });
    const told = again.conversation.messages.filter(({ role }) => role === "user");
    strictEqual(told.length, 1);
    strictEqual(lastWords(again), "[sub-agent c1 is lost: the program ended while it worked]");
    await again.close("done");
  }
});
