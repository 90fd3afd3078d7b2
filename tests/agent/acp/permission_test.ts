import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { CallTeller } from "../../../agent/acp/call_teller.ts";
import { editorApprover } from "../../../agent/acp/permission.ts";
import { SessionVoice } from "../../../agent/acp/session_voice.ts";
import { type Question, SILENCE } from "../../../agent/gate/approver.ts";
import { fakeEditor } from "./fake_editor.ts";

const NEVER = new AbortController().signal;
const names = { path: (path: string) => path, cwd: () => "/project" };

const HOST: Question = {
  callId: "",
  tool: "network",
  arguments: '{"host":"example.org"}',
  reason: "a command wants to reach it",
  ask: "Reach example.org:443?",
};

function world(answer: Parameters<typeof fakeEditor>[0]) {
  const fake = fakeEditor(answer);
  const voice = fake.voice();
  const calls = new CallTeller(voice, names);
  return { ...fake, calls, approve: editorApprover({ voice, calls, names }) };
}

const selected = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

Deno.test("what is asked about no call of the session is told as a call that ends with the answer", async () => {
  for (
    const [answer, decision, status] of [["yes", "allow", "completed"], [
      "no",
      "deny",
      "failed",
    ]] as const
  ) {
    const { approve, updates, asked } = world(() => selected(answer));
    deepStrictEqual(await approve(HOST, NEVER), { decision, by: "person" });
    const toolCallId = "question-tag-1";
    deepStrictEqual(updates, [
      {
        sessionUpdate: "tool_call",
        toolCallId,
        title: "Reach example.org:443?",
        status: "pending",
      },
      { sessionUpdate: "tool_call_update", toolCallId, status },
    ]);
    match(JSON.stringify(asked), /Asked since a command wants to reach it/);
  }
});

Deno.test("a sub-agent's question is not taken for the session's own call of the same id", async () => {
  const { approve, calls, asked } = world(() => selected("yes"));
  calls.take({ type: "tool_call", call_id: "call_1", name: "subagent", arguments: {} });
  const question = { ...HOST, callId: "call_1", by: "sub-agent c1 (explore)" };
  await approve(question, NEVER);
  await approve({ ...HOST, callId: "call_1" }, NEVER);
  const ids = asked.map(([, params]) =>
    (params as { toolCall: { toolCallId: string } }).toolCall.toolCallId
  );
  deepStrictEqual(ids, ["question-tag-1", "call_1"]);
  match(JSON.stringify(asked[0]), /Asked by sub-agent c1 \(explore\) since/);
});

Deno.test("no answer is no yes", async (t) => {
  const stop = new AbortController();
  const unavailable = { decision: "unavailable", by: "policy" };
  const cases: [name: string, answer: () => unknown, want: object][] = [
    ["cancelled", () => ({ outcome: { outcome: "cancelled" } }), SILENCE],
    ["not offered: session", () => selected("session"), SILENCE],
    ["not offered: edit", () => selected("edit"), SILENCE],
    ["not offered: yes in other letters", () => selected("Yes"), SILENCE],
    ["refused", () => Promise.reject(new Error("not supported")), unavailable],
    ["withdrawn", () => {
      stop.abort();
      throw new Error("given up");
    }, SILENCE],
  ];
  for (const [name, answer, want] of cases) {
    await t.step(name, async () => {
      const { approve } = world(answer);
      deepStrictEqual(await approve({ ...HOST, editable: true }, stop.signal), want);
    });
  }
});

Deno.test("an editor that does not know the session yet cannot be asked", async () => {
  const { editor, asked } = fakeEditor(() => selected("yes"));
  const voice = new SessionVoice(editor, () => {}, "tag");
  const calls = new CallTeller(voice, names);
  const { decision } = await editorApprover({ voice, calls, names })(HOST, NEVER) as {
    decision: string;
  };
  strictEqual(decision, "unavailable");
  deepStrictEqual(asked, []);
});
