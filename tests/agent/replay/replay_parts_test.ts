import { deepStrictEqual, match } from "node:assert/strict";
import { compareCalls } from "../../../agent/replay/compare.ts";
import { normaliseText, normaliseValue } from "../../../agent/replay/normalise.ts";
import { pathSwap } from "../../../agent/replay/paths.ts";
import { type RecordedResult, recordingOf } from "../../../agent/replay/recording.ts";
import { replayedApprover, replayedPerson } from "../../../agent/replay/replayed_person.ts";
import type { Question } from "../../../agent/gate/approver.ts";
import type { NewRecord } from "../../../agent/session/records.ts";

const signal = new AbortController().signal;
const AS_IS = { toRecorded: (text: string) => text, toReplay: (text: string) => text };

/** A recording of these records. */
function recorded(...records: readonly NewRecord[]) {
  const time = "2026-01-02T03:04:05.000Z";
  const header = { type: "header", format: 1, id: "s", parent: null, time, created: time } as const;
  return recordingOf({
    header: { ...header, cwd: "/old/work", version: "1" },
    records: records.map((record, index) => ({
      ...record,
      ...{ id: `r${index}`, parent: "p", time },
    })),
    wholeBytes: 0,
  });
}

function said(text: string): NewRecord {
  return { type: "user", content: [{ type: "text", text }] };
}

function answered(text: string, ...calls: readonly [id: string, name: string, args: unknown][]) {
  return {
    type: "assistant",
    content: text,
    tool_calls: calls.map(([call_id, name, args]) => ({
      ...{ call_id, name },
      arguments: JSON.stringify(args),
    })),
    model: "m",
    usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
    finish: calls.length > 0 ? "tool_calls" : "stop",
  } satisfies NewRecord;
}

function ran(call_id: string, name: string, args: unknown): NewRecord {
  return { type: "tool_call", call_id, name, arguments: args };
}

function result(call_id: string, text: string, value: unknown = null): NewRecord {
  return { type: "tool_result", call_id, is_error: false, text, value, blobs: [] };
}

Deno.test("recordingOf() reads tasks, steering, commands, moves and what broke off", () => {
  const recording = recorded(
    said("first"),
    { type: "snapshot", tree: "t1", role: "before" },
    answered("", ["c1", "bash", { command: "a" }], ["c2", "bash", { command: "b" }]),
    ran("c1", "bash", { command: "a" }),
    result("c1", "one"),
    ran("c2", "bash", { command: "b" }),
    result("c2", "[interrupted]"),
    said("steered"),
    { type: "compaction", replaces_to: "r0", summary: "short" },
    answered("done"),
    { type: "snapshot", tree: "t2", role: "after" },
    { type: "snapshot", tree: "t1", role: "undo", steps: 1, state: "begun" },
    { type: "snapshot", tree: "t1", role: "undo", steps: 1, state: "done" },
    { ...said("output"), command: "ls" } as NewRecord,
    said("again"),
    answered("", ["c3", "bash", { command: "c" }]),
  );
  deepStrictEqual(recording.tree, "t1");
  deepStrictEqual(
    recording.steps.map(({ before, answer }) => ({
      before,
      calls: answer.toolCalls.map(({ callId }) => callId),
    })),
    [
      // What was interrupted then does not run for good now, nor does what has no result.
      { before: [{ kind: "said", text: "first" }], calls: ["c1"] },
      { before: [{ kind: "said", text: "steered" }], calls: [] },
      {
        before: [
          { kind: "move", role: "undo", steps: 1 },
          { kind: "command", command: "ls" },
          { kind: "said", text: "again" },
        ],
        calls: [],
      },
    ],
  );
});

