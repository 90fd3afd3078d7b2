import { doesNotMatch, match, strictEqual } from "node:assert/strict";
import { canConfine } from "../helpers/confined.ts";
import { calling, HEADLESS, newWorld, resultText, type World } from "../helpers/cordon.ts";
import { git, makeRepository } from "../helpers/git.ts";
import { hasTerminal } from "../helpers/terminal.ts";

const VIEW = await canConfine();

/** A world with a linked worktree of `repo` in `linked`. */
async function linkedWorld(): Promise<World & { readonly linked: string }> {
  const world = await newWorld();
  const repository = world.join("repo");
  await Deno.mkdir(repository);
  await makeRepository(repository);
  const linked = world.join("linked");
  await git(repository, "worktree", "add", "-q", linked);
  return Object.assign(world, { linked });
}

/** Commits in the linked worktree by a call of the model; what the call gave. */
async function commit(world: World & { readonly linked: string }) {
  const command =
    "git -c user.name=m -c user.email=m@m commit -q --allow-empty -m 'by the model' && git log --format=%s";
  const model = await world.script(calling("bash", { command }), { text: "done" });
  const run = await world.run([...HEADLESS, "-m", model, "commit"], { cwd: world.linked });
  return { stderr: run.stderr, said: resultText(run) };
}

Deno.test("a linked worktree has git once its person trusts it, and no longer (needs a view)", {
  ignore: !VIEW,
}, async () => {
  await using world = await linkedWorld();
  const before = await commit(world);
  match(before.said, /not a git repository/);
  match(before.stderr, /git has no history here until you agree to it, by: cordon trust$/m);
  const trusted = await world.run(["trust"], { cwd: world.linked });
  match(trusted.stdout, /^Git store that commands there may use: \S+repo\/\.git$/m);
  const after = await commit(world);
  match(after.said, /^by the model\nfirst\b/);
  doesNotMatch(after.stderr, /git has no history/);
  strictEqual((await world.run(["untrust"], { cwd: world.linked })).code, 0);
  match((await commit(world)).said, /not a git repository/);
});

Deno.test("a person is asked once for the git store of a linked worktree (needs a view)", {
  ignore: !VIEW || !await hasTerminal(),
}, async (t) => {
  const question = "Let commands use it? [y/N] ";
  for (const [answer, said] of [["y", /^by the model/], ["n", /not a git repository/]] as const) {
    await t.step(answer, async () => {
      await using world = await linkedWorld();
      const model = await world.script({ text: "Hello" });
      const start = () =>
        world.start(["-m", model, "hi"], {
          ...{ cwd: world.linked, terminal: true, env: { NO_COLOR: "1" } },
        });
      const first = await start();
      await first.saw("it lies outside the workspace");
      await first.saw(question);
      await first.write(`${answer}\r`);
      await first.saw("Hello");
      await first.saw("> ");
      await first.write("\x04");
      await first.ended;
      const second = await start();
      await second.saw("Hello");
      await second.saw("> ");
      await second.write("\x04");
      strictEqual((await second.ended).stdout.includes(question), false);
      match((await commit(world)).said, said);
    });
  }
});
