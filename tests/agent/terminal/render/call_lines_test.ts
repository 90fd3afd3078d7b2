import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import type { AgentEvent } from "../../../../agent/events.ts";
import { renderCall } from "../../../../agent/terminal/render/call_lines.ts";
import { columnsOf } from "../../../../agent/terminal/render/columns.ts";
import {
  type CallState,
  durationOf,
  foldCalls,
  outcomeOf,
} from "../../../../agent/terminal/render/tool_call.ts";
import { MIN_WIDTH } from "../../../../agent/terminal/render/view.ts";
import { unifiedDiff } from "../../../../edit/diff.ts";
import { acts, ascii, colored, named, plain } from "./styles.ts";

type Timed = readonly [ms: number, event: AgentEvent];

function folded(...events: readonly Timed[]): readonly CallState[] {
  return events.reduce<readonly CallState[]>(
    (calls, [ms, event]) => foldCalls(calls, event, ms),
    [],
  );
}

function call(call_id: string, name: string, args: unknown): AgentEvent {
  return { type: "tool_call", call_id, name, arguments: args };
}

function progress(call_id: string, text: string): AgentEvent {
  return { type: "tool_progress", call_id, text };
}

function result(
  call_id: string,
  name: string,
  text: string,
  more: { value?: unknown; is_error?: boolean; diff?: string } = {},
): AgentEvent {
  return { type: "tool_result", call_id, name, text, value: {}, is_error: false, ...more };
}

/** The first of the calls as lines at 40 columns, two and a half seconds in. */
function lines(events: readonly Timed[], view: Partial<Parameters<typeof renderCall>[1]> = {}) {
  const [first] = folded(...events);
  ok(first);
  return renderCall(first, { width: 40, style: plain, nowMs: 2_500, ...view });
}

