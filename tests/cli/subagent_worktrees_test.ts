import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type CordonRun, eventsOf } from "../helpers/cordon.ts";
import { canConfine } from "../helpers/confined.ts";
import { type Family, newFamily, says, textsOf } from "../helpers/family.ts";
import { git, makeRepository } from "../helpers/git.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { gone, processesWith } from "../helpers/processes.ts";
import type { Said } from "../helpers/model_streams.ts";

const ignore = !(await canConfine()) || !(await hasProgram("git"));

/** The value of the last result of a tool. */
// deno-lint-ignore no-explicit-any -- values of many shapes are looked into by hand
function valueOf(run: CordonRun, tool: string): any {
  return eventsOf(run, "tool_result").filter(({ name }) => name === tool).at(-1)?.value;
}

/** A sub-agent that works in a worktree. */
function apart(command: string, more: Readonly<Record<string, unknown>> = {}): Said {
  return says("subagent", { prompt: command, role: "implement", isolation: "worktree", ...more });
}

/** Does what its prompt says by the shell, then ends. */
function obedient(prompt: string, turn: number): Said {
  return turn === 0 ? says("bash", { command: prompt }) : { text: `did: ${prompt}` };
}

const WAIT = says("subagent_wait", {});

async function readWork({ world }: Family, name: string): Promise<string> {
  return await Deno.readTextFile(`${world.work}/${name}`);
}

Deno.test({
  name: "a sub-agent works in a worktree with what is not committed, and its work comes back",
  ignore,
  async fn() {
    await using family = await newFamily({
      parent: [
        apart("cat a.txt new.txt >b.txt; rm c.txt; pwd >&2", { description: "join them" }),
        WAIT,
        { text: "." },
      ],
      child: (prompt, turn, request) =>
        turn === 0 ? says("bash", { command: prompt }) : { text: textsOf(request).at(-1) ?? "" },
    }, { "a.txt": "a\n", "c.txt": "c\n" });
    const { world } = family;
    await makeRepository(world.work);
    await Deno.writeTextFile(`${world.work}/a.txt`, "dirty\n");
    await Deno.writeTextFile(`${world.work}/new.txt`, "untracked\n");
    const run = await family.run();
    const [child] = valueOf(run, "subagent_wait").children;
    deepStrictEqual([child.state, child.worktree], [
      "success",
      { landed: 2, paths: ["c.txt", "b.txt"] },
    ], run.stdout);
    match(child.result.text, /cordon-worktrees\/.*\/c1-join-them\/checkout\/work/);
    strictEqual(await readWork(family, "b.txt"), "dirty\nuntracked\n");
    deepStrictEqual(
      (await git(world.work, "status", "--porcelain")).split("\n"),
      [" M a.txt", " D c.txt", "?? b.txt", "?? new.txt"],
    );
    // Nothing is left of it, and it can be undone as the work of its task.
    strictEqual(await git(world.work, "branch", "--list", "cordon/*"), "");
    strictEqual((await world.run(["undo"])).code, 0);
    strictEqual(await readWork(family, "c.txt"), "c\n");
  },
});

Deno.test({
  name: "conflicts touch nothing, are told with the diff, and the work stays; so does what failed",
  ignore,
  async fn() {
    await using family = await newFamily({
      parent: [
        says("subagent_batch", {
          tasks: [
            { prompt: "echo one >a.txt", role: "implement", isolation: "worktree" },
            { prompt: "echo two >a.txt", role: "implement", isolation: "worktree" },
            { prompt: "echo no >d.txt", role: "implement", isolation: "worktree" },
          ],
        }),
        { text: "." },
      ],
      child: (prompt, turn) => {
        if (turn > 0 && prompt.includes("no")) return { status: 400, body: {} };
        return obedient(prompt, turn);
      },
    }, { "a.txt": "a\n" });
    await makeRepository(family.world.work);
    const run = await family.run();
    const { children } = valueOf(run, "subagent_batch");
    const [landed, conflict] = children[0].worktree.landed === 1
      ? [children[0], children[1]]
      : [children[1], children[0]];
    strictEqual(landed.worktree.landed, 1, run.stdout);
    const [, stays = ""] = /\/(c\d)\/checkout\//.exec(conflict.worktree.kept.path) ?? [];
    ok(run.stderr.includes(`${stays}: its work stays, see cordon worktrees show ${stays}\n`));
    strictEqual((await family.world.run(["worktrees", "show", stays])).code, 0);
    deepStrictEqual([conflict.state, conflict.worktree.landed], ["success", 0]);
    deepStrictEqual(conflict.worktree.conflicts.map(({ path }: { path: string }) => path), [
      "a.txt",
    ]);
    match(conflict.worktree.diff, /^-a\n\+(one|two)$/m);
    match(conflict.worktree.branch, /^cordon\/c[123]$/);
    strictEqual(
      await Deno.readTextFile(`${conflict.worktree.kept.path}/a.txt`) ===
        await readWork(family, "a.txt"),
      false,
    );
    const failed = children[2];
    deepStrictEqual([failed.state, failed.worktree.problem], ["failure", "it did not succeed"]);
    strictEqual(await Deno.readTextFile(`${failed.worktree.kept.path}/d.txt`), "no\n");
    const [result] = eventsOf(run, "tool_result").filter(({ name }) => name === "subagent_batch");
    match(
      result?.text,
      /\[worktree kept: .*, branch cordon\/c\d; it has changes that did not land: d\.txt\]/,
    );
  },
});

Deno.test({
  name: "what was left by a crash is named, once",
  ignore,
  async fn() {
    const seconds = `600.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    await using family = await newFamily({
      parent: [apart("x"), WAIT, { text: "." }, { text: "." }],
      child: (_, turn) =>
        says("bash", {
          command: turn === 0 ? "echo half >a.txt" : `sleep ${seconds}`,
          timeout_ms: 600_000,
        }),
    }, { "a.txt": "a\n" });
    await makeRepository(family.world.work);
    const running = await family.start(["-p", "--output-format=stream-json", "--deltas", "do it"]);
    await running.saw("last: bash sleep");
    running.kill("SIGKILL");
    await running.ended;
    await gone(await processesWith(seconds));
    for (const _ of ["told", "not told again"]) {
      await family.run(["-c"]);
      const said = textsOf(family.requests.parent.at(-1)!).join("\n");
      const told = said.match(
        /\[what sub-agent c1, which is lost, left behind\]\n.*\n\[worktree kept: .*\/c1\/.*a\.txt\]/g,
      );
      strictEqual(told?.length, 1, said);
      const [, path = ""] = /\[worktree kept: ([^,]*)/.exec(said) ?? [];
      strictEqual(await Deno.readTextFile(`${path}/a.txt`), "half\n");
    }
    strictEqual(await readWork(family, "a.txt"), "a\n");
  },
});

Deno.test("without a log there are no worktrees", async () => {
  await using family = await newFamily({
    parent: [apart("x"), { text: "." }],
    child: () => ({ text: "never asked" }),
  });
  const run = await family.run(["--no-session"]);
  match(eventsOf(run, "tool_result")[0]?.text, /^Error: Cannot isolate a sub-agent.* keeps no log/);
  deepStrictEqual(family.requests.child, []);
});