Deno.test("replayedApprover() answers as then for exactly the same call, and for no other", async (t) => {
  const call = [
    answered("", ["c1", "bash", { command: "rm x" }]),
    ran("c1", "bash", { command: "rm x" }),
    result("c1", "gone"),
  ] as const;
  const approval = (more: object): NewRecord => ({
    ...{ type: "approval", call_id: "c1", decision: "allow", by: "person", scope: "call" },
    ...more,
  });
  const question = (more: Partial<Question> = {}): Question => ({
    callId: "c1",
    tool: "bash",
    arguments: JSON.stringify({ command: "rm x" }),
    reason: "it deletes",
    ...more,
  });
  const ask = (records: readonly NewRecord[], ...questions: readonly Question[]) => {
    const approve = replayedApprover(recorded(...records), AS_IS);
    return Promise.all(questions.map((question) => approve(question, signal)));
  };
  const allowed = { decision: "allow", by: "person" };
  const unknown = { decision: "unavailable", by: "policy" };
  await t.step("yes", async () => {
    deepStrictEqual(await ask([...call, approval({})], question()), [allowed]);
  });
  await t.step("no, with what the person said", async () => {
    const denied = { decision: "deny", by: "person", remark: "keep it" };
    const records = [...call, approval({ decision: "deny", remark: "keep it" })];
    deepStrictEqual(await ask(records, question()), [denied]);
  });
  await t.step("a yes holds once", async () => {
    deepStrictEqual(await ask([...call, approval({})], question(), question()), [allowed, unknown]);
  });
  await t.step("other arguments, another tool or another call", async () => {
    const records = [...call, approval({})];
    deepStrictEqual(
      await ask(
        records,
        question({ arguments: JSON.stringify({ command: "rm -r x" }) }),
        question({ tool: "python" }),
        question({ callId: "c2" }),
      ),
      [unknown, unknown, unknown],
    );
  });
  await t.step("nothing was recorded", async () => {
    deepStrictEqual(await ask(call, question()), [unknown]);
  });
  await t.step("a call that the person changed", async () => {
    const edited = { command: "rm y" };
    deepStrictEqual(
      await ask(
        [...call, approval({ arguments: edited })],
        question(),
        question({ arguments: JSON.stringify(edited) }),
      ),
      [{ decision: "edit", by: "person", arguments: JSON.stringify(edited) }, allowed],
    );
  });
});

Deno.test("replayedPerson() gives each answer once, by its question", async () => {
  const person = replayedPerson(recorded(
    answered("", ["c1", "ask_user", { question: "A?" }], ["c2", "ask_user", { question: "B?" }]),
    ran("c1", "ask_user", { question: "A?" }),
    result("c1", "a", { answer: "a" }),
    ran("c2", "ask_user", { question: "B?" }),
    result("c2", "[no answer]", { answer: null }),
  ));
  const answers = [];
  for (const question of ["B?", "A?", "A?", "C?"]) {
    answers.push(await person?.ask({ question }, signal));
  }
  deepStrictEqual(answers, [undefined, "a", undefined, undefined]);
  deepStrictEqual(replayedPerson(recorded(said("hello"))), undefined);
});

Deno.test("pathSwap() takes whole paths only", () => {
  const swap = pathSwap("/old/work", "/new");
  const cases: [text: string, want: string][] = [
    ["/old/work", "/new"],
    ["cd /old/work && ls /old/work/a.txt.", "cd /new && ls /new/a.txt."],
    ["In /old/work.", "In /new."],
    ['{"path":"/old/work/a"}', '{"path":"/new/a"}'],
    [
      "/old/workshop /old/work-2 /old/work.bak /old/wörk",
      "/old/workshop /old/work-2 /old/work.bak /old/wörk",
    ],
    ["$& /old/work", "$& /new"],
  ];
  for (const [text, want] of cases) deepStrictEqual(swap(text), want);
  deepStrictEqual(pathSwap("/a", "$&")("/a"), "$&");
});

