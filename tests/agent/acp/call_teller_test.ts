import { deepStrictEqual } from "node:assert/strict";
import { CallTeller } from "../../../agent/acp/call_teller.ts";
import type { ToolCallEvent, ToolResultEvent } from "../../../agent/events.ts";
import { fakeEditor } from "./fake_editor.ts";

const names = { path: (path: string) => `/project/${path}`, cwd: () => "/project" };

function call(call_id: string, name = "bash"): ToolCallEvent {
  return { type: "tool_call", call_id, name, arguments: { command: "true" } };
}

function result(call_id: string, more: Partial<ToolResultEvent> = {}): ToolResultEvent {
  return {
    ...{ type: "tool_result", call_id, name: "bash", is_error: false, text: "out", value: {} },
    ...more,
  };
}

function world() {
  const fake = fakeEditor(() => ({}));
  return { ...fake, teller: new CallTeller(fake.voice(), names) };
}

/** Kind, id and status of each update. */
function told(updates: ReturnType<typeof world>["updates"]) {
  return updates.map((update) =>
    "toolCallId" in update ? [update.sessionUpdate, update.toolCallId, update.status] : []
  );
}

Deno.test("a model that counts anew with each answer gets ids that the editor has not seen", () => {
  const { teller, updates } = world();
  for (let n = 0; n < 3; n++) {
    teller.take(call("call_0"));
    teller.take(result("call_0"));
  }
  deepStrictEqual(
    told(updates),
    ["call_0", "call_0-2", "call_0-3"].flatMap((id) => [
      ["tool_call", id, "in_progress"],
      ["tool_call_update", id, "completed"],
    ]),
  );
});

Deno.test("a call that failed, or was stopped, is told as failed", () => {
  const { teller, updates } = world();
  const ends = [{ is_error: true }, { value: null }, { value: { interrupted: true } }, {}];
  for (const [n, end] of ends.entries()) {
    teller.take(call(`c${n}`));
    teller.take(result(`c${n}`, end));
  }
  deepStrictEqual(
    told(updates).flatMap(([kind, , status]) => kind === "tool_call_update" ? [status] : []),
    ["failed", "failed", "failed", "completed"],
  );
});

Deno.test("what a person made of a call is what runs", () => {
  const { teller, updates } = world();
  teller.take(call("c"));
  const edited = { command: "false" };
  teller.take({ type: "approval", call_id: "c", decision: "allow", reason: "", arguments: edited });
  teller.take({ type: "approval", call_id: "c", decision: "deny", reason: "" });
  deepStrictEqual(updates.slice(1), [{
    sessionUpdate: "tool_call_update",
    toolCallId: "c",
    ...{ status: "in_progress", content: [], rawInput: edited },
  }]);
});

Deno.test("events of calls that are not there change nothing", () => {
  const { teller, updates } = world();
  teller.take(result("c"));
  teller.take({ type: "tool_progress", call_id: "c", text: "x" });
  teller.take({ type: "approval", call_id: "c", decision: "allow", reason: "" });
  deepStrictEqual(updates, []);
});

Deno.test("a large value is not told beside the text that shows it", () => {
  const { teller, updates } = world();
  for (const [id, size] of [["small", 10], ["large", 100_000]] as const) {
    teller.take(call(id));
    teller.take(result(id, { value: { stdout: "x".repeat(size) } }));
  }
  deepStrictEqual(
    updates.flatMap((update) =>
      update.sessionUpdate === "tool_call_update" ? [update.rawOutput !== undefined] : []
    ),
    [true, false],
  );
});
