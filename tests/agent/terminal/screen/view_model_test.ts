import { deepStrictEqual } from "node:assert/strict";
import type { AgentEvent } from "../../../../agent/events.ts";
import {
  type Finished,
  fold,
  NOTHING,
  type ViewModel,
} from "../../../../agent/terminal/screen/view_model.ts";

const USAGE = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

function call(id: string): AgentEvent {
  return { type: "tool_call", call_id: id, name: "bash", arguments: {} };
}

function result(id: string): AgentEvent {
  return {
    ...{ type: "tool_result", call_id: id, name: "bash", is_error: false, text: "" },
    value: {},
  };
}

const END: AgentEvent & { type: "result" } = {
  ...{ type: "result", reason: "interrupted", exit_code: 130, text: "", turns: 1 },
  ...{ usage: USAGE, duration_ms: 5 },
};

/** What is printed in a run, in short, and the ids of the calls that are still shown. */
function run(events: readonly AgentEvent[]): { printed: string[]; shown: string[] } {
  let model: ViewModel = NOTHING;
  const printed: string[] = [];
  for (const event of events) {
    const folded = fold(model, event, 0);
    model = folded.model;
    printed.push(...folded.finished.map(inShort));
  }
  return { printed, shown: model.calls.map(({ callId }) => callId) };
}

function inShort(item: Finished): string {
  switch (item.kind) {
    case "call":
      return `call ${item.call.callId}${item.call.result ? "" : " without result"}`;
    case "said":
    case "note":
    case "alarm":
      return `${item.kind} ${item.text}`;
    case "end":
      return `end ${item.result.reason}`;
  }
}

Deno.test("fold() prints what will not change any more, and keeps the rest", async (t) => {
  const cases: [name: string, events: AgentEvent[], printed: string[], shown: string[]][] = [
    ["a call that runs", [call("a")], [], ["a"]],
    ["a call that has ended", [call("a"), result("a")], ["call a"], []],
    ["calls side by side, in order", [call("a"), call("b"), result("b")], [], ["a", "b"]],
    [
      "and all of them once the first has ended",
      [call("a"), call("b"), call("c"), result("b"), result("a")],
      ["call a", "call b"],
      ["c"],
    ],
    [
      "calls within a call",
      [call("a"), call("a/1"), result("a/1"), result("a")],
      ["call a"],
      [],
    ],
    [
      "a call that the end finds running",
      [call("a"), END],
      ["call a without result", "end interrupted"],
      [],
    ],
    ["what the person said meanwhile", [{ type: "user", text: "stop that" }], [
      "said stop that",
    ], []],
    ["a retry", [{ type: "retry", attempt: 2, delay_ms: 1500, reason: "busy" }], [
      "note retry 2 in 1.5 s: busy",
    ], []],
    ["an error", [{ type: "error", message: "Cannot go on", code: "x" }], [
      "alarm Cannot go on",
    ], []],
    [
      "a compaction",
      [{ type: "compaction", before_tokens: 900, after_tokens: 90 }],
      ["note older turns are summed up: about 900 tokens are now 90"],
      [],
    ],
    [
      "a job that was ended",
      [
        { type: "job", job_id: "j1", state: "stopped", command: "sleep 9" },
      ],
      ["note job j1 still ran and was ended: sleep 9"],
      [],
    ],
    ["a job that began", [{ type: "job", job_id: "j1", state: "running", command: "x" }], [], []],
    [
      "the answer, which is drawn elsewhere",
      [
        { type: "text_delta", text: "a" },
        { type: "text", text: "a" },
        { type: "reasoning", text: "b" },
        { type: "turn", n: 1 },
        { type: "usage", ...USAGE },
      ],
      [],
      [],
    ],
  ];
  for (const [name, events, printed, shown] of cases) {
    await t.step(name, () => deepStrictEqual(run(events), { printed, shown }));
  }
});
