import { deepStrictEqual } from "node:assert/strict";
import type { AgentEvent } from "../../../agent/events.ts";
import { textOutput } from "../../../agent/terminal/output.ts";
import type { TextStream } from "../../../agent/terminal/stream.ts";
import { fenced, newFence } from "../../../tools/web/outside.ts";
import { plain } from "./render/styles.ts";

/** What `--output-format text` writes to stderr of these events. */
function shown(...events: readonly AgentEvent[]): string[] {
  let written = "";
  const stream = (write: (text: string) => void): TextStream => ({
    write,
    flush: () => Promise.resolve(),
    closed: new AbortController().signal,
  });
  const streams = { stdout: stream(() => {}), stderr: stream((text) => written += text) };
  const output = textOutput(streams, plain);
  for (const event of events) output.emit(event);
  return written.split("\n").slice(0, -1);
}

function call(call_id: string, command: string): AgentEvent {
  return { type: "tool_call", call_id, name: "bash", arguments: { command } };
}

function result(call_id: string, text: string): AgentEvent {
  return { type: "tool_result", call_id, name: "bash", is_error: false, text, value: {} };
}

Deno.test("a result right below its call does not say whose it is", () => {
  deepStrictEqual(shown(call("1", "a"), result("1", "x\ny"), call("2", "b"), result("2", "z")), [
    "> bash a",
    "  y (2 lines)",
    "> bash b",
    "  z",
  ]);
});

Deno.test("of text from outside its beginning is told, and of markers after it the last", () => {
  const page = fenced("Title: T\n\nSome text", "https://host.test/", newFence());
  deepStrictEqual(
    shown(call("1", "a"), result("1", page), call("2", "b"), result("2", `${page}\n[no text]`)),
    ["> bash a", "  Title: T (4 lines)", "> bash b", "  [no text] (5 lines)"],
  );
});

Deno.test("results of calls that run side by side say whose they are", () => {
  deepStrictEqual(
    shown(call("1", "a\nrest"), call("2", "b\x1b[2J"), result("1", "of a"), result("2", "of b")),
    [
      "> bash a (and 1 more line)",
      "> bash b<U+001B>[2J",
      "  bash a (and 1 more line): of a",
      "  bash b<U+001B>[2J: of b",
    ],
  );
});
