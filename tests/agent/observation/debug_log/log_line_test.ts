import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import {
  logLine,
  MAX_LINE_CHARS,
  MAX_TEXT_CHARS,
} from "../../../../agent/observation/debug_log/log_line.ts";
import type { ToolResultEvent } from "../../../../agent/events.ts";

const OF = { time: "2026-01-02T03:04:05.678Z", session: "s" };

function resultOf(value: unknown, text = "hi"): ToolResultEvent {
  return { type: "tool_result", call_id: "1", name: "bash", is_error: false, text, value };
}

Deno.test("logLine() is the observation as one line", () => {
  strictEqual(
    logLine({ ...OF, parent: "p" }, { type: "turn", n: 1 }),
    `{"time":"${OF.time}","session":"s","parent":"p","type":"turn","n":1}\n`,
  );
});

Deno.test("logLine() cuts long texts and lists, and leaves the others whole", () => {
  const line = JSON.parse(logLine(OF, resultOf({ list: Array(150).fill(7) }, "x".repeat(5_000))));
  strictEqual(line.text, `${"x".repeat(MAX_TEXT_CHARS)}…`);
  strictEqual(line.value.list.length, 101);
  strictEqual(line.value.list[100], "… 50 more");
  const whole = { list: Array(100).fill(7), text: "x".repeat(MAX_TEXT_CHARS) };
  deepStrictEqual(JSON.parse(logLine(OF, resultOf(whole))).value, whole);
});

Deno.test("logLine() leaves out what would be too long although each text is short", () => {
  const many = Array(90).fill("x".repeat(MAX_TEXT_CHARS));
  const line = logLine(OF, resultOf({ many }, "y".repeat(1_000_000)));
  ok(line.length < 5_000);
  const { value, text, call_id, cut } = JSON.parse(line);
  deepStrictEqual([value, call_id], [undefined, "1"]);
  ok(text.length === MAX_TEXT_CHARS + 1 && cut > MAX_LINE_CHARS);
});

Deno.test("logLine() does not repeat an answer that follows as an event", () => {
  const line = logLine(OF, {
    type: "request_ended",
    ...{ request_id: 1, outcome: "answered", duration_ms: 5, retries: 0 },
    answer: { text: "secret words", tool_calls: [] },
  });
  ok(!line.includes("words"));
  deepStrictEqual(JSON.parse(line).outcome, "answered");
});

Deno.test("logLine() is one line of JSON within its bound, whatever was observed", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 12 }),
      fc.string({ unit: "binary", maxLength: 3_000 }),
      fc.nat(400),
      (value, text, repeat) => {
        const wide = Object.fromEntries(Array.from({ length: repeat }, (_, i) => [`k${i}`, text]));
        const line = logLine(OF, resultOf([value, wide], text.repeat(repeat)));
        strictEqual(line.indexOf("\n"), line.length - 1);
        ok(line.length <= MAX_LINE_CHARS + 1, String(line.length));
        strictEqual(JSON.parse(line).type, "tool_result");
      },
    ),
  );
});
