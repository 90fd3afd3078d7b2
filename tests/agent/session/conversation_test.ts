import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import type { Message } from "../../../agent/messages.ts";
import { Conversation } from "../../../agent/session/conversation.ts";
import { interruptedRecord } from "../../../agent/session/convert.ts";
import type { JobEndRecord, LogRecord, NewRecord } from "../../../agent/session/records.ts";
import { schema } from "../../../tools/schema.ts";
import { answer, anyRecord, result, said, unpaired } from "./fixtures.ts";

function fold(...records: NewRecord[]): Conversation {
  const conversation = new Conversation();
  const time = "2026-12-01T10:15:30.000Z";
  records.forEach((record, i) => {
    const stamped: LogRecord = { id: `r${i + 1}`, parent: `r${i}`, time, ...record };
    conversation.apply(stamped);
  });
  return conversation;
}

function jobEnd(job_id: string, more: Partial<JobEndRecord> = {}): NewRecord {
  return { type: "job_end", job_id, exit_code: 0, signal: null, ...more };
}

/** Messages in short: `user: hi`, `assistant: looking (c1, c2)`, `c1: did c1`. */
function brief(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    if (message.role === "assistant") {
      const calls = message.toolCalls.map((call) => call.callId);
      return `assistant: ${message.text}` + (calls.length > 0 ? ` (${calls.join(", ")})` : "");
    }
    const words = message.content.map((part) => part.type === "text" ? part.text : part.blob);
    return `${message.role === "tool" ? message.callId : "user"}: ${words.join("+")}`;
  });
}

Deno.test("Conversation makes messages", async (t) => {
  const toC2: NewRecord[] = [said("hi"), answer("a", ["c1", "bash"], ["c2", "bash"])];
  const cases: [name: string, records: NewRecord[], want: string[], open?: string[]][] = [
    [
      "with notes of jobs, joined with what the user says",
      [said("hi"), jobEnd("1"), answer("a"), jobEnd("2"), jobEnd("3"), said("on"), said("again")],
      [
        "user: hi+[job 1 has ended, exit code: 0, see job_output]",
        "assistant: a",
        "user: [job 2 has ended, exit code: 0, see job_output]+" +
        "[job 3 has ended, exit code: 0, see job_output]+on",
        "user: again",
      ],
    ],
    [
      "with notes of jobs after the results of calls, if need be interrupted ones",
      [...toC2, result("c1", 1), jobEnd("1"), jobEnd("2", { told: true }), answer("b")],
      [
        "user: hi",
        "assistant: a (c1, c2)",
        "c1: did c1",
        "c2: [interrupted]",
        "user: [job 1 has ended, exit code: 0, see job_output]",
        "assistant: b",
      ],
    ],
    [
      "in the order of the records",
      [...toC2, result("c2", 1), result("c1", 1), answer("b")],
      ["user: hi", "assistant: a (c1, c2)", "c2: did c2", "c1: did c1", "assistant: b"],
    ],
    [
      "and tells which calls are open",
      [...toC2, result("c1", 1)],
      ["user: hi", "assistant: a (c1, c2)", "c1: did c1"],
      ["c2"],
    ],
    ["and passes over a result without its call", [said("hi"), result("c1", 1)], ["user: hi"]],
    [
      "and passes over a second result",
      [answer("a", ["c1", "bash"]), result("c1", 1), result("c1", 2, "again")],
      ["assistant: a (c1)", "c1: did c1"],
    ],
    [
      "and pairs calls of one id by turn",
      [answer("a", ["c1", "x"]), result("c1", 1), answer("b", ["c1", "x"]), result("c1", 1, "two")],
      ["assistant: a (c1)", "c1: did c1", "assistant: b (c1)", "c1: two"],
    ],
    [
      "and answers what is open when something else is said",
      [...toC2, result("c1", 1), said("stop"), result("c2", 1)],
      ["user: hi", "assistant: a (c1, c2)", "c1: did c1", "c2: [interrupted]", "user: stop"],
    ],
    [
      "with the summary in place of what it replaces",
      [said("one"), answer("two"), said("three"), compaction("r2"), answer("four")],
      ["user: SUM", "user: three", "assistant: four"],
    ],
    [
      "and takes a call and its results as one when it replaces",
      [said("one"), answer("a", ["c1", "x"]), result("c1", 1), compaction("r2")],
      ["user: SUM", "assistant: a (c1)", "c1: did c1"],
    ],
    [
      "and replaces through the last of a call's results",
      [said("one"), answer("a", ["c1", "x"]), result("c1", 1), compaction("r3")],
      ["user: SUM"],
    ],
    [
      "and keeps open calls when it replaces",
      [said("one"), answer("a", ["c1", "x"]), compaction("r2"), result("c1", 1)],
      ["user: SUM", "assistant: a (c1)", "c1: did c1"],
    ],
    [
      "and replaces a summary by the next one",
      [said("1"), said("2"), compaction("r1"), said("3"), compaction("r4", "SUM2"), said("4")],
      ["user: SUM2", "user: 4"],
    ],
    [
      "and passes over a compaction to what is replaced already",
      [said("1"), said("2"), said("3"), compaction("r2"), compaction("r1", "SUM2")],
      ["user: SUM", "user: 3"],
    ],
    ["and passes over one to no record", [said("1"), compaction("x")], ["user: 1"]],
  ];
  for (const [name, records, want, open = []] of cases) {
    await t.step(name, () => {
      const { messages, unanswered } = fold(...records);
      deepStrictEqual(brief(messages), want);
      deepStrictEqual(unanswered.map((call) => call.callId), open);
    });
  }
});

