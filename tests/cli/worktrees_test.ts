import { deepStrictEqual, doesNotMatch, match } from "node:assert/strict";
import { createWorktrees } from "../../agent/worktrees/worktrees.ts";
import { canConfine } from "../helpers/confined.ts";
import { calling, HEADLESS, newWorld } from "../helpers/cordon.ts";
import { git, makeRepository } from "../helpers/git.ts";
import { hasProgram } from "../helpers/has_program.ts";

const ignore = !(await canConfine()) || !(await hasProgram("git"));

Deno.test({
  name: "an agent works and commits in a worktree, inside a view that shows its repository",
  ignore,
  async fn() {
    await using world = await newWorld({ "a.txt": "a\n" });
    await makeRepository(world.work);
    await Deno.writeTextFile(`${world.work}/a.txt`, "dirty\n");
    const state = world.join("home/.local/state/cordon");
    await Deno.mkdir(`${state}/sessions`, { recursive: true });
    await Deno.writeTextFile(`${state}/sessions/one.jsonl`, "");
    using worktrees = createWorktrees({
      ...{ workspace: world.work, state, session: "one" },
      environment: { PATH: Deno.env.get("PATH") ?? "" },
    });
    const worktree = await worktrees.open("task");
    const commit = "git -c user.name=n -c user.email=e@x commit -qm 'by the agent'";
    const model = await world.script(
      calling("bash", { command: `cat a.txt; echo b >b.txt; git add -A; ${commit}; git log -1` }),
      // What git obeys stays out of reach, as in the workspace itself.
      calling("bash", { command: "git config core.pager evil; echo $?" }),
      { text: "Done." },
    );
    const run = await world.run([...HEADLESS, "-m", model, "-C", worktree.path, "do it"]);
    deepStrictEqual(run.code, 0, run.stderr);
    const [first, second] = run.events.filter(({ type }) => type === "tool_result");
    match(first?.text, /^dirty\n/);
    match(first?.text, /by the agent/);
    doesNotMatch(second?.text, /^0$/m);
    doesNotMatch(run.stderr, /git has no history/);

    const patch = await worktree.changes();
    deepStrictEqual(patch.commits.map((line) => line.replace(/^\S+ /, "")), ["by the agent"]);
    deepStrictEqual(await worktree.mergeBack(patch), { ok: true, changed: ["b.txt"] });
    deepStrictEqual(await worktree.close(), { branch: "cordon/task" });
    deepStrictEqual(await git(world.work, "status", "--porcelain"), " M a.txt\n?? b.txt");
  },
});