Deno.test("normaliseText()", async (t) => {
  const cases: [name: string, text: string, want: string][] = [
    ["ISO time", "at 2026-12-01T14:03:05.123Z.", "at <time>."],
    ["git's time", "2026-12-01 14:03:05 +0100", "<time>"],
    ["date", "Tue Dec  1 14:03:05 UTC 2026", "<time>"],
    ["HTTP date", "Tue, 01 Dec 2026 14:03:05 GMT", "<time>"],
    ["ls -l", "-rw-r--r-- 1 me me 4 Dec  1 14:03 a", "-rw-r--r-- 1 me me 4 <time> a"],
    ["time", "real\t0m0.012s", "real\t<duration>"],
    ["durations", "ok (12ms) in 1.5 s, 3 seconds", "ok (<duration>) in <duration>, <duration>"],
    ["job of a shell", "[1] 4711", "[1] <pid>"],
    ["pid", "pid 12, PID: 34, pid=56", "pid <pid>, PID: <pid>, pid=<pid>"],
    [
      "a path outside",
      "denied: path traversal: ../../x resolves to /tmp/some folder/x, outside the workspace",
      "denied: path traversal: ../../x resolves to <outside>, outside the workspace",
    ],
    ["mktemp", "/tmp/tmp.AbC123xyZ/file", "<temp>/file"],
    ["address", "<object at 0x7f12ab34cd56>", "<object at <address>>"],
    [
      "port",
      "http://127.0.0.1:54321/ on localhost:8080",
      "http://127.0.0.1:<port>/ on localhost:<port>",
    ],
    ["git log", "commit 0123456789abcdef0123456789abcdef01234567", "commit <commit>"],
    ["git commit", "[main (root-commit) 1a2b3c4] first", "[main (root-commit) <commit>] first"],
    ["tools", 'no tool "x"; the tools are: bash, grep', 'no tool "x"; the tools are: <tools>'],
    ["id", "9b2e4c1a-1111-4222-8333-444455556666", "<id>"],
    [
      "what is content stays",
      "total 42, 3 files, v1.2.3, 1a2b3c4, a12s, line 7",
      "total 42, 3 files, v1.2.3, 1a2b3c4, a12s, line 7",
    ],
  ];
  for (const [name, text, want] of cases) {
    await t.step(name, () => deepStrictEqual(normaliseText(text), want));
  }
});

Deno.test("normaliseValue() leaves out what always differs, and nothing else", () => {
  const value = {
    exitCode: 1,
    durationMs: 12,
    pid: 4,
    stdout: "at /w 12ms",
    deep: { mtime: 1, n: 2 },
  };
  deepStrictEqual(JSON.parse(normaliseValue(value, (text) => text.replace("/w", "<w>"))), {
    exitCode: 1,
    stdout: "at <w> <duration>",
    deep: { n: 2 },
  });
});

Deno.test("compareCalls() tells what differs, and what cannot be compared", () => {
  const names = ["same", "text", "value", "error", "missing"];
  const recording = recorded(
    answered(
      "",
      ...names.map((name): [string, string, unknown] => [name, "bash", {}]),
      ["web", "web_fetch", {}],
    ),
    ...names.map((name) => result(name, "in /old/work, 3ms", { exitCode: 0 })),
    result("web", "page"),
  );
  const as = (text: string, exitCode = 0, isError = false): RecordedResult => ({
    ...{ isError, text },
    value: { exitCode },
  });
  const replayed = new Map([
    ["same", as("in /new, 14ms")],
    ["text", as("in /elsewhere, 3ms")],
    ["value", as("in /new, 3ms", 1)],
    ["error", as("in /new, 3ms", 0, true)],
    ["web", as("another page")],
  ]);
  const outcomes = compareCalls(recording, replayed, {
    recorded: pathSwap("/old/work", "<workspace>"),
    replayed: pathSwap("/new", "<workspace>"),
  }).map(({ outcome }) => outcome);
  deepStrictEqual(outcomes.map(({ kind }) => kind), [
    ...["same", "different", "different", "different", "different"],
    "not_compared",
  ]);
  const [, text, value, error, missing] = outcomes.map((outcome) =>
    outcome.kind === "different" ? outcome.diff : ""
  );
  match(
    text ?? "",
    /^--- recorded\n\+\+\+ replayed\n@@ .* @@\n-in <workspace>, <duration>\n\+in \/elsew/,
  );
  match(value ?? "", /- +"exitCode": 0\n\+ +"exitCode": 1\n/);
  match(error ?? "", /\n\+\[error\]\n/);
  match(missing ?? "", /did not come to this call/);
});
