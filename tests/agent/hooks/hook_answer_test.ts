import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type HookAnswer, readAnswer } from "../../../agent/hooks/hook_answer.ts";

Deno.test("readAnswer()", async (t) => {
  const cases: [name: string, stdout: string, answer: HookAnswer][] = [
    ["nothing", "", {}],
    ["text that is no JSON", "looked at it\n", {}],
    ["an empty object", "{}", {}],
    ["a yes", '{"permissionDecision":"allow"}', { decision: "allow" }],
    [
      "a no with its reason, where other agents have it",
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",' +
      '"permissionDecisionReason":"not here"}}',
      { decision: "deny", reason: "not here" },
    ],
    [
      "what belongs to the event goes before",
      '{"permissionDecision":"allow","hookSpecificOutput":{"permissionDecision":"ask"}}',
      { decision: "ask" },
    ],
    ["older words of a no", '{"decision":"block","reason":"no"}', {
      decision: "deny",
      reason: "no",
    }],
    ["older words of a yes", '{"decision":"approve"}', { decision: "allow" }],
    ["not to go on", '{"continue":false,"stopReason":"enough"}', {
      decision: "deny",
      reason: "enough",
    }],
    [
      "other arguments, and words for model and person",
      ' {"updatedInput":{"x":1},"additionalContext":"note","systemMessage":"hi","unknown":[1]}\n',
      { updatedInput: { x: 1 }, context: "note", message: "hi" },
    ],
    ["fields that are null", '{"permissionDecision":null,"updatedInput":null,"reason":null}', {}],
  ];
  for (const [name, stdout, answer] of cases) {
    await t.step(name, () => deepStrictEqual(readAnswer(stdout, false), { ok: true, answer }));
  }
  await t.step("text for the model, where the event takes it", () => {
    deepStrictEqual(readAnswer(" today is Monday\n", true), {
      ok: true,
      answer: { context: "today is Monday" },
    });
  });
  const wrong: [name: string, stdout: string, problem: string][] = [
    ["half an object", '{"decision":', "its output is no JSON"],
    ["two objects", "{}{}", "its output is no JSON"],
    [
      "another decision",
      '{"permissionDecision":"maybe"}',
      "its output cannot be used: permissionDecision is wrong",
    ],
    [
      "arguments that are no object",
      '{"updatedInput":[1]}',
      "its output cannot be used: updatedInput is wrong",
    ],
    ["words that are none", '{"reason":1}', "its output cannot be used: reason is wrong"],
  ];
  for (const [name, stdout, problem] of wrong) {
    await t.step(`refuses ${name}`, () => {
      deepStrictEqual(readAnswer(stdout, true), { ok: false, problem });
    });
  }
  await t.step("never throws, and never takes a decision from what is no JSON object", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (stdout) => {
      const read = readAnswer(stdout, false);
      if (!stdout.trim().startsWith("{")) deepStrictEqual(read, { ok: true, answer: {} });
    }));
  });
});