Deno.test("Conversation.sourceOf() names the record of each message", () => {
  const conversation = fold(said("1"), answer("2"), said("3"), compaction("r2"), said("4"));
  deepStrictEqual([0, 1, 2, 3].map((i) => conversation.sourceOf(i)), ["r4", "r3", "r5", undefined]);
});

Deno.test("Conversation shows the model images, and no other files", () => {
  const { messages } = fold(answer("a", ["c1", "shot"]), {
    ...{ type: "tool_result", call_id: "c1", is_error: false, text: "" },
    blobs: [{ name: "a.png", media_type: "image/png" }, { name: "spill.txt" }],
  });
  deepStrictEqual(messages[1], {
    ...{ role: "tool", callId: "c1", name: "shot", isError: false },
    content: [{ type: "image", blob: "a.png", mediaType: "image/png" }],
  });
});

Deno.test("Conversation.latest()", async (t) => {
  const todo = { name: "todo_write", result: schema(z.object({ todos: z.array(z.string()) })) };
  const call = answer("a", ["c1", "todo_write"]);
  const first = [call, result("c1", { todos: ["one"] })];
  const failed: NewRecord = {
    ...{ type: "tool_result", call_id: "c1", is_error: true },
    ...{ value: { todos: ["no"] }, text: "Error: no", blobs: [] },
  };
  const interrupted = interruptedRecord("c1");
  const cases: [name: string, records: NewRecord[], want: unknown][] = [
    ["is undefined where there is none", [], undefined],
    ["is the last value", [...first, call, result("c1", { todos: ["two"] })], { todos: ["two"] }],
    ["passes over errors", [...first, call, failed], { todos: ["one"] }],
    ["passes over other tools", [...first, answer("b", ["c1", "x"]), result("c1", 1)], {
      todos: ["one"],
    }],
    ["passes over what was interrupted", [...first, call, said("stop")], { todos: ["one"] }],
    ["passes over results without a value", [...first, call, interrupted], { todos: ["one"] }],
    ["goes by the tool that ran, also where two calls have one id", [
      answer("a", ["c1", "bash"], ["c1", "todo"]),
      { type: "tool_call", call_id: "c1", name: "bash", arguments: {} },
      { type: "tool_call", call_id: "c1", name: "todo_write", arguments: {} },
      result("c1", 7),
      result("c1", { todos: ["one"] }),
    ], { todos: ["one"] }],
    ["goes by the tool that ran", [
      answer("a", ["c1", "todo"]),
      { type: "tool_call", call_id: "c1", name: "todo_write", arguments: {} },
      result("c1", { todos: ["one"] }),
    ], { todos: ["one"] }],
    ["is undefined where the value is off the tool's schema", [call, result("c1", 7)], undefined],
    ["outlives a compaction", [...first, compaction("r2")], { todos: ["one"] }],
  ];
  for (const [name, records, want] of cases) {
    await t.step(name, () => deepStrictEqual(fold(...records).latest(todo), want));
  }
});

