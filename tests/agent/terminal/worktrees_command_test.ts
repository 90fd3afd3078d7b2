import { deepStrictEqual, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { parseCommandLine, UsageError } from "../../../agent/command_line/parse.ts";
import { createSession, openSession } from "../../../agent/session/log.ts";
import { StateError } from "../../../agent/state_error.ts";
import { runWorktrees } from "../../../agent/terminal/worktrees_command.ts";
import type { Worktree } from "../../../agent/worktrees/worktree.ts";
import { git } from "../../helpers/git.ts";
import { hasProgram } from "../../helpers/has_program.ts";
import { quietHost } from "../../helpers/quiet_host.ts";
import { canMount, tinyDisk } from "../../helpers/tiny_disk.ts";
import { nineLines, type WorktreeWorld, worktreeWorld } from "../../helpers/worktree_world.ts";

const ignore = !(await hasProgram("git"));

/** A world whose worktrees are of a session that has ended, and the command in it. */
async function newWorld(kind: "git" | "plain", files: Readonly<Record<string, string>>) {
  const world = await worktreeWorld(kind, files);
  const sessions = world.dir.join("state/sessions");
  const session = await createSession({
    ...{ folder: sessions, cwd: world.workspace, version: "0" },
    now: () => new Date(),
    random: () => "abcd",
  });
  await session.close("done");
  return {
    ...world,
    id: session.id,
    worktrees: world.another(session.id),
    openSession: () => openSession({ folder: sessions, id: session.id, now: () => new Date() }),
    run: (...args: string[]) => run(world, args),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Runs the command without a terminal: its exit code, and what it says. */
async function run({ workspace, dir }: WorktreeWorld, args: readonly string[]) {
  const { host, said } = quietHost(workspace);
  const line = ["worktrees", ...args, `--state=${dir.join("state")}`];
  const code = await runWorktrees(parseCommandLine(line), host);
  return { code, ...said };
}

/** Leaves a worktree with work in it. */
async function leave(worktree: Worktree, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(worktree.path, name), text);
  }
  await worktree.close();
  return worktree.path;
}

for (const kind of ["git", "plain"] as const) {
  Deno.test({
    name: `worktrees: what was left is listed, shown, merged and gone (${kind})`,
    ignore: kind === "git" && ignore,
    async fn() {
      await using world = await newWorld(kind, { "a.txt": nineLines() });
      const { run, worktrees, id: session } = world;
      deepStrictEqual(await run(), { code: 0, stdout: "No worktree is kept here\n", stderr: "" });
      const path = await leave(await worktrees.open("fix it"), {
        "a.txt": nineLines({ 1: "theirs" }),
        "日本 語.txt": "new\n",
      });
      await world.write("a.txt", nineLines({ 9: "ours" }));

      const listed = (await run()).stdout;
      match(listed, /^fix-it {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}kept {2}2 changed\n/);
      ok(
        listed.includes(`\n    ${path}, ${kind === "git" ? "branch cordon/fix-it, " : ""}session`),
      );
      const { worktrees: [json] } = JSON.parse((await run("--output-format=json")).stdout);
      deepStrictEqual([json.id, json.path, json.standing, json.session, json.workspace], [
        ...["fix-it", path, "kept", session, world.workspace],
      ]);
      deepStrictEqual(json.files.map(({ path }: { path: string }) => path), [
        "a.txt",
        "日本 語.txt",
      ]);

      const { stdout: shown } = await run("show", "fix");
      match(shown, /^-1\n\+theirs$/m);
      await rejects(run("merge", "fix-it"), /nobody can be asked here, say --yes$/);
      deepStrictEqual(await world.read("a.txt"), nineLines({ 9: "ours" }));
      const merged = await run("merge", "fix-it", "--yes");
      deepStrictEqual([merged.code, merged.stderr], [0, ""]);
      ok(merged.stdout.startsWith(shown));
      match(merged.stdout, /\n2 paths of the workspace changed by fix-it\nfix-it is removed\n$/);
      deepStrictEqual(await world.read("a.txt"), nineLines({ 1: "theirs", 9: "ours" }));
      deepStrictEqual((await run()).stdout, "No worktree is kept here\n");
    },
  });
}

Deno.test("worktrees: a diff that is shown is one that git applies", { ignore }, async () => {
  await using world = await newWorld("git", { "a.txt": "a\n", "gone.txt": "x\n" });
  const worktree = await world.worktrees.open("task");
  await Deno.remove(join(worktree.path, "gone.txt"));
  await git(worktree.path, "commit", "-q", "--allow-empty", "-m", "one");
  await leave(worktree, { "a.txt": "b\n", "new.txt": "n\n" });
  const { stdout } = await world.run("show", "task");
  match(stdout, /^commit [0-9a-f]+ one\n---/);
  await Deno.writeTextFile(world.dir.join("patch"), stdout);
  await git(world.workspace, "apply", world.dir.join("patch"));
  deepStrictEqual([await world.read("a.txt"), await world.read("new.txt")], ["b\n", "n\n"]);
  // All of it is somewhere else now, though nobody merged it; its commit stays on its branch.
  const removed = await world.run("remove", "task");
  deepStrictEqual(removed, {
    ...{ code: 0, stderr: "" },
    stdout: "task is removed; its commits are on branch cordon/task\n",
  });
  match((await world.run()).stdout, /^Branches that keep commits of others: cordon\/task$/m);
});

Deno.test("worktrees: conflicts touch nothing, and the work stays", async () => {
  await using world = await newWorld("plain", { "a.txt": "a\n" });
  const path = await leave(await world.worktrees.open("task"), { "a.txt": "theirs\n", b: "b\n" });
  await world.write("a.txt", "ours\n");
  const { code, stdout } = await world.run("merge", "task", "--yes");
  deepStrictEqual(code, 1);
  match(stdout, /\nNothing was touched: both sides changed the same\n {2}a\.txt: both .*line 1/);
  match(stdout, /\ntask stays in .*: it has changes that did not land: a\.txt, b\n$/);
  deepStrictEqual(await world.read("a.txt"), "ours\n");
  deepStrictEqual(await Deno.readTextFile(join(path, "a.txt")), "theirs\n");
});

Deno.test({
  name: "worktrees: what a full disk keeps out is named, and stays",
  ignore: !(await canMount()),
  async fn() {
    await using world = await newWorld("plain", {});
    await using disk = await tinyDisk();
    const there = (...args: string[]) => run({ ...world, workspace: disk.path }, args);
    const path = await leave(await world.another(world.id, disk.path).open("task"), {
      "large.bin": "x".repeat(60_000),
      "small.txt": "y\n",
    });
    const { code, stdout } = await there("merge", "task", "--yes");
    deepStrictEqual(code, 1);
    match(
      stdout,
      /^Only a part of task could be brought, 1 path changed\n {2}large\.bin: No space/m,
    );
    match(stdout, /^task stays in .*: it has changes that did not land: large\.bin$/m);
    deepStrictEqual(await Deno.readTextFile(disk.join("small.txt")), "y\n");
    await Deno.remove(disk.join("ballast"));
    match((await there("merge", "task", "--yes")).stdout, /^task is removed$/m);
    deepStrictEqual((await Deno.stat(disk.join("large.bin"))).size, 60_000);
    await rejects(Deno.stat(path), Deno.errors.NotFound);
  },
});

Deno.test("worktrees: what has work in it goes by --force and its whole name alone", async () => {
  await using world = await newWorld("plain", { "a.txt": "a\n" });
  const path = await leave(await world.worktrees.open("task"), { "a.txt": "theirs\n" });
  const kept = await world.run("remove", "task");
  deepStrictEqual(kept.code, 1);
  match(kept.stdout, /^task stays in .*did not land: a\.txt\nIts work goes with it by --force\n$/);
  await rejects(world.run("remove", "tas", "--force"), UsageError);
  deepStrictEqual(await Deno.readTextFile(join(path, "a.txt")), "theirs\n");
  deepStrictEqual((await world.run("remove", "task", "--force")).stdout, "task is removed\n");
  await rejects(Deno.stat(path), Deno.errors.NotFound);
});

Deno.test("worktrees: what is somebody's is told and not touched", async (t) => {
  await using world = await newWorld("plain", { "a.txt": "a\n" });
  const worktree = await world.worktrees.open("task");
  await Deno.writeTextFile(join(worktree.path, "a.txt"), "theirs\n");
  await t.step("a sub-agent works in it", async () => {
    match((await world.run()).stdout, /^task .* in use$/m);
    for (const verb of ["show", "merge", "remove"]) {
      await rejects(world.run(verb, "task", "--yes", "--force"), /a sub-agent works in it/);
    }
  });
  await worktree.close();
  await t.step("its session runs", async () => {
    const session = await world.openSession();
    match((await world.run()).stdout, /^task .* session runs {2}1 changed$/m);
    match((await world.run("show", "task")).stdout, /^\+theirs$/m);
    for (const verb of ["merge", "remove"]) {
      const again = new RegExp(`its session ${world.id} runs, end that one first$`);
      await rejects(world.run(verb, "task", "--yes", "--force"), again);
    }
    await session.close("done");
    deepStrictEqual((await world.run("merge", "task", "--yes")).code, 0);
  });
});

Deno.test(
  "worktrees: a folder that is gone is nothing that could be merged",
  { ignore },
  async () => {
    await using world = await newWorld("git", { "a.txt": "a\n" });
    const worktree = await world.worktrees.open("task");
    await git(worktree.path, "commit", "-q", "--allow-empty", "-m", "one");
    await Deno.remove(await leave(worktree, { "a.txt": "b\n" }), { recursive: true });
    match((await world.run()).stdout, /^task .* folder gone$/m);
    await rejects(
      world.run("merge", "task", "--yes"),
      (error) => error instanceof StateError && /its folder is gone$/.test(error.message),
    );
    deepStrictEqual(await world.read("a.txt"), "a\n");
    match((await world.run("remove", "task")).stdout, /are on branch cordon\/task$/m);
    deepStrictEqual(await git(world.workspace, "log", "-1", "--format=%s", "cordon/task"), "one");
    deepStrictEqual((await git(world.workspace, "worktree", "list")).split("\n").length, 1);
  },
);

Deno.test(
  "worktrees: a branch that somebody deleted comes back with its commits",
  { ignore },
  async () => {
    await using world = await newWorld("git", { "a.txt": "a\n" });
    const worktree = await world.worktrees.open("task");
    await git(worktree.path, "commit", "-q", "--allow-empty", "-m", "one");
    await leave(worktree, { "a.txt": "b\n" });
    await git(worktree.path, "checkout", "-q", "--detach");
    await git(world.workspace, "branch", "-q", "-D", "cordon/task");
    match((await world.run("show", "task")).stdout, /^commit [0-9a-f]+ one$/m);
    match(
      (await world.run("merge", "task", "--yes")).stdout,
      /its commits are on branch cordon\/task/,
    );
    deepStrictEqual(await git(world.workspace, "log", "-1", "--format=%s", "cordon/task"), "one");
  },
);

Deno.test("worktrees: a workspace that was moved", { ignore }, async () => {
  await using world = await newWorld("git", { "a.txt": "a\n" });
  await leave(await world.worktrees.open("task"), { "a.txt": "theirs\n" });
  const moved = world.dir.join("moved");
  await Deno.rename(world.workspace, moved);
  const there = (...args: string[]) => run({ ...world, workspace: moved }, args);
  deepStrictEqual(
    (await there()).stdout,
    "No worktree is kept here\n1 of other folders: cordon worktrees --all\n",
  );
  match((await there("--all")).stdout, new RegExp(`, of ${world.workspace}$`, "m"));
  match((await there("show", "task", "--all")).stdout, /^\+theirs$/m);
  await rejects(
    there("merge", "task", "--all", "--yes"),
    /it is a copy of ".*\/work", name that by/,
  );
  const kept = await there("remove", "task", "--all");
  match(kept.stdout, /^task stays in .*: git does not answer for the repository it belongs to$/m);
  await Deno.rename(moved, world.workspace);
  deepStrictEqual((await world.run("merge", "task", "--yes")).code, 0);
  deepStrictEqual(await world.read("a.txt"), "theirs\n");
});

Deno.test("worktrees: a record that cannot be read keeps the work, also from later starts", async () => {
  await using world = await newWorld("plain", { "a.txt": "a\n" });
  const path = await leave(await world.worktrees.open("task"), { "a.txt": "theirs\n" });
  const nest = join(path, "../..");
  await Deno.writeTextFile(join(nest, "record.json"), "{");
  await Deno.utime(nest, 1, 1);
  await (await world.worktrees.open("next")).close();
  match((await world.run()).stdout, /^task +no record$/m);
  await rejects(world.run("merge", "task", "--yes"), /nothing tells what it is a copy of/);
  await rejects(world.run("remove", "task"), /nothing tells what it is a copy of/);
  deepStrictEqual(await Deno.readTextFile(join(path, "a.txt")), "theirs\n");
  deepStrictEqual((await world.run("remove", "task", "--force")).stdout, "task is removed\n");
  await rejects(Deno.stat(nest), Deno.errors.NotFound);
});

Deno.test("worktrees: a session that was deleted takes nothing of what they began with", async () => {
  await using world = await newWorld("plain", { "a.txt": nineLines() });
  await leave(await world.worktrees.open("task"), { "a.txt": nineLines({ 1: "theirs" }) });
  world.worktrees[Symbol.dispose]();
  await Deno.remove(world.dir.join(`state/sessions/${world.id}.jsonl`));
  await world.write("a.txt", nineLines({ 9: "ours" }));
  // Whoever opens the store next cleans it.
  await (await world.another("two").open("other")).close();
  const { code, stderr } = await world.run("merge", "task", "--yes");
  deepStrictEqual(code, 0);
  match(stderr, /^warning: cordon undo will not know it: session .* is gone$/m);
  deepStrictEqual(await world.read("a.txt"), nineLines({ 1: "theirs", 9: "ours" }));
});

Deno.test("worktrees: names that act on a terminal do not, and files obeyed unasked are named", async () => {
  await using world = await newWorld("plain", { "a.txt": "a\n" });
  await leave(await world.worktrees.open("task"), { "x\x1b[31my": "x\n", ".envrc": "echo\n" });
  const { stdout } = await world.run("show", "task");
  match(stdout, /^runs or is obeyed unasked: \.envrc: /m);
  const path = world.dir.join("state-worktrees");
  const [nest] = [...Deno.readDirSync(path)].filter(({ isDirectory }) => isDirectory);
  await Deno.writeTextFile(join(path, nest?.name ?? "", "task/checkout/work/b\x1b[31m.log"), "");
  await Deno.writeTextFile(join(path, nest?.name ?? "", "task/checkout/work/.gitignore"), "*.log");
  const beside = (await world.run("show", "task")).stdout;
  match(beside, /^does not land: b\.log: ignore rules hide it$/m);
  ok(!beside.split("\n---")[0]?.includes("\x1b"));
});

Deno.test("worktrees: words that it does not know are refused", async (t) => {
  await using world = await newWorld("plain", { "a.txt": "a\n" });
  for (const name of ["one-a", "one-b"]) {
    await leave(await world.worktrees.open(name), { "a.txt": "theirs\n" });
  }
  const cases: [args: string[], says: RegExp][] = [
    [["delete", "one-a"], /Cannot "delete" worktrees: there are show ID, merge ID and remove ID$/],
    [["toString", "one-a"], /Cannot "toString" worktrees/],
    [["show"], /Cannot show: name one worktree by its id/],
    [["show", "one-a", "one-b"], /Cannot show: name one worktree/],
    [["show", "one"], /"one" is part of 2 worktrees: one-a, one-b$/],
    [["show", "../one-a"], /There is no worktree "\.\.\/one-a"; see cordon worktrees$/],
  ];
  for (const [args, says] of cases) {
    await t.step(
      args.join(" "),
      () =>
        rejects(
          world.run(...args),
          (error) => error instanceof UsageError && says.test(error.message),
        ),
    );
  }
});
