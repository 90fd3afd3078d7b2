import { deepStrictEqual } from "node:assert/strict";
import { join } from "node:path";
import { hasProgram } from "../../helpers/has_program.ts";
import { snapshot } from "../../helpers/snapshot.ts";
import { undoWorld } from "../../helpers/undo_world.ts";

const REPOSITORY = `
  git init -q -b main
  git config user.name test && git config user.email test@example.invalid
  printf 'out\\n' > .gitignore
  for name in kept staged stashed changed removed; do echo one > $name; done
  git add -A && git commit -q -m one
  echo stashed > stashed && git stash -q
  echo staged > staged && git add staged
  echo changed > changed && rm removed && echo new > untracked
`;

Deno.test({
  name: "index, stash, HEAD and every other file of git stay as they are",
  ignore: !await hasProgram("git"),
  async fn() {
    await using world = await undoWorld();
    await world.shell(REPOSITORY);
    const git = join(world.workspace, ".git");
    const session = await world.newSession();
    const [old, repository, status] = [await world.files(), await snapshot(git), await statusOf()];
    await session.task(() =>
      world.shell("echo two >> kept; echo two > staged; rm untracked; mkdir n; touch n/f")
    );
    deepStrictEqual(await snapshot(git), repository);
    await session.undo();
    deepStrictEqual([await world.files(), await snapshot(git)], [old, repository]);
    deepStrictEqual(await statusOf(), status);

    async function statusOf(): Promise<string> {
      const { stdout } = await new Deno.Command("git", {
        // Without locks git does not refresh the index on the way.
        args: ["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--show-stash"],
        cwd: world.workspace,
        env: { PATH: Deno.env.get("PATH") ?? "", HOME: world.workspace },
        clearEnv: true,
      }).output();
      return new TextDecoder().decode(stdout);
    }
  },
});

Deno.test({
  name: "a commit that a task made stays; the files go back",
  ignore: !await hasProgram("git"),
  async fn() {
    await using world = await undoWorld();
    await world.shell(REPOSITORY);
    const session = await world.newSession();
    const old = await world.files();
    await session.task(() => world.shell("echo two > kept; git commit -q -am two"));
    const repository = await snapshot(join(world.workspace, ".git"));
    await session.undo();
    deepStrictEqual(await world.files(), old);
    deepStrictEqual(await snapshot(join(world.workspace, ".git")), repository);
  },
});
