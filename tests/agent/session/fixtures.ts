import { join } from "node:path";
import fc from "fast-check";
import type { LogRecord, NewRecord } from "../../../agent/session/records.ts";
import type { SessionOptions } from "../../../agent/session/log.ts";
import type { Message } from "../../../agent/messages.ts";

/** Options of a session in `folder`, with a clock that ticks a second a look and ids in order. */
export function options(folder: string, cwd = "/work"): SessionOptions {
  let ticks = 0;
  let ids = 0;
  return {
    folder,
    cwd,
    version: "0.1.0",
    now: () => new Date(Date.UTC(2026, 11, 1, 10, 15, 30 + ticks++)),
    random: () => (ids++).toString(16).padStart(4, "0"),
  };
}

/** A model's answer that makes these calls. */
export function answer(text: string, ...calls: [callId: string, name: string][]): NewRecord {
  return {
    type: "assistant",
    content: text,
    tool_calls: calls.map(([call_id, name]) => ({ call_id, name, arguments: "{}" })),
    model: "m1",
    usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 3, reasoning_tokens: 1 },
    finish: calls.length > 0 ? "tool_calls" : "stop",
  };
}

export function said(text: string): NewRecord {
  return { type: "user", content: [{ type: "text", text }] };
}

export function result(callId: string, value: unknown, text = `did ${callId}`): NewRecord {
  return { type: "tool_result", call_id: callId, is_error: false, value, text, blobs: [] };
}

/** One record of each type, in an order in which each means something. */
export const ONE_OF_EACH: readonly NewRecord[] = [
  { type: "settings", model: "m1", tools: ["bash"], approval: "on-escape" },
  said("fix ü the \u2028 test"),
  answer("looking", ["c1", "bash"], ["c2", "grep"]),
  { type: "approval", call_id: "c1", decision: "allow", by: "person", scope: "call" },
  { type: "snapshot", call_id: "c1", tree: "abc" },
  { type: "tool_call", call_id: "c1", name: "bash", arguments: { command: "true" } },
  result("c1", { exit_code: 0 }),
  result("c2", { matches: [] }),
  { type: "job_end", job_id: "j1", exit_code: null, signal: "SIGTERM" },
  { type: "compaction", replaces_to: "r2", summary: "the person wants a test fixed" },
  answer("done"),
  { type: "name", name: "the ü test" },
  { type: "end", reason: "done", name: "the ü test" },
];

/** The calls of `messages` that are not answered exactly once, right behind their message. */
export function unpaired(messages: readonly Message[]): string[] {
  const wrong: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const index = open.indexOf(message.callId);
      if (index < 0) wrong.push(`result of ${message.callId} without its call`);
      else open.splice(index, 1);
      continue;
    }
    wrong.push(...open);
    open = message.role === "assistant" ? message.toolCalls.map((call) => call.callId) : [];
  }
  return [...wrong, ...open];
}

// Lone surrogates, NUL, line separators and line feeds: what breaks readers of lines.
const string = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", "\0", "\u2028\u2029", "\ud800", "a\nb\r\n", "\ufeff", "__proto__"),
);
const callId = fc.constantFrom("c1", "c2", "c3");
const name = fc.constantFrom("bash", "todo_write");
const tokens = fc.record({
  input_tokens: fc.nat(),
  cached_input_tokens: fc.nat(),
  output_tokens: fc.nat(),
  reasoning_tokens: fc.nat(),
});

/** Any record in any order: also results without calls, and compactions to nowhere. */
export const anyRecord: fc.Arbitrary<NewRecord> = fc.oneof(
  fc.record({
    type: fc.constant("user" as const),
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant("text" as const), text: string }),
        fc.record({ type: fc.constant("image" as const), blob: string, media_type: string }),
      ),
      { maxLength: 2 },
    ),
  }),
  fc.record({
    type: fc.constant("assistant" as const),
    content: string,
    tool_calls: fc.array(fc.record({ call_id: callId, name, arguments: string }), {
      maxLength: 3,
    }),
    reasoning: fc.record({
      text: string,
      wire: fc.constantFrom("chat" as const, "responses" as const),
      field: string,
      items: fc.array(fc.jsonValue(), { maxLength: 2 }),
    }, { requiredKeys: ["text", "wire"] }),
    model: string,
    usage: tokens,
    finish: fc.constantFrom("stop" as const, "tool_calls" as const, "length" as const),
  }, { requiredKeys: ["type", "content", "tool_calls", "model", "usage", "finish"] }),
  fc.record({
    type: fc.constant("tool_call" as const),
    call_id: callId,
    name,
    arguments: fc.jsonValue(),
  }),
  fc.record({
    type: fc.constant("tool_result" as const),
    call_id: callId,
    is_error: fc.boolean(),
    value: fc.jsonValue(),
    text: string,
    blobs: fc.array(
      fc.record({ name: string, media_type: fc.constantFrom("image/png", "text/plain") }, {
        requiredKeys: ["name"],
      }),
      { maxLength: 2 },
    ),
  }, { requiredKeys: ["type", "call_id", "is_error", "text", "blobs"] }),
  fc.record({ type: fc.constant("settings" as const), model: string }),
  fc.record({
    type: fc.constant("compaction" as const),
    replaces_to: fc.nat(12).map((n) => `r${n}`),
    summary: string,
    usage: tokens,
  }, { requiredKeys: ["type", "replaces_to", "summary"] }),
  fc.record({ type: fc.constant("name" as const), name: string }),
  fc.record({ type: fc.constant("end" as const), reason: string, name: string }, {
    requiredKeys: ["type", "reason"],
  }),
);

/** A log's lines, parsed; `path` is read whole. */
export async function linesIn(path: string): Promise<unknown[]> {
  const text = await Deno.readTextFile(path);
  return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

/** Writes a log by hand: a header, and lines as they are given. */
export async function handWritten(
  folder: string,
  id: string,
  lines: readonly (string | LogRecord | Record<string, unknown>)[],
): Promise<string> {
  const path = join(folder, `${id}.jsonl`);
  const text = lines.map((line) => typeof line === "string" ? line : JSON.stringify(line));
  await Deno.writeTextFile(path, text.map((line) => line + "\n").join(""));
  return path;
}

/** A header's fields, for {@linkcode handWritten}. */
export function headerFields(id: string): Record<string, unknown> {
  const time = "2026-12-01T10:15:30.000Z";
  return {
    type: "header",
    format: 1,
    id,
    parent: null,
    time,
    cwd: "/work",
    created: time,
    version: "0.1.0",
  };
}
