import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { ChildWorktrees } from "../../../agent/children/child_worktrees.ts";
import { CurrentTask } from "../../../agent/children/current_task.ts";
import type { TaskGate } from "../../../agent/children/landing_gate.ts";
import type { Approver, Question } from "../../../agent/gate/approver.ts";
import type { ApprovalMode } from "../../../agent/gate/gate.ts";
import { worktreeWorld } from "../../helpers/worktree_world.ts";

const REQUEST = {
  prompt: "x",
  role: "implement",
  isolation: "worktree",
  limits: { timeoutMs: 600_000 },
  answersQuestions: true,
} as const;

const TENANT = { id: "c1", by: "sub-agent c1 (implement)", request: REQUEST };

function gateOf(mode: ApprovalMode): TaskGate {
  return {
    policy: {
      ...{ mode, confined: true },
      judge: () => Promise.resolve({ kind: "read_only" }),
      // Where the links of a path lead is nothing that anybody obeys.
      obeyed: () => Promise.resolve(undefined),
    },
    approve: () => Promise.reject(new Error("the children have their own")),
    inTurn: () => Promise.reject(new Error("who asks waits for its turn itself")),
    rules: () => [],
    append: () => Promise.resolve(),
    emit() {},
  };
}

/** A child has put `.envrc` into its worktree, and leaves. */
async function leaving(mode: ApprovalMode, approve: Approver) {
  await using world = await worktreeWorld("plain", { "a.txt": "a\n" });
  const gates = new CurrentTask<TaskGate>();
  using worktrees = new ChildWorktrees({
    ...{ gates, approve, workspace: world.workspace, state: world.dir.join("state") },
    ...{ session: "one", environment: { PATH: Deno.env.get("PATH") ?? "" }, note() {} },
  });
  const { signal } = new AbortController();
  const apart = await worktrees.open(TENANT, signal);
  await Deno.writeTextFile(`${apart.path}/.envrc`, "x\n");
  await Deno.writeTextFile(`${apart.path}/a.txt`, "b\n");
  using _task = gates.begin(gateOf(mode));
  const { landing, approvalUnavailable } = await apart.leave(undefined, signal);
  return { landing, approvalUnavailable, text: await world.read("a.txt") };
}

Deno.test("what is obeyed unasked comes back with a yes alone, and then all of it", async (t) => {
  const answers = {
    yes: { decision: "allow", by: "person" },
    no: { decision: "deny", by: "person" },
    nobody: { decision: "unavailable", by: "policy" },
    edit: { decision: "edit", by: "person", arguments: "{}" },
  } as const;
  const cases: readonly [ApprovalMode, keyof typeof answers, asked: boolean, problem: RegExp][] = [
    ["on-escape", "yes", true, /^$/],
    ["on-escape", "no", true, /The person said no \(it writes .*\.envrc, and /],
    ["on-escape", "nobody", true, /needs a person's approval/],
    ["on-escape", "edit", true, /it cannot be changed/],
    ["deny", "yes", false, /--approval deny refuses it/],
    ["all", "no", false, /^$/],
  ];
  for (const [mode, answer, asked, problem] of cases) {
    await t.step(`${mode}, ${answer}`, async () => {
      const questions: Question[] = [];
      const left = await leaving(mode, (question) => {
        questions.push(question);
        return Promise.resolve(answers[answer]);
      });
      const { landing, text, approvalUnavailable } = left;
      match(landing.problem ?? "", problem);
      const landed = landing.problem === undefined;
      deepStrictEqual([landing.landed, text], landed ? [2, "b\n"] : [0, "a\n"]);
      // What does not come back stays, and a no is not told how to get around it.
      deepStrictEqual([landing.kept === undefined, landing.diff], [landed, undefined]);
      strictEqual(approvalUnavailable, answer === "nobody");
      deepStrictEqual(questions.length, asked ? 1 : 0);
      if (!asked) return;
      match(questions[0]?.preview ?? "", /^\+b$/m);
      match(questions[0]?.ask ?? "", /the work of sub-agent c1/);
    });
  }
});

Deno.test("between two tasks work waits, and who is told to end keeps what is there", async () => {
  const told: string[] = [];
  await using world = await worktreeWorld("plain", { "a.txt": "a\n" });
  using worktrees = new ChildWorktrees({
    ...{ gates: new CurrentTask<TaskGate>(), approve: () => Promise.reject(new Error("asked")) },
    ...{ workspace: world.workspace, state: world.dir.join("state") },
    ...{ session: "one", environment: {}, note: (line) => told.push(line) },
  });
  const stop = new AbortController();
  const apart = await worktrees.open(TENANT, stop.signal);
  await Deno.writeTextFile(`${apart.path}/a.txt`, "b\n");
  const left = apart.leave(undefined, stop.signal);
  stop.abort();
  const { landing } = await left;
  strictEqual(landing.kept?.path, apart.path);
  match(landing.problem ?? "", /^it was stopped/);
  deepStrictEqual(told, ["c1: its work stays, see cordon worktrees show c1"]);
  strictEqual(await world.read("a.txt"), "a\n");
});
