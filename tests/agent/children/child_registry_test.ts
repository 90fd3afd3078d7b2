import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { childEndRecord } from "../../../agent/children/child_records.ts";
import { ChildRegistry, MAX_UNFINISHED } from "../../../agent/children/child_registry.ts";
import type { ChildTask } from "../../../agent/children/messages.ts";
import { BUILT_IN_ROLES } from "../../../agent/children/roles.ts";
import type { ChildRequest } from "../../../tools/subagent/children.ts";
import { gone } from "../../helpers/processes.ts";

/** What the tests read of a task: the fake children are shell scripts that do not look at it. */
const TASK = { prompt: "x" } as ChildTask;

const REQUEST: ChildRequest = {
  prompt: "x",
  role: "explore",
  limits: { timeoutMs: 600_000 },
  answersQuestions: true,
};

/** A registry whose children are shell scripts. */
function registryOf(script: string, { maxAtOnce = 4, stopGraceMs = 60_000 } = {}) {
  const notes: string[] = [];
  let prepared = 0;
  const registry = new ChildRegistry({
    roles: new Map(BUILT_IN_ROLES.map((role) => [role.name, role])),
    ...{ maxAtOnce, stopGraceMs },
    firstId: 7,
    prepare() {
      prepared++;
      const argv = ["/bin/sh", "-c", script] as const;
      return { start: { argv, environment: { PATH: "/usr/bin:/bin" }, cwd: "/" }, task: TASK };
    },
    openApart: "Cannot isolate",
    approve: () => Promise.resolve({ decision: "deny", by: "person" }),
    onChange() {},
    note: (line) => void notes.push(line),
    readLog: () => Promise.resolve("a log"),
    now: () => performance.now(),
  });
  return { registry, notes, prepared: () => prepared };
}

async function started(registry: ChildRegistry, request: ChildRequest = REQUEST) {
  const answer = await registry.start(request);
  if (!answer.ok) throw new Error(answer.problem);
  const child = registry.find(answer.child.id);
  ok(child);
  return child;
}

/** A line of a child on its standard output, as `sh` prints it. */
function line(message: unknown): string {
  return `echo '${JSON.stringify(message)}'`;
}

const DONE = {
  type: "event",
  event: {
    type: "result",
    reason: "done",
    exit_code: 0,
    text: "the answer",
    turns: 1,
    usage: { input_tokens: 3, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
    duration_ms: 5,
  },
};

Deno.test("a child gets its task, and its end is taken once", async () => {
  const { registry } = registryOf(`read -r task; echo "$task" >&2; ${line(DONE)}`);
  await using _registry = registry;
  const child = await started(registry);
  strictEqual(child.id, "c7");
  await child.ended;
  const facts = child.facts();
  deepStrictEqual([facts.state, facts.end], ["success", { reason: "done", text: "the answer" }]);
  strictEqual(child.isNews, true);
  deepStrictEqual(registry.takeEnded(), [child]);
  deepStrictEqual([registry.takeEnded(), child.isNews], [[], false]);
  const record = childEndRecord(child);
  deepStrictEqual([record.text, record.usage?.input_tokens, record.told], [
    "the answer",
    3,
    undefined,
  ]);
  child.told();
  strictEqual(childEndRecord(child).told, true);
});

Deno.test("what is no line of a child ends it, however much it is", async (t) => {
  const cases = [
    ["a flood", "yes", /its process was ended: Cannot read the line "y": it is no JSON$/],
    ["a flood without a line end", "yes | tr -d '\\n'", /ended: Cannot read a line of over/],
    [
      "words on stderr",
      "echo broken >&2; exit 3",
      /ended with code 3 and without a result: broken$/,
    ],
    ["silence", "exit 0", /ended with code 0 and without a result$/],
  ] as const;
  for (const [name, script, reason] of cases) {
    await t.step(name, async () => {
      const { registry } = registryOf(script);
      await using _registry = registry;
      const child = await started(registry);
      await child.ended;
      strictEqual(child.facts().state, "failure");
      match(child.facts().end?.reason ?? "", reason);
    });
  }
});

Deno.test("a child that does not listen is killed in the end", async () => {
  const { registry } = registryOf(
    `${line({ type: "note", line: "up", alarm: false })}; exec sleep 600`,
    {
      stopGraceMs: 1,
    },
  );
  await using _registry = registry;
  const child = await started(registry);
  const { pid } = child;
  ok(pid !== undefined);
  await child.cancel();
  deepStrictEqual(child.facts().state, "cancelled");
  strictEqual(child.pid, undefined);
  await gone([pid]);
});

Deno.test("a child that asks is settled, and its question is announced once", async () => {
  const question = { type: "question", id: 1, question: { question: "Which?" } };
  const { registry } = registryOf(
    `read -r task; ${line(question)}; read -r answer; case $answer in *reply*left*) ${
      line(DONE)
    };; esac`,
  );
  await using _registry = registry;
  const child = await started(registry);
  await child.settled();
  deepStrictEqual(child.facts().question, { question: "Which?" });
  deepStrictEqual(registry.takeQuestions(), [child]);
  deepStrictEqual(registry.takeQuestions(), []);
  strictEqual(child.reply("the left one"), "answered");
  await child.ended;
  strictEqual(child.facts().state, "success");
  strictEqual(child.reply("more"), "ended");
});

Deno.test("a call of a child is asked for by its name, and notes say whose they are", async () => {
  const approval = {
    type: "approval",
    id: 4,
    question: { callId: "call_1", tool: "bash", arguments: "{}", reason: "it removes" },
  };
  const { registry, notes } = registryOf(
    `read -r task; ${line(approval)}; read -r said; ${
      line({ type: "note", line: "told", alarm: false })
    }; case $said in *decision*deny*) ${line(DONE)};; esac`,
  );
  await using _registry = registry;
  const child = await started(registry, { ...REQUEST, description: "tidy" });
  await child.ended;
  strictEqual(child.facts().state, "success");
  deepStrictEqual(notes, ["c7: told"]);
});

Deno.test("so many work at once, the others wait, and one that waits can be cancelled", async () => {
  const { registry, prepared } = registryOf("cat >/dev/null", { maxAtOnce: 2, stopGraceMs: 1 });
  await using _registry = registry;
  const children = [];
  for (let n = 0; n < 4; n++) children.push(await started(registry));
  deepStrictEqual(children.map((child) => child.facts().state), [
    ...["running", "running", "queued", "queued"],
  ]);
  await children[2]?.cancel();
  strictEqual(prepared(), 2);
  await children[0]?.cancel();
  deepStrictEqual(children.map((child) => child.facts().state), [
    ...["cancelled", "running", "cancelled", "running"],
  ]);
});

Deno.test("a model in a loop cannot fill the machine, nor start anything at the end", async () => {
  const { registry } = registryOf("cat >/dev/null", { maxAtOnce: 1, stopGraceMs: 1 });
  for (let n = 0; n < MAX_UNFINISHED; n++) await started(registry);
  const over = await registry.start(REQUEST);
  match(over.ok ? "" : over.problem, /^Cannot start a sub-agent: 250 are not finished yet$/);
  await registry[Symbol.asyncDispose]();
  const late = await registry.start(REQUEST);
  match(late.ok ? "" : late.problem, /^Cannot start a sub-agent: the session ends$/);
  strictEqual(registry.takeEnded().length, MAX_UNFINISHED);
});
