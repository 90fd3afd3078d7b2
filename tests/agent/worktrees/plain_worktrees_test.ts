import { deepStrictEqual, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { storeFolder } from "../../../agent/snapshots/snapshot_store.ts";
import { createWorktrees } from "../../../agent/worktrees/worktrees.ts";
import { canMount, tinyDisk } from "../../helpers/tiny_disk.ts";
import { workspaceState } from "../../helpers/workspace_state.ts";
import { nineLines, worktreeWorld } from "../../helpers/worktree_world.ts";

Deno.test("plain worktrees: a folder without git is copied, and merged in the same way", async () => {
  await using world = await worktreeWorld("plain", {
    "a.txt": nineLines(),
    "dir/b.txt": "b\n",
    "empty/": "",
    "node_modules/x/index.js": "x\n",
  });
  const { workspace } = world;
  await Deno.symlink("dir", join(workspace, "link"));
  await Deno.chmod(join(workspace, "dir/b.txt"), 0o640);
  const worktree = await world.worktrees.open("task");
  deepStrictEqual(worktree.branch, undefined);
  deepStrictEqual(worktree.leftOut.map(({ path }) => path), ["node_modules"]);
  const { "node_modules": _a, "node_modules/x": _b, "node_modules/x/index.js": _c, ...rest } =
    await workspaceState(workspace);
  deepStrictEqual(await workspaceState(worktree.path), rest);

  await Deno.writeTextFile(join(worktree.path, "a.txt"), nineLines({ 1: "theirs" }));
  await Deno.rename(join(worktree.path, "dir/b.txt"), join(worktree.path, "dir/c.txt"));
  await world.write("a.txt", nineLines({ 9: "ours" }));
  const patch = await worktree.changes();
  deepStrictEqual(patch.commits, []);
  deepStrictEqual((await worktree.mergeBack(patch)).ok, true);
  deepStrictEqual(await world.read("a.txt"), nineLines({ 1: "theirs", 9: "ours" }));
  deepStrictEqual([...Deno.readDirSync(join(workspace, "dir"))].map(({ name }) => name), ["c.txt"]);
  deepStrictEqual(await worktree.close(), {});
  await rejects(Deno.stat(worktree.path), Deno.errors.NotFound);
});

Deno.test("plain worktrees: a patch lands as it was shown, whatever was done since", async () => {
  await using world = await worktreeWorld("plain", { "a.txt": "a\n" });
  const worktree = await world.worktrees.open("task");
  await Deno.writeTextFile(join(worktree.path, "a.txt"), "shown\n");
  const patch = await worktree.changes();
  await Deno.writeTextFile(join(worktree.path, "a.txt"), "slipped in\n");
  await Deno.writeTextFile(join(worktree.path, "more.txt"), "slipped in\n");
  deepStrictEqual(await worktree.mergeBack(patch), { ok: true, changed: ["a.txt"] });
  deepStrictEqual(await world.read("a.txt"), "shown\n");
  await rejects(Deno.stat(join(world.workspace, "more.txt")), Deno.errors.NotFound);
  // What did not land keeps it, and can land later.
  const { why } = await worktree.close();
  match(why ?? "", /did not land: a\.txt, more\.txt$/);
});

Deno.test("plain worktrees: a link in the way leads nothing out of the workspace", async () => {
  await using world = await worktreeWorld("plain", { "dir/a.txt": "a\n", "b.txt": "b\n" });
  const { workspace, dir } = world;
  await Deno.mkdir(dir.join("outside"));
  await Deno.writeTextFile(dir.join("outside/a.txt"), "a\n");
  const worktree = await world.worktrees.open("task");
  await Deno.writeTextFile(join(worktree.path, "dir/a.txt"), "theirs\n");
  await Deno.writeTextFile(join(worktree.path, "dir/new.txt"), "theirs\n");
  const patch = await worktree.changes();
  await Deno.remove(join(workspace, "dir"), { recursive: true });
  await Deno.symlink("../outside", join(workspace, "dir"));
  deepStrictEqual((await worktree.mergeBack(patch)).ok, false);
  deepStrictEqual([...Deno.readDirSync(dir.join("outside"))].map(({ name }) => name), ["a.txt"]);
  deepStrictEqual(await Deno.readTextFile(dir.join("outside/a.txt")), "a\n");
});

Deno.test("plain worktrees: large files come along, and a change of one keeps the worktree", async () => {
  await using world = await worktreeWorld("plain", { "a.txt": "a\n" });
  using file = await Deno.open(join(world.workspace, "large"), { write: true, create: true });
  await file.truncate(33 * 1024 * 1024);
  const worktree = await world.worktrees.open("task");
  deepStrictEqual((await Deno.stat(join(worktree.path, "large"))).size, 33 * 1024 * 1024);
  deepStrictEqual((await worktree.changes()).aside, []);
  await Deno.writeTextFile(join(worktree.path, "large"), "end", { append: true });
  const { aside } = await worktree.changes();
  deepStrictEqual(aside.map(({ path }) => path), ["large"]);
  match((await worktree.close()).why ?? "", /do not land: large$/);
});

Deno.test("plain worktrees: a long diff is cut at a line, and all files are named", async () => {
  await using world = await worktreeWorld("plain", {});
  const worktree = await world.worktrees.open("task");
  const long = "a line that is neither short nor long\n".repeat(5_000);
  for (const name of ["one", "two", "three"]) {
    await Deno.writeTextFile(join(worktree.path, name), long);
  }
  const { text, files } = await worktree.changes();
  ok(text.length < 300_000);
  match(text, /long\n\[the rest of the diff is not shown\]\n$/);
  deepStrictEqual(files.map(({ path }) => path).sort(), ["one", "three", "two"]);
});

Deno.test("plain worktrees: names that git and paths do not like", async () => {
  await using world = await worktreeWorld("plain", { "a": "" });
  const names = ["", "..", "-rf", "a/b", "ünï", "x".repeat(200), "@{u}", "a.lock", "\n", "日本"];
  const made = [];
  for (const name of names) {
    const worktree = await world.worktrees.open(name);
    match(worktree.name, /^[A-Za-z0-9][A-Za-z0-9_-]{0,43}$/);
    made.push(worktree);
  }
  deepStrictEqual(new Set(made.map(({ path }) => path)).size, names.length);
  for (const worktree of made) deepStrictEqual(await worktree.close(), {});
});

Deno.test("plain worktrees: one is made while another is found again, from one store", async () => {
  await using world = await worktreeWorld("plain", { "a.txt": "a\n" });
  const first = await world.worktrees.open("first");
  await Deno.writeTextFile(join(first.path, "a.txt"), "b\n");
  deepStrictEqual((await first.close()).path, first.path);
  world.worktrees[Symbol.dispose]();
  {
    using worktrees = world.another();
    const [made, found] = await Promise.all([worktrees.open("second"), worktrees.reopen("first")]);
    deepStrictEqual([made.name, found.name], ["second", "first"]);
    for (const worktree of [made, found]) deepStrictEqual(await worktree.discard(), {});
  }
  // Whoever has a store open keeps others from cleaning it; now nobody has.
  const store = storeFolder(world.dir.join("state"), world.workspace);
  using lock = await Deno.open(join(store, "lock"), { write: true });
  ok(await lock.tryLock(true));
});

Deno.test("plain worktrees: a state folder inside the workspace makes none", async () => {
  await using world = await worktreeWorld("plain", { "a.txt": "a\n", "own/sessions/x.jsonl": "" });
  using worktrees = createWorktrees({
    workspace: world.workspace,
    state: join(world.workspace, "own"),
    session: "x",
    environment: {},
  });
  await rejects(worktrees.open("task"), {
    name: "WorktreeError",
    message: /the state folder lies in the workspace, keep it elsewhere, by --state DIR$/,
  });
  deepStrictEqual([...Deno.readDirSync(world.workspace)].length, 2);
});

Deno.test({
  name: "plain worktrees: on a full disk none is made, and nothing of it stays",
  ignore: !(await canMount()),
  async fn() {
    await using disk = await tinyDisk();
    await using world = await worktreeWorld("plain", { "a.txt": "x".repeat(40_000) });
    await Deno.mkdir(disk.join("state/sessions"), { recursive: true });
    await Deno.writeTextFile(disk.join("state/sessions/x.jsonl"), "");
    using worktrees = createWorktrees({
      workspace: world.workspace,
      state: disk.join("state"),
      session: "x",
      environment: {},
    });
    await rejects(worktrees.open("task"), {
      name: "WorktreeError",
      message: /^Cannot make a worktree "task": /,
    });
    deepStrictEqual(worktrees.leftOver(), []);
  },
});
