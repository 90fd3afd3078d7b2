import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { executeCalls } from "../../../agent/calls/execute.ts";
import type { AgentEvent } from "../../../agent/events.ts";
import type { Approver, Decision, Edited, Question } from "../../../agent/gate/approver.ts";
import type { ApprovalMode } from "../../../agent/gate/gate.ts";
import { questionQueue } from "../../../agent/gate/in_turn.ts";
import { judgeByText } from "../../../agent/gate/judge_by_text.ts";
import { rulesOf } from "../../../agent/gate/rules.ts";
import { memorySession } from "../../../agent/session/log.ts";
import { assistantRecord } from "../../../agent/session/convert.ts";
import { schema } from "../../../tools/schema.ts";
import { defineTool, text } from "../../../tools/tool.ts";
import { executorParts } from "../executor_parts.ts";

/** Runs nothing, and says what it would have run. */
const shell = defineTool({
  name: "shell",
  description: "",
  parameters: schema(z.strictObject({ command: z.string().min(1), cd: z.string().optional() })),
  needs: {},
  plan: ({ command }) => ({ touches: [{ kind: "command", command }] }),
  run: ({ command }) => Promise.resolve(`ran ${command}`),
  result: schema(z.string()),
  render: (value) => [text(value)],
});

/** Writes nothing; its plan touches each path. */
const save = defineTool({
  name: "save",
  description: "",
  parameters: schema(z.strictObject({ paths: z.array(z.string()) })),
  needs: {},
  plan: ({ paths }) => ({
    touches: paths.map((path) => ({ kind: "write", path }) as const),
    preview: `+${paths.join()}`,
  }),
  run: ({ paths }) => Promise.resolve(`saved ${paths.join()}`),
  result: schema(z.string()),
  render: (value) => [text(value)],
});

type Answer = Decision | Edited;

const YES: Answer = { decision: "allow", by: "person" };
const NO: Answer = { decision: "deny", by: "person" };
const SESSION: Answer = { decision: "allow", by: "person", offer: 0 };
const PREFIX: Answer = { decision: "allow", by: "person", offer: 1 };
const NEVER: Answer = { decision: "deny", by: "person", offer: 0 };

function editTo(args: unknown): Answer {
  const json = typeof args === "string" ? args : JSON.stringify(args);
  return { decision: "edit", by: "person", arguments: json };
}

interface WorldOptions {
  readonly mode?: ApprovalMode;
  readonly session?: ReturnType<typeof newSession>;
  /** No question is answered before. */
  readonly held?: Promise<void>;
}

function newSession() {
  const stamp = { now: () => new Date(0), random: () => crypto.randomUUID() };
  return memorySession({ cwd: "/w", version: "0", ...stamp });
}

/** A person who gives these answers, one a question; asked once more, they have left. */
function world(
  answers: readonly Answer[],
  { mode = "on-escape", session = newSession(), held }: WorldOptions = {},
) {
  const left = [...answers];
  const asked: Question[] = [];
  const events: AgentEvent[] = [];
  const here = { cwd: "/w", confined: false };
  const judged: string[] = [];
  const inTurn = questionQueue();
  const judge = judgeByText(
    () => ({ workspace: "/w", cwd: here.cwd }),
    () => Promise.resolve(undefined),
  );
  const approve: Approver = async (question) => {
    asked.push(question);
    await held;
    return left.shift() ?? { decision: "deny", by: "silence" };
  };
  let calls = 0;
  async function call(name: string, args: unknown): Promise<string> {
    const callId = `call-${++calls}`;
    const toolCall = { callId, name, arguments: JSON.stringify(args) };
    const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
    const answer = {
      role: "assistant",
      text: "",
      toolCalls: [toolCall],
      model: "m",
      usage,
    } as const;
    await session.append(assistantRecord({ ...answer, finish: "tool_calls" }));
    const [executed] = await executeCalls(
      [toolCall],
      false,
      executorParts({
        tools: [shell, save],
        policy: {
          mode,
          confined: here.confined,
          async judge(command) {
            const judgement = await judge(command);
            judged.push(command);
            return judgement;
          },
          place: { cwd: () => here.cwd, realPath: (path) => Promise.resolve(`/w/${path}`) },
        },
        ...{ approve, inTurn },
        rules: () => rulesOf(session.conversation.standingApprovals),
        append: (record) => session.append(record),
        emit: (event) => events.push(event),
        markerIn: (value) => JSON.stringify(value).includes("[secret]") ? "[secret]" : undefined,
      }),
      new AbortController().signal,
    );
    return executed?.outcome.content.map((part) => part.type === "text" ? part.text : "").join(
      "\n",
    ) ?? "";
  }
  const run = (command: string) => call("shell", { command });
  return { run, call, asked, judged, events, here, session };
}

