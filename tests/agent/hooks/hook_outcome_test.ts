import { deepStrictEqual } from "node:assert/strict";
import type { Hook } from "../../../agent/hooks/configured_hooks.ts";
import { type HookOutcome, outcomeOf } from "../../../agent/hooks/hook_outcome.ts";
import type { HookRun } from "../../../agent/hooks/run_hook.ts";

const HOOK: Hook = {
  event: "PreToolUse",
  command: "./check.sh\n# more",
  timeoutMs: 1500,
  strict: false,
  outside: false,
  origin: "user",
};

const ended = (exitCode: number, stdout = "", stderr = ""): HookRun => ({
  ...{ kind: "ended", exitCode, stdout, stderr },
});

Deno.test("outcomeOf()", async (t) => {
  const said = 'the hook "./check.sh" said no';
  const passing: [name: string, run: HookRun, outcome: HookOutcome][] = [
    ["0 passes", ended(0), { kind: "passed", answer: {}, exitCode: 0 }],
    ["2 is a no", ended(2, "", " because\n"), { kind: "blocked", reason: "because", exitCode: 2 }],
    ["2 without a word", ended(2, "out"), { kind: "blocked", reason: said, exitCode: 2 }],
    [
      "a no in its output",
      ended(0, '{"permissionDecision":"deny","reason":"because"}'),
      { kind: "blocked", reason: "because", exitCode: 0 },
    ],
    [
      "what it says is bounded",
      ended(0, JSON.stringify({ additionalContext: "a".repeat(10_001) })),
      { kind: "passed", answer: { context: `${"a".repeat(10_000)}…` }, exitCode: 0 },
    ],
    [
      "what a terminal would obey goes",
      ended(2, "", "\x1b[31mred\x1b[0m\x07"),
      { kind: "blocked", reason: "red", exitCode: 2 },
    ],
    [
      "also where JSON hides it",
      ended(
        0,
        JSON.stringify({ additionalContext: "\x1b]0;title\x07a", systemMessage: "\x1b[2Jb" }),
      ),
      { kind: "passed", answer: { context: "a", message: "b" }, exitCode: 0 },
    ],
    [
      "a reason is bounded",
      ended(2, "", "a".repeat(4_001)),
      { kind: "blocked", reason: `${"a".repeat(4_000)}…`, exitCode: 2 },
    ],
  ];
  for (const [name, run, outcome] of passing) {
    await t.step(name, () => deepStrictEqual(outcomeOf(run, HOOK, false), outcome));
  }
  const failing: [name: string, run: HookRun, why: string, exitCode: number | null][] = [
    ["another code", ended(1, "", "boom\nat line 3"), "exit code 1: boom", 1],
    ["a program that is missing", ended(127), "exit code 127", 127],
    ["broken JSON", ended(0, "{"), "its output is no JSON", 0],
    ["too slow", { kind: "timed_out" }, "it took more than 1.5 s", null],
    ["not to be started", { kind: "not_started", problem: "Cannot" }, "Cannot", null],
  ];
  for (const [name, run, why, exitCode] of failing) {
    await t.step(`${name}: told, and passed over`, () => {
      const problem = `The hook "./check.sh" (PreToolUse) failed: ${why}`;
      deepStrictEqual(outcomeOf(run, HOOK, false), { kind: "failed", problem, exitCode });
    });
    await t.step(`${name}: a no, where the hook is strict`, () => {
      const reason = `the hook "./check.sh" could not check it: ${why}`;
      const strict = { ...HOOK, strict: true };
      deepStrictEqual(outcomeOf(run, strict, false), { kind: "blocked", reason, exitCode });
    });
  }
});