const numbers = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}`).join("\n");

Deno.test("renderCall() while a call runs", () => {
  const running: Timed[] = [
    [0, call("1", "bash", { command: "npm test\necho done" })],
    [10, progress("1", "one\ntwo\nthr")],
    [20, progress("1", "ee\nfour\n")],
  ];
  deepStrictEqual(lines(running), [
    "○ bash  npm test (+1 line)  2 s",
    "  two",
    "  three",
    "  four",
  ]);
  deepStrictEqual(lines(running, { expanded: true }).length, 5);
  deepStrictEqual(lines(running, { tick: 0 })[0], "⠋ bash  npm test (+1 line)  2 s");
  deepStrictEqual(
    lines(running, { style: ascii })[0],
    "- bash  npm test (+1 line)  2 s",
  );
  deepStrictEqual(lines(running, { width: 12, nowMs: 0 })[0], "○ bash  npm…");
});

Deno.test("renderCall() once a call has ended", async (t) => {
  const bash = (value: unknown, text: string): Timed[] => [
    [0, call("1", "bash", { command: "make" })],
    [5, progress("1", "something\n")],
    [1_500, result("1", "bash", text, { value })],
  ];
  const read: Timed[] = [
    [0, call("1", "read_file", { path: "a.ts" })],
    [5, result("1", "read_file", "1\ta\n2\tb", { value: { ok: true } })],
  ];
  const edit: Timed[] = [
    [0, call("1", "edit_file", { path: "a.ts" })],
    [5, result("1", "edit_file", "Edited", { diff: unifiedDiff("a.ts", "a\n", "b\n") })],
  ];
  const todos: Timed[] = [
    [0, call("1", "todo_write", { todos: [] })],
    [
      5,
      result("1", "todo_write", "Todo list", {
        value: {
          todos: [{ content: "a", status: "completed" }, { content: "b", status: "pending" }],
        },
      }),
    ],
  ];
  const cases: [name: string, events: Timed[], want: string[]][] = [
    ["short output is shown", bash({ exit_code: 0 }, "built"), ["● bash  make  1.5 s", "  built"]],
    ["what the tool measured is told", bash({ exit_code: 0, duration_ms: 65_000 }, ""), [
      "● bash  make  1 min 05 s",
    ]],
    ["long output has its middle left out", bash({ exit_code: 0 }, numbers(20)), [
      "● bash  make  1.5 s",
      "  line 1",
      "  line 2",
      "  … 14 lines",
      "  line 17",
      "  line 18",
      "  line 19",
      "  line 20",
    ]],
    ["an exit code is told", bash({ exit_code: 2 }, "no rule\n[exit code: 2]"), [
      "✗ bash  make  exit 2  1.5 s",
      "  no rule",
    ]],
    ["a signal, too", bash({ exit_code: null, signal: "SIGKILL" }, "[killed by signal: SIGKILL]"), [
      "✗ bash  make  SIGKILL  1.5 s",
      "  [killed by signal: SIGKILL]",
    ]],
    ["a job goes on", bash({ exit_code: null, running: true, job_id: "3" }, "[running]"), [
      "● bash  make  job 3  1.5 s",
      "  [running]",
    ]],
    ["what is read is counted", read, ["● read_file  a.ts  2 lines"]],
    ["an edit shows its diff", edit, ["● edit_file  a.ts", "  a.ts  +1 -1", "  1 - a", "  1 + b"]],
    ["a todo list", todos, ["● todo_write  1 of 2 done", "  [x] a", "  [ ] b"]],
    ["an edit that was refused", [
      [0, call("1", "edit_file", { path: "a.ts" })],
      [5, result("1", "edit_file", "not there\n[not edited: not_found]", { value: { ok: false } })],
    ], ["✗ edit_file  a.ts", "  not there", "  [not edited: not_found]"]],
    ["an error", [
      [0, call("1", "no_tool", "{torn")],
      [
        5,
        result("1", "no_tool", "Error: There is no tool\nat all", { value: null, is_error: true }),
      ],
    ], ["✗ no_tool  {torn", "  There is no tool", "  at all"]],
    ["an interrupted call", [
      [0, call("1", "grep", { pattern: "x", path: "src" })],
      [5, result("1", "grep", "[interrupted]", { value: null })],
    ], ["✗ grep  x in src", "  [interrupted]"]],
    ["many files", [[0, call("1", "patch_many", { patches: [{ path: "a" }, { path: "b" }] })]], [
      "○ patch_many  a, b  2 s",
    ]],
    ["files of a codex patch", [
      [0, call("1", "patch_many", { patch: "*** Begin Patch\n*** Add File: c.ts\n+x\n" })],
    ], ["○ patch_many  c.ts  2 s"]],
  ];
  for (const [name, events, want] of cases) {
    await t.step(name, () => deepStrictEqual(lines(events), want));
  }
  await t.step("expanded shows all", () => {
    deepStrictEqual(lines(bash({ exit_code: 0 }, numbers(20)), { expanded: true }).length, 21);
    deepStrictEqual(lines(read, { expanded: true }).slice(1), ["  1   a", "  2   b"]);
    deepStrictEqual(lines(bash({}, "x".repeat(50)), { expanded: true }), [
      "● bash  make  1.5 s",
      `  ${"x".repeat(38)}`,
      `  ${"x".repeat(12)}`,
    ]);
  });
  await t.step("errors are red, and so is how it ended", () => {
    const shown = lines(bash({ exit_code: 2 }, "[exit code: 2]"), { style: named });
    deepStrictEqual(shown, ["<yellow>✗</yellow> <b>bash</b>  make  <red>exit 2</red>  1.5 s"]);
  });
});

Deno.test("calls inside calls stand under theirs, each with its own outcome", () => {
  const events: Timed[] = [
    [0, call("1", "python", { code: "for f in files: read_file(f)" })],
    [0, call("2", "bash", { command: "other" })],
    ...Array.from(
      { length: 7 },
      (_, i): Timed => [i, call(`1/${i + 1}`, "read_file", { path: `f${i}` })],
    ),
    [20, result("1/7", "read_file", "Error: gone", { value: null, is_error: true })],
    [21, result("1/6", "read_file", "a", { value: { ok: true } })],
  ];
  deepStrictEqual(folded(...events).map(({ callId, inner }) => [callId, inner.length]), [
    ["1", 7],
    ["2", 0],
  ]);
  deepStrictEqual(lines(events, { nowMs: 500 }), [
    "○ python  for f in files: read_file(f)",
    "  … 2 earlier calls",
    "  ○ read_file  f2",
    "  ○ read_file  f3",
    "  ○ read_file  f4",
    "  ● read_file  f5  1 line",
    "  ✗ read_file  f6",
    "    gone",
  ]);
});

Deno.test("foldCalls() tells parallel calls apart, and the last of an id from earlier ones", () => {
  const calls = folded(
    [0, call("a", "bash", { command: "x" })],
    [1, call("b", "bash", { command: "y" })],
    [2, progress("b", "of b")],
    [3, progress("a", "of a")],
    [4, {
      type: "approval",
      call_id: "a",
      decision: "allow",
      reason: "asked",
      arguments: { command: "x -n" },
    }],
    [5, result("a", "bash", "done a")],
    [6, call("a", "bash", { command: "z" })],
    [7, progress("a", "again")],
    [8, progress("nobody", "lost")],
  );
  deepStrictEqual(
    calls.map((state) => [state.callId, state.output, outcomeOf(state), durationOf(state, 10)]),
    [["a", "of a", "done", 1], ["b", "of b", "running", 9], ["a", "again", "running", 4]],
  );
  deepStrictEqual(calls[0]?.approval?.reason, "asked");
  deepStrictEqual(calls[0]?.arguments, { command: "x -n" });
  deepStrictEqual(foldCalls(calls, { type: "turn", n: 2 }, 9), calls);
});

Deno.test("foldCalls() keeps the end of what a call puts out, and no more", () => {
  const [state] = folded(
    [0, call("a", "bash", {})],
    ...Array.from({ length: 100 }, (): Timed => [1, progress("a", "x".repeat(10_000))]),
    [2, progress("a", "end")],
  );
  deepStrictEqual([state?.output.length, state?.output.endsWith("end")], [64 * 1024, true]);
});

Deno.test("renderCall() keeps to the width and lets nothing act", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\x1b[2Ja\tb", "漢字\r\n", numbers(9)),
  );
  fc.assert(
    fc.property(
      fc.record({
        name: text,
        args: fc.oneof(text, fc.record({ command: text })),
        out: text,
        end: text,
      }),
      fc.record({ width: fc.integer({ min: 1, max: 90 }), expanded: fc.boolean() }),
      fc.constantFrom(plain, colored),
      fc.constantFrom({}, { is_error: true }, { value: { exit_code: 3 } }, {
        diff: unifiedDiff("a", "b", "c"),
      }),
      ({ name, args, out, end }, view, style, more) => {
        const events: Timed[] = [[0, call("1", name, args)], [1, progress("1", out)]];
        const inner: Timed[] = [[1, call("1/1", name, args)], [1, call("1/1/1", name, args)]];
        const done: Timed = [2, result("1", name, end, more)];
        for (const states of [folded(...events), folded(...events, ...inner, done)]) {
          for (
            const line of states.flatMap((one) => renderCall(one, { ...view, style, nowMs: 5_000 }))
          ) {
            ok(columnsOf(line) <= Math.max(MIN_WIDTH, view.width), JSON.stringify(line));
            ok(!acts(line), JSON.stringify(line));
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});