Deno.test("a yes for the session is about the very command, in its folder", async () => {
  const w = world([SESSION, NO, NO, NO]);
  strictEqual(await w.run("npm test"), "ran npm test");
  strictEqual(await w.run("npm test"), "ran npm test");
  strictEqual(w.asked.length, 1);
  for (const command of ["npm test -w", "npm test; make", "npm  test"]) {
    match(await w.run(command), /^Error: Not run: The person said no/);
  }
  w.here.cwd = "/w/sub";
  match(await w.run("npm test"), /^Error: Not run: Nobody answered the question/);
  const decisions = w.events.flatMap((event) => event.type === "approval" ? [event.reason] : []);
  strictEqual(decisions[1], '"npm test" by shell in /w is allowed');
});

Deno.test("a yes for a prefix covers one simple command that begins so", async () => {
  const w = world([PREFIX]);
  strictEqual(await w.run("npm test"), "ran npm test");
  strictEqual(await w.run("npm test -- 'a; b'"), "ran npm test -- 'a; b'");
  const others = [
    "npm tests",
    "npm test; make",
    "npm test > out",
    "npm test $(make)",
    "A=b npm test",
    "sh -c 'npm test'",
  ];
  for (const command of others) {
    match(await w.run(command), /^Error: Not run: Nobody answered/, command);
  }
  strictEqual(w.asked.length, 1 + others.length);
});

Deno.test("no prefix is offered for what destroys, or is not one simple command", async () => {
  const w = world([]);
  for (const command of ["npm test", "npm test; make", "git clean -fd", "make"]) {
    await w.run(command);
  }
  deepStrictEqual(w.asked.map(({ offers }) => offers?.length), [2, 1, 1, 1]);
});

Deno.test("a prefix does not cover what destroys", async () => {
  const w = world([PREFIX]);
  strictEqual(await w.run("git stash list -p"), "ran git stash list -p");
  deepStrictEqual(w.asked[0]?.offers?.[1]?.what, 'every command that begins with "git stash"');
  match(await w.run("git stash drop"), /^Error: Not run: Nobody answered/);
});

Deno.test("what is forbidden passes once, by the exact call, and by no rule", async () => {
  const w = world([YES, SESSION]);
  const push = "git push --force origin main";
  strictEqual(await w.run(push), `ran ${push}`);
  // There is no offer that the answer could name.
  strictEqual(await w.run(push), `ran ${push}`);
  match(await w.run(push), /^Error: Not run: /);
  deepStrictEqual([w.asked.length, w.asked[0]?.offers], [3, undefined]);
  const rule = { decision: "allow", confined: false } as const;
  const binding = { kind: "command", command: push, tool: "shell", cwd: "/w" } as const;
  const approval = { call_id: "x", decision: "allow", by: "person", scope: "session" } as const;
  await w.session.append({ type: "approval", ...approval, rules: [{ ...rule, binding }] });
  match(await w.run(push), /^Error: Not run: /);
  strictEqual(w.asked.length, 4);
});

Deno.test("a never refuses the same from then on, unasked, anywhere and in every mode", async () => {
  const w = world([NEVER]);
  match(await w.run("make deploy"), /^Error: Not run: The person said no/);
  const refused =
    /^Error: Not run: The person said never in this session \("make deploy" is refused\)/;
  match(await w.run("make deploy"), refused);
  w.here.cwd = "/w/sub";
  match(await w.run("make deploy"), refused);
  w.here.confined = true;
  match(await w.run("make deploy"), refused);
  match(await world([], { mode: "all", session: w.session }).run("make deploy"), refused);
  strictEqual(w.asked.length, 1);
  strictEqual(await w.run("make"), "ran make");
});

Deno.test("a yes from inside a view asks again where nothing confines", async () => {
  const w = world([SESSION, NO], { mode: "ask" });
  w.here.confined = true;
  await w.run("make");
  strictEqual(await w.run("make"), "ran make");
  w.here.confined = false;
  match(await w.run("make"), /^Error: Not run: The person said no/);
});