Deno.test("Conversation sums usage and turns, compactions included", () => {
  const { usage, turns, settings } = fold(
    { type: "settings", model: "m0" },
    answer("a"),
    { type: "settings", model: "m1" },
    answer("b"),
    {
      ...compaction("r4"),
      usage: { input_tokens: 5, cached_input_tokens: 0, output_tokens: 2, reasoning_tokens: 0 },
    },
  );
  deepStrictEqual(usage, {
    inputTokens: 25,
    cachedInputTokens: 8,
    outputTokens: 8,
    reasoningTokens: 2,
  });
  strictEqual(turns, 2);
  strictEqual(settings?.model, "m1");
});

Deno.test("Conversation answers each call exactly once, whatever the records", () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 30 }), (records) => {
      const conversation = fold(...records);
      const open = conversation.unanswered.map((call) => call.callId);
      deepStrictEqual(unpaired(conversation.messages).toSorted(), open.toSorted());
    }),
    { numRuns: 500 },
  );
});

function compaction(to: string, summary = "SUM"): NewRecord & { type: "compaction" } {
  return { type: "compaction", replaces_to: to, summary };
}

Deno.test("Conversation knows the jobs whose end it has not seen, and the last number", () => {
  const calls = answer("a", ["c1", "bash"], ["c2", "bash"], ["c3", "job_output"]);
  const conversation = fold(
    ...[said("hi"), calls],
    result("c1", { job_id: "1", running: true }),
    result("c2", { job_id: "12", running: true }),
    result("c3", { job_id: "12", running: false }),
    jobEnd("1"),
  );
  deepStrictEqual([conversation.runningJobs, conversation.lastJob], [["12"], 12]);
});

Deno.test("Conversation knows what was said, and what a summary stands for", () => {
  const conversation = fold(
    ...[said("one"), answer("a"), said("two"), answer("b"), jobEnd("1"), said("three")],
    ...[compaction("r4"), answer("c"), said("four")],
  );
  deepStrictEqual(
    conversation.said.map(({ content, index }) => [content, index]),
    [["one", undefined], ["two", undefined], ["three", 1], ["four", 3]].map(([text, index]) => [
      [{ type: "text", text }],
      index,
    ]),
  );
  strictEqual(conversation.messages[3]?.role, "user");
});

Deno.test("Conversation knows the files that tools touched, compacted or not", () => {
  const calls = answer("a", ["c1", "read_file"], ["c2", "edit_file"], ["c3", "patch_many"]);
  const more = answer("b", ["c4", "read_file"], ["c5", "edit_file"], ["c6", "grep"]);
  const { touched } = fold(
    ...[said("go"), calls],
    result("c1", {
      ok: true,
      kind: "many",
      files: [{ ok: true, path: "a" }, { ok: true, path: "b" }],
    }),
    result("c2", { ok: true, path: "c" }),
    result("c3", { ok: true, path: "b, d", files: [{ path: "b" }, { path: "d" }] }),
    ...[compaction("r5"), more],
    result("c4", { ok: true, path: "a" }),
    result("c5", { ok: false, path: "e", reason: "ambiguous" }),
    result("c6", { ok: true, path: "f" }),
  );
  deepStrictEqual([touched.changed, touched.read], [["c", "b", "d"], ["a"]]);
});

Deno.test("Conversation keeps no answer of nothing, and counts it", () => {
  const conversation = fold(said("hi"), answer(" \n"), answer("there"));
  deepStrictEqual(brief(conversation.messages), ["user: hi", "assistant: there"]);
  deepStrictEqual([conversation.turns, conversation.usage.inputTokens], [2, 20]);
});

Deno.test("Conversation counts a compaction that failed, and learns its window", () => {
  const usage = { input_tokens: 5, cached_input_tokens: 0, output_tokens: 2, reasoning_tokens: 0 };
  const window = { model: "m1", tokens: 8_192 };
  const conversation = fold(
    ...[said("hi"), answer("a")],
    { ...compaction("", ""), failed: "it is empty", usage, window },
  );
  deepStrictEqual(brief(conversation.messages), ["user: hi", "assistant: a"]);
  deepStrictEqual([conversation.usage.inputTokens, conversation.learntWindow], [15, window]);
  strictEqual(conversation.lastCompaction, undefined);
});
