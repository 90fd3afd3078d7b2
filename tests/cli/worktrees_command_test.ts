import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { createSession } from "../../agent/session/log.ts";
import { createWorktrees } from "../../agent/worktrees/worktrees.ts";
import { newWorld, type World } from "../helpers/cordon.ts";
import { hasTerminal } from "../helpers/terminal.ts";

/** Leaves a worktree "task" of a session that has ended, in which a.txt was changed. */
async function leaveWorktree(world: World): Promise<void> {
  const state = world.join("home/.local/state/cordon");
  const session = await createSession({
    ...{ folder: join(state, "sessions"), cwd: world.work, version: "0" },
    now: () => new Date(),
    random: () => "abcd",
  });
  await session.append({ type: "user", content: [{ type: "text", text: "start one" }] });
  await session.close("done");
  using worktrees = createWorktrees({
    ...{ workspace: world.work, state, session: session.id },
    environment: { PATH: Deno.env.get("PATH") ?? "" },
  });
  const worktree = await worktrees.open("task");
  await Deno.writeTextFile(join(worktree.path, "a.txt"), "theirs\n");
  await worktree.close();
}

Deno.test({
  name: "cordon worktrees merge asks at a terminal, and cordon undo takes it back",
  ignore: !await hasTerminal(),
  async fn(t) {
    await using world = await newWorld({ "a.txt": "a\n" });
    await leaveWorktree(world);
    const read = () => Deno.readTextFile(join(world.work, "a.txt"));
    for (const [answer, code, text] of [["n", 1, "a\n"], ["y", 0, "theirs\n"]] as const) {
      await t.step(answer, async () => {
        const running = await world.start(["worktrees", "merge", "task"], { terminal: true });
        await running.saw("theirs");
        await running.saw("Bring the work of task into the workspace? [y/N] ");
        await running.write(`${answer}\r`);
        const run = await running.ended;
        deepStrictEqual([run.code, await read()], [code, text], run.stdout);
      });
    }
    await t.step("undo", async () => {
      const run = await world.run(["undo"]);
      match(run.stdout, /^ {2}"cordon worktrees merge task"\n {2}restore {2}a\.txt$/m);
      strictEqual(await read(), "a\n");
    });
  },
});

Deno.test("cordon doctor says how many worktrees are kept, and in what room", async () => {
  await using world = await newWorld({ "a.txt": "a\n" });
  const told = async () => {
    const { stdout } = await world.run(["doctor", "-m", "scripted:x"]);
    return stdout.split("\n").find((line) => line.includes(" worktrees: "));
  };
  strictEqual(await told(), "ok    worktrees: none is kept");
  await leaveWorktree(world);
  const folder = world.join("home/.local/state/cordon-worktrees");
  strictEqual(
    await told(),
    `ok    worktrees: 1 kept, 1 MiB in ${folder}: cordon worktrees --all`,
  );
});