Deno.test("a yes for writing is about the very files", async () => {
  const w = world([SESSION, NO, NO], { mode: "ask" });
  const paths = (...names: string[]) => ({ paths: names });
  strictEqual(await w.call("save", paths("a", "b")), "saved a,b");
  strictEqual(await w.call("save", paths("b")), "saved b");
  match(await w.call("save", paths("b", "c")), /^Error: Not run/);
  match(await w.call("save", paths("c")), /^Error: Not run/);
  deepStrictEqual(w.asked[0]?.offers?.[0]?.what, "writing these 2 files");
});

Deno.test("a resumed session goes by what was said; --approval deny by no yes", async () => {
  const { session } = await said();
  const resumed = world([], { session });
  strictEqual(await resumed.run("npm test"), "ran npm test");
  strictEqual(resumed.asked.length, 0);
  const denying = world([{ decision: "deny", by: "policy" }], { session, mode: "deny" });
  match(await denying.run("npm test"), /^Error: Not run: --approval deny refuses it/);

  async function said() {
    const w = world([SESSION]);
    await w.run("npm test");
    return w;
  }
});

Deno.test("a no tells the model what the person said", async () => {
  const w = world([{ ...NO, remark: "use pnpm" }]);
  match(await w.run("npm test"), /^Error: Not run: The person said no \(.*\), and: use pnpm$/);
});

Deno.test("an edited call is read, planned and judged again", async (t) => {
  await t.step("what would ask is asked for, as it is now", async () => {
    const w = world([editTo({ command: "npm test -w" }), YES]);
    const told = await w.run("npm test");
    strictEqual(
      told,
      'ran npm test -w\n[the person changed the call before it ran: {"command":"npm test -w"}]',
    );
    deepStrictEqual(w.asked.map((question) => question.arguments), [
      '{"command":"npm test"}',
      '{"command":"npm test -w"}',
    ]);
  });
  await t.step("what only reads runs", async () => {
    const w = world([editTo({ command: "ls" })]);
    match(await w.run("make"), /^ran ls\n\[the person changed/);
    const [event] = w.events.filter(({ type }) => type === "approval");
    deepStrictEqual(event, {
      ...{ type: "approval", call_id: "call-1", decision: "allow" },
      ...{ reason: "the person changed the call", arguments: { command: "ls" } },
    });
  });
  await t.step("what is forbidden is asked for as such, and refused by default", async () => {
    const w = world([editTo({ command: "rm -rf ~" })]);
    match(await w.run("make"), /^Error: Not run: refused in every mode: /);
    match(w.asked[1]?.reason ?? "", /^refused in every mode: /);
    strictEqual(w.asked[1]?.offers, undefined);
  });
  await t.step("what a never covers is refused unasked", async () => {
    const w = world([NEVER, editTo({ command: "make deploy" })]);
    await w.run("make deploy");
    match(await w.run("make"), /^Error: Not run: The person said never/);
    strictEqual(w.asked.length, 2);
  });
  await t.step("the preview is of the edited call", async () => {
    const w = world([editTo({ paths: ["b"] }), YES], { mode: "ask" });
    match(await w.call("save", { paths: ["a"] }), /^saved b\n/);
    deepStrictEqual(w.asked.map(({ preview }) => preview), ["+a", "+b"]);
  });
  const problems: [name: string, edited: unknown, problem: RegExp][] = [
    ["no JSON", "{", /^the arguments are not JSON/],
    ["off the schema", { command: "" }, /^command: Too small/],
    ["an unknown name", { command: "ls", force: true }, /force/],
    ["a secret's stand-in", { command: "echo [secret]" }, /^\[secret\] stands for a value/],
  ];
  for (const [name, edited, problem] of problems) {
    await t.step(`${name} is told and asked again, the call as it was`, async () => {
      const w = world([editTo(edited), YES]);
      strictEqual(await w.run("make"), "ran make");
      deepStrictEqual(w.asked.map((question) => question.arguments), [
        '{"command":"make"}',
        '{"command":"make"}',
      ]);
      match(w.asked[1]?.problem ?? "", problem);
    });
  }
});

Deno.test("who waits while the same is answered for the session is not asked", async () => {
  const held = Promise.withResolvers<void>();
  const w = world([SESSION], { held: held.promise });
  const first = w.run("npm test");
  const second = w.run("npm test");
  const other = w.run("make");
  while (w.judged.length < 3) await new Promise((resolve) => setTimeout(resolve));
  held.resolve();
  deepStrictEqual([await first, await second], ["ran npm test", "ran npm test"]);
  match(await other, /^Error: Not run: Nobody answered/);
  deepStrictEqual(w.asked.map((question) => question.arguments), [
    '{"command":"npm test"}',
    '{"command":"make"}',
  ]);
});
