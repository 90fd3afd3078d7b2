import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import type { Question } from "../../../../agent/gate/approver.ts";
import {
  answerText,
  choicesOf,
  type Reply,
  replyToKey,
  replyToLine,
} from "../../../../agent/terminal/approval/reply.ts";

const BARE: Question = { callId: "1", tool: "bash", arguments: "{}", reason: "it does" };

/** A question that can be answered in every way. */
const RICH: Question = {
  ...BARE,
  editable: true,
  offers: [
    { what: "exactly this command", bindings: [{ kind: "command", command: "npm test" }] },
    {
      what: 'every command that begins with "npm test"',
      bindings: [{ kind: "prefix", words: ["npm", "test"], tool: "bash", cwd: "/w" }],
    },
  ],
};

const YES: Reply = { kind: "decision", decision: { decision: "allow", by: "person" } };
const NO: Reply = { kind: "decision", decision: { decision: "deny", by: "person" } };
const SILENT: Reply = { kind: "decision", decision: { decision: "deny", by: "silence" } };
const UNCLEAR: Reply = { kind: "unclear" };

function allow(offer: number): Reply {
  return { kind: "decision", decision: { decision: "allow", by: "person", offer } };
}

function no(remark: string, offer?: number): Reply {
  const held = offer === undefined ? {} : { offer };
  return { kind: "decision", decision: { decision: "deny", by: "person", ...held, remark } };
}

const NEVER: Reply = { kind: "decision", decision: { decision: "deny", by: "person", offer: 0 } };

Deno.test("replyToLine()", async (t) => {
  const cases: [line: string | undefined, rich: Reply, bare: Reply][] = [
    ["y", YES, YES],
    [" YES ", YES, YES],
    ["", NO, NO],
    ["  ", NO, NO],
    [undefined, SILENT, SILENT],
    ["n", NO, NO],
    ["N", NO, NO],
    ["no", NO, NO],
    ["n use pnpm", no("use pnpm"), no("use pnpm")],
    ["No, use pnpm instead", no("use pnpm instead"), no("use pnpm instead")],
    ["use pnpm", no("use pnpm"), no("use pnpm")],
    ["yep", no("yep"), no("yep")],
    // What begins like a yes and goes on may mean something else.
    ["y but only once", UNCLEAR, UNCLEAR],
    ["yes, and then push", UNCLEAR, UNCLEAR],
    ["s", allow(0), no("s")],
    ["session", allow(0), no("session")],
    ["p", allow(1), no("p")],
    ["v", NEVER, no("v")],
    ["never: it deploys", no("it deploys", 0), no("never: it deploys")],
    ["e", { kind: "edit" }, no("e")],
    ["f", no("f"), no("f")],
  ];
  for (const [line, rich, bare] of cases) {
    await t.step(line === undefined ? "the end of the input" : `"${line}"`, () => {
      deepStrictEqual([replyToLine(line, RICH), replyToLine(line, BARE)], [rich, bare]);
    });
  }
  await t.step("what was folded can be asked for", () => {
    deepStrictEqual(replyToLine("f", RICH, true), { kind: "unfold" });
  });
});

Deno.test("replyToKey()", async (t) => {
  const cases: [key: string, rich: Reply, bare: Reply][] = [
    ["y", YES, YES],
    ["s", allow(0), UNCLEAR],
    ["p", allow(1), UNCLEAR],
    ["n", NO, NO],
    ["N", NO, NO],
    ["v", NEVER, UNCLEAR],
    ["e", { kind: "edit" }, UNCLEAR],
    ["enter", NO, NO],
    ["escape", NO, NO],
    ["ctrl+c", SILENT, SILENT],
    ["ctrl+d", SILENT, SILENT],
    ["Y", UNCLEAR, UNCLEAR],
    ["x", UNCLEAR, UNCLEAR],
    ["up", UNCLEAR, UNCLEAR],
    ["", UNCLEAR, UNCLEAR],
  ];
  for (const [key, rich, bare] of cases) {
    await t.step(key || "nothing", () => {
      deepStrictEqual([replyToKey(key, RICH), replyToKey(key, BARE)], [rich, bare]);
    });
  }
});

Deno.test("only the words of a yes are a yes", () => {
  const words = new Set(["y", "yes", "s", "session", "p", "prefix"]);
  fc.assert(fc.property(fc.string({ maxLength: 12 }), (line) => {
    const reply = replyToLine(line, RICH);
    const isYes = reply.kind === "decision" && reply.decision.decision === "allow";
    const bare = line.trim().toLowerCase().replace(/[\s,.:;]+$/, "");
    deepStrictEqual(isYes, words.has(bare));
  }));
});

Deno.test("choicesOf() leaves out what makes no sense", () => {
  const keys = (question: Question, folded = false) =>
    choicesOf(question, folded).map(({ key }) => key).join("");
  deepStrictEqual([keys(BARE), keys(RICH), keys(RICH, true)], ["yn", "yspnve", "yspnvef"]);
  const [yes] = choicesOf({ ...BARE, once: "until this task ends" });
  deepStrictEqual(yes?.meaning, "yes, until this task ends");
});

Deno.test("answerText() says what was answered, where the call does not", () => {
  const cases: [key: string, want: string | undefined][] = [
    ["y", "yes, this once"],
    ["s", "yes, exactly this command this session"],
    ["p", 'yes, every command that begins with "npm test" this session'],
    ["v", "never, exactly this command this session"],
    ["n", undefined],
    ["escape", undefined],
    ["ctrl+c", undefined],
  ];
  for (const [key, want] of cases) {
    const reply = replyToKey(key, RICH);
    const text = reply.kind === "decision" ? answerText(reply.decision, RICH) : reply.kind;
    deepStrictEqual([key, text], [key, want]);
  }
});
