import { deepStrictEqual, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { git, makeRepository, tryGit } from "../../helpers/git.ts";
import { hasProgram } from "../../helpers/has_program.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { workspaceState } from "../../helpers/workspace_state.ts";
import { nineLines, type WorktreeWorld, worktreeWorld } from "../../helpers/worktree_world.ts";
import { openGit } from "../../../agent/worktrees/git.ts";
import { WorktreeError } from "../../../agent/worktrees/worktree.ts";
import { createWorktrees } from "../../../agent/worktrees/worktrees.ts";

const ignore = !(await hasProgram("git"));

function gitTest(name: string, fn: () => Promise<void>) {
  Deno.test({ name: `git worktrees: ${name}`, ignore, fn });
}

/** What of a repository is a person's own: where it stands, what is staged, stashed and branched. */
async function personsOwn(folder: string): Promise<unknown> {
  return {
    head: await tryGit(folder, "rev-parse", "HEAD"),
    staged: await git(folder, "ls-files", "--stage", "-v"),
    stash: await tryGit(folder, "rev-parse", "--verify", "refs/stash"),
    branches: await git(folder, "for-each-ref", "--format=%(refname) %(objectname)"),
    status: await git(folder, "status", "--porcelain", "-z"),
    files: await workspaceState(folder),
  };
}

gitTest(
  "hold committed, staged, changed, removed and untracked work, and touch nothing",
  async () => {
    await using world = await worktreeWorld("git", {
      "kept.txt": "kept\n",
      "changed.txt": "old\n",
      "removed.txt": "gone\n",
      "staged.txt": "old\n",
      "run.sh": "#!/bin/sh\n",
      ".gitignore": "*.log\n.env\n",
    });
    const { workspace } = world;
    await world.write("stashed.txt", "in the stash\n");
    await git(workspace, "stash", "push", "-q", "-u");
    await world.write("changed.txt", "new\n");
    await world.write("staged.txt", "staged\n");
    await git(workspace, "add", "staged.txt");
    await world.write("staged.txt", "and changed since\n");
    await Deno.remove(join(workspace, "removed.txt"));
    await Deno.mkdir(join(workspace, "dir"));
    await world.write("dir/un tracked\n'ü.txt", "untracked\n");
    await world.write(".env", "SECRET=1\n");
    await Deno.chmod(join(workspace, "run.sh"), 0o755);
    await Deno.symlink("kept.txt", join(workspace, "link"));
    await Deno.symlink("/nowhere", join(workspace, "dangling"));
    const before = await personsOwn(workspace);

    const worktree = await world.worktrees.open("Fix: the ../ parser!");

    deepStrictEqual(worktree.name, "Fix-the-parser");
    deepStrictEqual(worktree.branch, "cordon/Fix-the-parser");
    deepStrictEqual(await workspaceState(worktree.path), await workspaceState(workspace));
    // All of it is committed on the branch, so that what is done there shows by itself.
    deepStrictEqual(await git(worktree.path, "status", "--porcelain"), "");
    deepStrictEqual(
      await git(worktree.path, "rev-parse", "HEAD^"),
      await git(workspace, "rev-parse", "HEAD"),
    );
    deepStrictEqual(await worktree.close(), {});
    deepStrictEqual(await personsOwn(workspace), before);
    deepStrictEqual((await git(workspace, "worktree", "list")).split("\n").length, 1);
  },
);

gitTest("a clean tree begins with its own commit, and nothing done leaves nothing", async () => {
  await using world = await worktreeWorld("git", { "a.txt": "a\n" });
  const worktree = await world.worktrees.open("look");
  deepStrictEqual(
    await git(worktree.path, "rev-parse", "HEAD"),
    await git(world.workspace, "rev-parse", "HEAD"),
  );
  deepStrictEqual((await worktree.changes()).files, []);
  deepStrictEqual(await worktree.close(), {});
  deepStrictEqual(await git(world.workspace, "branch", "--format=%(refname:short)"), "main");
  deepStrictEqual(world.worktrees.leftOver(), []);
});

gitTest("work lands in three ways, committed or not, and the index stays as it was", async () => {
  await using world = await worktreeWorld("git", {
    "both.txt": nineLines(),
    "theirs.txt": "old\n",
    "old/gone.txt": "x\n",
    "binary": new Uint8Array([0, 1, 2]),
  });
  const { workspace } = world;
  await world.write("both.txt", nineLines({ 1: "dirty" }));
  const worktree = await world.worktrees.open("task");
  const staged = await git(workspace, "ls-files", "--stage");

  await Deno.writeTextFile(join(worktree.path, "both.txt"), nineLines({ 1: "dirty", 9: "theirs" }));
  await git(worktree.path, "commit", "-q", "-a", "-m", "half of it");
  await Deno.writeTextFile(join(worktree.path, "theirs.txt"), "new\n");
  await Deno.chmod(join(worktree.path, "theirs.txt"), 0o755);
  await Deno.remove(join(worktree.path, "old"), { recursive: true });
  await Deno.mkdir(join(worktree.path, "fresh/deep"), { recursive: true });
  await Deno.writeTextFile(join(worktree.path, "fresh/deep/a.txt"), "fresh\n");
  await Deno.writeFile(join(worktree.path, "binary"), new Uint8Array([0, 3]));
  await Deno.symlink("both.txt", join(worktree.path, "link"));
  await world.write("both.txt", nineLines({ 1: "dirtier" }));
  await world.write("ours.txt", "ours\n");

  const patch = await worktree.changes();
  deepStrictEqual(patch.files.map(({ path, change }) => `${change} ${path}`).sort(), [
    "added fresh",
    "added fresh/deep",
    "added fresh/deep/a.txt",
    "added link",
    "changed binary",
    "changed both.txt",
    "changed theirs.txt",
    "removed old",
    "removed old/gone.txt",
  ]);
  deepStrictEqual(patch.commits.map((line) => line.replace(/^\S+ /, "")), ["half of it"]);
  match(patch.text, /-9\n\+theirs\n/);
  ok(!patch.text.includes("dirtier"), "what the workspace did since is no part of it");
  const outcome = await worktree.mergeBack(patch);
  deepStrictEqual(outcome.ok, true);

  deepStrictEqual(await world.read("both.txt"), nineLines({ 1: "dirtier", 9: "theirs" }));
  deepStrictEqual(await world.read("theirs.txt"), "new\n");
  deepStrictEqual(await world.read("fresh/deep/a.txt"), "fresh\n");
  deepStrictEqual(await Deno.readLink(join(workspace, "link")), "both.txt");
  deepStrictEqual(await Deno.readFile(join(workspace, "binary")), new Uint8Array([0, 3]));
  deepStrictEqual((await Deno.stat(join(workspace, "theirs.txt"))).mode! & 0o777, 0o755);
  await rejects(Deno.stat(join(workspace, "old")), Deno.errors.NotFound);
  deepStrictEqual(await git(workspace, "ls-files", "--stage"), staged);

  // Once more is no conflict, and the commit stays on its branch.
  deepStrictEqual(await worktree.mergeBack(patch), { ok: true, changed: [] });
  deepStrictEqual(await worktree.close(), { branch: "cordon/task" });
  deepStrictEqual(await git(workspace, "log", "-1", "--format=%s", "cordon/task"), "half of it");
});

gitTest("conflicts are named with their reason, and nothing is touched", async () => {
  const conflicting: [
    name: string,
    ours: (world: WorktreeWorld, folder: string) => Promise<void>,
    theirs: (folder: string) => Promise<void>,
    why: { path: string; why: RegExp },
  ][] = [
    [
      "the same line",
      (world) => world.write("a.txt", nineLines({ 5: "ours" })),
      (folder) => Deno.writeTextFile(join(folder, "a.txt"), nineLines({ 5: "theirs" })),
      { path: "a.txt", why: /same lines \(line 5\)/ },
    ],
    [
      "removed here and changed there",
      (_, folder) => Deno.remove(join(folder, "a.txt")),
      (folder) => Deno.writeTextFile(join(folder, "a.txt"), "theirs\n"),
      { path: "a.txt", why: /removed in the workspace/ },
    ],
    [
      "changed here and removed there",
      (world) => world.write("a.txt", "ours\n"),
      (folder) => Deno.remove(join(folder, "a.txt")),
      { path: "a.txt", why: /removed in the worktree/ },
    ],
    [
      "added on both sides",
      (world) => world.write("b.txt", "ours\n"),
      (folder) => Deno.writeTextFile(join(folder, "b.txt"), "theirs\n"),
      { path: "b.txt", why: /both sides added/ },
    ],
    [
      "a binary file",
      (world) => world.write("bin", "\0ours"),
      (folder) => Deno.writeTextFile(join(folder, "bin"), "\0theirs"),
      { path: "bin", why: /no text/ },
    ],
    [
      "a folder here and a file there",
      (_, folder) => Deno.mkdir(join(folder, "b.txt")),
      (folder) => Deno.writeTextFile(join(folder, "b.txt"), "theirs\n"),
      { path: "b.txt", why: /both sides/ },
    ],
  ];
  for (const [name, ours, theirs, { path, why }] of conflicting) {
    await using world = await worktreeWorld("git", { "a.txt": nineLines(), "bin": "\0" });
    const worktree = await world.worktrees.open("task");
    await theirs(worktree.path);
    await Deno.writeTextFile(join(worktree.path, "fine.txt"), "would land\n");
    await ours(world, world.workspace);
    const before = await personsOwn(world.workspace);
    const outcome = await worktree.mergeBack(await worktree.changes());
    ok(!outcome.ok && outcome.reason === "conflicts", name);
    deepStrictEqual(outcome.conflicts.map(({ path }) => path), [path], name);
    match(outcome.conflicts[0]?.why ?? "", why, name);
    deepStrictEqual(await personsOwn(world.workspace), before, name);
    const closed = await worktree.close();
    deepStrictEqual([closed.path, closed.branch], [worktree.path, "cordon/task"], name);
    match(closed.why ?? "", /did not land: .*fine\.txt/, name);
    deepStrictEqual(await Deno.readTextFile(join(worktree.path, "fine.txt")), "would land\n");
  }
});

gitTest("a change follows a file that the workspace moved meanwhile", async () => {
  await using world = await worktreeWorld("git", { "a.txt": nineLines(), "twin": "t\n" });
  const worktree = await world.worktrees.open("task");
  await Deno.writeTextFile(join(worktree.path, "a.txt"), nineLines({ 2: "theirs" }));
  await git(world.workspace, "mv", "a.txt", "moved.txt");
  const outcome = await worktree.mergeBack(await worktree.changes());
  deepStrictEqual(outcome, { ok: true, changed: ["moved.txt"] });
  deepStrictEqual(await world.read("moved.txt"), nineLines({ 2: "theirs" }));
  await rejects(Deno.stat(join(world.workspace, "a.txt")), Deno.errors.NotFound);
});

gitTest("a folder that the worktree removed stays where something new is in it", async () => {
  await using world = await worktreeWorld("git", { "d/a.txt": "a\n", "e/b.txt": "b\n" });
  const worktree = await world.worktrees.open("task");
  await Deno.remove(join(worktree.path, "d"), { recursive: true });
  await Deno.writeTextFile(join(worktree.path, "e/new.txt"), "n\n");
  await world.write("d/ours.txt", "ours\n");
  await Deno.remove(join(world.workspace, "e"), { recursive: true });
  deepStrictEqual((await worktree.mergeBack(await worktree.changes())).ok, true);
  deepStrictEqual(Object.keys(await workspaceState(world.workspace)), [
    "d",
    "d/ours.txt",
    "e",
    "e/new.txt",
  ]);
});

gitTest("hooks, filters and monitors of the repository never run", async () => {
  await using world = await worktreeWorld("git", {
    "a.txt": "a\n",
    ".gitattributes": "*.big filter=big\n",
  });
  const { workspace, dir } = world;
  const trap = `#!/bin/sh\necho "$0" >>'${dir.join("trapped")}'\nexit 1\n`;
  await Deno.writeTextFile(dir.join("trap"), trap, { mode: 0o755 });
  for (
    const hook of ["post-checkout", "pre-commit", "reference-transaction", "post-index-change"]
  ) {
    await Deno.writeTextFile(join(workspace, ".git/hooks", hook), trap, { mode: 0o755 });
  }
  for (const key of ["filter.big.clean", "filter.big.smudge", "core.fsmonitor", "gpg.program"]) {
    await git(workspace, "config", key, dir.join("trap"));
  }
  await git(workspace, "config", "filter.big.required", "true");
  await git(workspace, "config", "commit.gpgSign", "true");
  await world.write("pointer.big", "version https://git-lfs.github.com/spec/v1\n");

  const worktree = await world.worktrees.open("task");
  await Deno.writeTextFile(join(worktree.path, "a.txt"), "b\n");
  await Deno.writeTextFile(join(worktree.path, "pointer.big"), "version 2\n");
  deepStrictEqual((await worktree.mergeBack(await worktree.changes())).ok, true);
  deepStrictEqual(await worktree.close(), {});
  deepStrictEqual(await world.read("pointer.big"), "version 2\n");
  await rejects(Deno.stat(dir.join("trapped")), Deno.errors.NotFound);
});

gitTest("filters of repositories inside never run", async () => {
  await using world = await worktreeWorld("git", {
    "a.txt": "a\n",
    "in side/f.txt": "x\n",
    "in side/.gitattributes": "*.txt filter=trap\n",
  });
  const { workspace, dir } = world;
  const inside = join(workspace, "in side");
  await git(workspace, "rm", "-q", "-r", "--cached", "in side");
  await makeRepository(inside);
  await git(workspace, "add", "in side");
  await git(inside, "config", "filter.trap.clean", `touch ${dir.join("trapped")}; cat`);
  // Of the same size and another time: only its content tells whether it was changed.
  await Deno.utime(join(inside, "f.txt"), 1_000_000_000, 1_000_000_000);
  await world.write("a.txt", "b\n");

  using worktree = await world.worktrees.open("task");
  await rejects(Deno.stat(dir.join("trapped")), Deno.errors.NotFound);
  deepStrictEqual(await git(worktree.path, "show", "HEAD:a.txt"), "b");
  deepStrictEqual(await Deno.readTextFile(join(worktree.path, "in side/f.txt")), "x\n");
  // Else it would have.
  await git(workspace, "add", "-A");
  ok((await Deno.stat(dir.join("trapped"))).isFile);
});

gitTest(
  "submodules and repositories inside come with their files, and get their changes",
  async () => {
    await using world = await worktreeWorld("git", { "a.txt": "a\n" });
    const { workspace, dir } = world;
    await Deno.mkdir(dir.join("library"));
    await Deno.writeTextFile(dir.join("library/lib.txt"), "lib\n");
    await makeRepository(dir.join("library"));
    await git(
      workspace,
      ...["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "lib"],
    );
    await git(workspace, "commit", "-q", "-m", "a submodule");
    await world.write("lib/lib.txt", "dirty\n");
    for (const nested of ["nested", "unborn"]) {
      await Deno.mkdir(join(workspace, nested));
      await world.write(`${nested}/n.txt`, "n\n");
    }
    await makeRepository(join(workspace, "nested"));
    await git(join(workspace, "unborn"), "init", "-q");

    const worktree = await world.worktrees.open("task");
    deepStrictEqual(await workspaceState(worktree.path), await workspaceState(workspace));
    await Deno.writeTextFile(join(worktree.path, "lib/lib.txt"), "theirs\n");
    await Deno.writeTextFile(join(worktree.path, "nested/n.txt"), "theirs\n");
    deepStrictEqual((await worktree.mergeBack(await worktree.changes())).ok, true);
    deepStrictEqual(await world.read("lib/lib.txt"), "theirs\n");
    deepStrictEqual(await world.read("nested/n.txt"), "theirs\n");
    deepStrictEqual(await git(join(workspace, "lib"), "status", "--porcelain"), " M lib.txt");
    deepStrictEqual(await worktree.close(), {});
  },
);

gitTest("a repository made inside keeps its worktree, if it has commits of its own", async () => {
  for (const kind of ["git", "plain"] as const) {
    await using world = await worktreeWorld(kind, { "a.txt": "a\n" });
    const worktree = await world.worktrees.open("task");
    for (const name of ["empty", "full"]) {
      await Deno.mkdir(join(worktree.path, name));
      await git(join(worktree.path, name), "init", "-q");
    }
    await git(join(worktree.path, "full"), "commit", "-q", "--allow-empty", "-m", "one");
    await git(join(worktree.path, "full"), "checkout", "-q", "--detach");
    const { aside } = await worktree.changes();
    deepStrictEqual(aside.map(({ path }) => path), ["full/.git"], kind);
    deepStrictEqual((await worktree.mergeBack(await worktree.changes())).ok, true);
    const { why } = await worktree.close();
    match(why ?? "", /^it has files that do not land: full\/\.git$/);
    const again = await world.worktrees.reopen("task");
    await Deno.remove(join(worktree.path, "full/.git"), { recursive: true });
    deepStrictEqual(await again.close(), {});
  }
});

gitTest(
  "nothing is fetched for a repository made inside, by whatever program it names",
  async () => {
    await using world = await worktreeWorld("git", { "a.txt": "a\n" });
    const { dir, workspace } = world;
    // As versions do that know nothing of GIT_NO_LAZY_FETCH.
    const older = `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nPATH=\${PATH#*:} exec git "$@"\n`;
    await Deno.mkdir(dir.join("bin"));
    await Deno.writeTextFile(dir.join("bin/git"), older, { mode: 0o755 });
    using worktrees = createWorktrees({
      ...{ workspace, session: "one", state: dir.join("state") },
      environment: { PATH: `${dir.join("bin")}:${Deno.env.get("PATH")}` },
    });
    using worktree = await worktrees.open("task");
    const made = join(worktree.path, "made");
    await Deno.mkdir(made);
    await makeRepository(made);
    await git(made, "commit", "-q", "--allow-empty", "-m", "second");
    const first = await git(made, "rev-parse", "HEAD^");
    await Deno.remove(join(made, ".git/objects", first.slice(0, 2), first.slice(2)));
    const settings = {
      "core.repositoryFormatVersion": "1",
      "extensions.partialClone": "origin",
      "remote.origin.promisor": "true",
      "remote.origin.url": `ext::touch ${dir.join("fetched")}`,
      "protocol.ext.allow": "always",
    };
    for (const [key, value] of Object.entries(settings)) await git(made, "config", key, value);

    const { aside } = await worktree.changes();
    deepStrictEqual(aside.map(({ path }) => path), ["made/.git"]);
    await rejects(Deno.stat(dir.join("fetched")), Deno.errors.NotFound);
    // Else it would have been.
    await tryGit(made, "rev-list", "--all");
    ok((await Deno.stat(dir.join("fetched"))).isFile);
  },
);

gitTest("git that waits for a pipe is ended", async () => {
  await using dir = await tempDir({ "work/a.txt": "a\n" });
  const workspace = dir.join("work");
  await makeRepository(workspace);
  const opened = await openGit(workspace, {
    environment: { PATH: Deno.env.get("PATH") ?? "" },
    locks: dir.path,
  });
  await new Deno.Command("mkfifo", { args: [join(workspace, ".gitignore")] }).output();
  deepStrictEqual(
    await opened?.run(["ls-files", "-c", "-i", "--exclude-standard"], { limitMs: 500 }),
    { ok: false, out: "", why: "it took longer than 0.5 seconds" },
  );
  deepStrictEqual((await opened?.run(["ls-files"]))?.out, "a.txt");
});

gitTest("a repository that takes the place of the worktree's own keeps it", async () => {
  await using world = await worktreeWorld("git", { "a.txt": "a\n" });
  const worktree = await world.worktrees.open("task");
  await Deno.remove(join(worktree.path, ".git"));
  await makeRepository(worktree.path);
  match((await worktree.close()).why ?? "", /^it has files that do not land: \.git$/);
  deepStrictEqual(await git(worktree.path, "log", "-1", "--format=%s"), "first");
});

gitTest("a branch on which somebody else stands is left", async () => {
  await using world = await worktreeWorld("git", { "a.txt": "a\n" });
  const worktree = await world.worktrees.open("task");
  await git(world.workspace, "checkout", "-q", "--ignore-other-worktrees", "cordon/task");
  deepStrictEqual(await worktree.close(), {});
  deepStrictEqual(await git(world.workspace, "log", "-1", "--format=%s"), "first");
  deepStrictEqual(await git(world.workspace, "branch", "--show-current"), "cordon/task");
});

gitTest("there need not be a commit yet", async () => {
  await using world = await worktreeWorld("plain", { "a.txt": "a\n" });
  await git(world.workspace, "init", "-q", "-b", "main");
  const worktree = await world.worktrees.open("task");
  deepStrictEqual(await git(worktree.path, "status", "--porcelain"), "");
  await Deno.writeTextFile(join(worktree.path, "a.txt"), "b\n");
  deepStrictEqual((await worktree.mergeBack(await worktree.changes())).ok, true);
  deepStrictEqual(await worktree.close(), {});
  deepStrictEqual(await world.read("a.txt"), "b\n");
  deepStrictEqual(await git(world.workspace, "status", "--porcelain"), "?? a.txt");
});

gitTest("a worktree of a worktree, beside a bare repository", async () => {
  await using world = await worktreeWorld("git", { "a.txt": "a\n" });
  const { dir, workspace } = world;
  await git(dir.path, "clone", "-q", "--bare", workspace, "bare.git");
  await git(dir.join("bare.git"), "worktree", "add", "-q", "-b", "side", dir.join("side"));
  const outer = world.another("two", dir.join("side"));
  const one = await outer.open("one");
  await Deno.writeTextFile(join(one.path, "a.txt"), "one\n");
  const inner = world.another("two", one.path);
  const two = await inner.open("one");
  deepStrictEqual(two.branch, "cordon/one-2");
  deepStrictEqual(await Deno.readTextFile(join(two.path, "a.txt")), "one\n");
  await Deno.writeTextFile(join(two.path, "b.txt"), "two\n");
  deepStrictEqual((await two.mergeBack(await two.changes())).ok, true);
  deepStrictEqual(await two.close(), {});
  deepStrictEqual((await one.mergeBack(await one.changes())).ok, true);
  deepStrictEqual(await one.close(), {});
  deepStrictEqual(await Deno.readTextFile(dir.join("side/b.txt")), "two\n");
});

gitTest("twenty at once, of two parents in one repository, all land", async () => {
  await using world = await worktreeWorld("git", { "shared.txt": "", "lines.txt": manyLines() });
  const parents = [world.worktrees, world.another("two")];
  const opened = await Promise.all(
    Array.from({ length: 20 }, (_, index) => parents[index % 2]?.open("same name")),
  );
  const worktrees = opened.filter((worktree) => worktree !== undefined);
  deepStrictEqual(new Set(worktrees.map(({ branch }) => branch)).size, 20);
  await Promise.all(worktrees.map(async ({ path }, index) => {
    await Deno.writeTextFile(join(path, `own-${index}.txt`), `${index}\n`);
    await Deno.writeTextFile(join(path, "lines.txt"), manyLines(index));
    if (index % 4 === 0) {
      await git(path, "add", "-A");
      await git(path, "commit", "-q", "-m", `work ${index}`);
    }
  }));
  for (const [index, worktree] of worktrees.entries()) {
    deepStrictEqual((await worktree.mergeBack(await worktree.changes())).ok, true, `${index}`);
  }
  const closed = await Promise.all(worktrees.map((worktree) => worktree.close()));
  deepStrictEqual(closed.filter(({ path }) => path !== undefined), []);
  deepStrictEqual(closed.filter(({ branch }) => branch !== undefined).length, 5);
  deepStrictEqual(
    (await world.read("lines.txt")).split("\n").filter((line) => line.startsWith("by")).length,
    20,
  );
  deepStrictEqual([...Deno.readDirSync(world.workspace)].length, 23);
});

/** A line for each of twenty, with three between them; one of them replaced. */
function manyLines(replaced?: number): string {
  return Array.from({ length: 20 }, (_, index) => {
    const own = index === replaced ? `by ${index}` : `for ${index}`;
    return `${own}\n-\n-\n-\n`;
  }).join("");
}

gitTest("commits on a detached head, and on a branch that was thrown away, are kept", async () => {
  await using world = await worktreeWorld("git", { "a.txt": "a\n" });
  const { workspace } = world;
  const detached = await world.worktrees.open("detached");
  await git(detached.path, "checkout", "-q", "--detach");
  await commitFile(detached.path, "one.txt");
  deepStrictEqual((await detached.mergeBack(await detached.changes())).ok, true);
  deepStrictEqual(await detached.close(), { branch: "cordon/detached" });
  deepStrictEqual(await git(workspace, "log", "-1", "--format=%s", "cordon/detached"), "one.txt");

  const twofold = await world.worktrees.open("twofold");
  await commitFile(twofold.path, "two.txt");
  await git(twofold.path, "checkout", "-q", "--detach", "HEAD^");
  await commitFile(twofold.path, "three.txt");
  const closed = await twofold.discard();
  deepStrictEqual(closed, { branch: "cordon/twofold and cordon/twofold-head" });
  deepStrictEqual(await git(workspace, "log", "-1", "--format=%s", "cordon/twofold"), "two.txt");
  deepStrictEqual(
    await git(workspace, "log", "-1", "--format=%s", "cordon/twofold-head"),
    "three.txt",
  );

  const renamed = await world.worktrees.open("renamed");
  await commitFile(renamed.path, "four.txt");
  await git(renamed.path, "branch", "-q", "-m", "own-name");
  await renamed.discard();
  deepStrictEqual(await git(workspace, "log", "-1", "--format=%s", "own-name"), "four.txt");
});

async function commitFile(folder: string, name: string): Promise<void> {
  await Deno.writeTextFile(join(folder, name), `${name}\n`);
  await git(folder, "add", "-A");
  await git(folder, "commit", "-q", "-m", name);
}

gitTest("after a kill all is found again by name, merged and let go", async () => {
  await using world = await worktreeWorld("git", { "a.txt": nineLines() });
  const { workspace, worktrees } = world;
  const holder = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--allow-all",
      "--cached-only",
      "--frozen",
      HOLDER,
      workspace,
      world.dir.join("state"),
    ],
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const path = await firstLine(holder.stdout);
  await Deno.writeTextFile(join(path, "a.txt"), nineLines({ 3: "theirs" }));
  deepStrictEqual(worktrees.leftOver(), []);
  await rejects(worktrees.reopen("held"), WorktreeError);
  holder.kill("SIGKILL");
  await holder.status;

  const [record] = worktrees.leftOver();
  deepStrictEqual([record?.name, record?.git?.branch, record?.session], [
    "held",
    "cordon/held",
    "one",
  ]);
  const found = await worktrees.reopen("held");
  deepStrictEqual(found.path, path);
  await world.write("a.txt", nineLines({ 7: "ours" }));
  deepStrictEqual((await found.mergeBack(await found.changes())).ok, true);
  deepStrictEqual(await world.read("a.txt"), nineLines({ 3: "theirs", 7: "ours" }));
  deepStrictEqual(await found.close(), {});
  deepStrictEqual(worktrees.leftOver(), []);
  await rejects(worktrees.reopen("held"), WorktreeError);
});

const HOLDER = fileURLToPath(new URL("../../helpers/hold_worktree.ts", import.meta.url));

async function firstLine(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const part of stdout.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0] ?? "";
}

gitTest("what ignore rules hide stays where it is, unless git knows it", async () => {
  await using world = await worktreeWorld("git", { ".gitignore": "out/\n", "a.txt": "a\n" });
  await Deno.mkdir(join(world.workspace, "out"));
  await world.write("out/tracked.txt", "old\n");
  await git(world.workspace, "add", "-f", "out/tracked.txt");
  const worktree = await world.worktrees.open("build");
  await Deno.writeTextFile(join(worktree.path, "out/tracked.txt"), "new\n");
  await Deno.writeTextFile(join(worktree.path, "out/result.bin"), "built\n");
  await Deno.mkdir(join(worktree.path, "node_modules"));
  await Deno.writeTextFile(join(worktree.path, "node_modules/x"), "x\n");
  const patch = await worktree.changes();
  deepStrictEqual(patch.files.map(({ path }) => path), ["out/tracked.txt"]);
  deepStrictEqual(patch.aside, [{ path: "out/result.bin", why: "ignore rules hide it" }]);
  deepStrictEqual((await worktree.mergeBack(patch)).ok, true);
  const { path, why } = await worktree.close();
  deepStrictEqual([path, why], [worktree.path, "it has files that do not land: out/result.bin"]);
});

gitTest("sparse checkouts and split indexes stay what they are", async () => {
  await using world = await worktreeWorld("git", { "in/a.txt": "a\n", "out/b.txt": "b\n" });
  const { workspace } = world;
  await git(workspace, "sparse-checkout", "set", "in");
  await git(workspace, "update-index", "--split-index");
  await world.write("in/a.txt", "dirty\n");
  const before = await personsOwn(workspace);
  const worktree = await world.worktrees.open("task");
  deepStrictEqual(await git(worktree.path, "status", "--porcelain"), "");
  deepStrictEqual(
    await git(worktree.path, "ls-tree", "-r", "--name-only", "HEAD"),
    "in/a.txt\nout/b.txt",
  );
  await Deno.writeTextFile(join(worktree.path, "in/a.txt"), "theirs\n");
  const patch = await worktree.changes();
  deepStrictEqual(patch.files.map(({ path }) => path), ["in/a.txt"]);
  deepStrictEqual((await worktree.mergeBack(patch)).ok, true);
  deepStrictEqual(await world.read("in/a.txt"), "theirs\n");
  await world.write("in/a.txt", "dirty\n");
  deepStrictEqual(await worktree.close(), {});
  deepStrictEqual(await personsOwn(workspace), before);
});

gitTest(
  "a branch named cordon, a merge under way and a locked index are no obstacles",
  async () => {
    await using world = await worktreeWorld("git", { "a.txt": "a\n" });
    const { workspace } = world;
    await git(workspace, "branch", "cordon");
    await git(workspace, "checkout", "-q", "-b", "side");
    await world.write("a.txt", "side\n");
    await git(workspace, "commit", "-q", "-a", "-m", "side");
    await git(workspace, "checkout", "-q", "main");
    await world.write("a.txt", "main\n");
    await git(workspace, "commit", "-q", "-a", "-m", "main");
    deepStrictEqual((await tryGit(workspace, "merge", "side")).success, false);
    await Deno.writeTextFile(join(workspace, ".git/index.lock"), "");
    const worktree = await world.worktrees.open("task");
    deepStrictEqual(worktree.branch, "cordon-task");
    match(await Deno.readTextFile(join(worktree.path, "a.txt")), /<<<<<<< HEAD/);
    deepStrictEqual(await worktree.close(), {});
  },
);

gitTest("a worktree that cannot be made leaves nothing behind", async () => {
  await using world = await worktreeWorld("git", { "a.txt": "a\n" });
  const before = await personsOwn(world.workspace);
  // Where git would note a worktree stands a file.
  await Deno.writeTextFile(join(world.workspace, ".git/worktrees"), "");
  await rejects(world.worktrees.open("task"), {
    name: "WorktreeError",
    message: /^Cannot make a worktree "task": Cannot run git worktree in ".*[^.]$/,
  });
  await Deno.remove(join(world.workspace, ".git/worktrees"));
  deepStrictEqual(await personsOwn(world.workspace), before);
  deepStrictEqual(world.worktrees.leftOver(), []);
  deepStrictEqual(await (await world.worktrees.open("task")).close(), {});
  await rejects(world.worktrees.open("task", AbortSignal.abort()), { name: "AbortError" });
});

gitTest("a worktree whose pointer was bent is removed alone, others' notes stay", async () => {
  await using world = await worktreeWorld("git", { "a.txt": "a\n" });
  const { workspace, dir } = world;
  // A person's own worktree on a disk that is not there just now.
  await git(workspace, "worktree", "add", "-q", "-b", "side", dir.join("side"));
  await Deno.rename(dir.join("side"), dir.join("unplugged"));
  const worktree = await world.worktrees.open("task");
  await Deno.writeTextFile(join(worktree.path, ".git"), `gitdir: ${dir.join("elsewhere")}\n`);
  deepStrictEqual(await worktree.discard(), {});
  await rejects(Deno.stat(worktree.path), Deno.errors.NotFound);
  await Deno.rename(dir.join("unplugged"), dir.join("side"));
  deepStrictEqual(await git(dir.join("side"), "status", "--porcelain"), "");
  deepStrictEqual((await git(workspace, "worktree", "list")).split("\n").length, 2);
  deepStrictEqual(await git(workspace, "branch", "--list", "cordon/*"), "");
});

gitTest("what a crash left half made goes with the next one", async () => {
  await using world = await worktreeWorld("git", { "a.txt": "a\n" });
  const { workspace } = world;
  const kept = await world.worktrees.open("kept");
  const nest = join(kept.path, "../..");
  await Deno.mkdir(join(nest, "../half/checkout"), { recursive: true });
  const half = join(nest, "../half/checkout/work");
  await git(workspace, "worktree", "add", "-q", "-b", "cordon/half", half);
  await Deno.utime(join(nest, "../half"), 1_000, 1_000);
  const next = await world.worktrees.open("next");
  deepStrictEqual([await next.close(), await kept.close()], [{}, {}]);
  deepStrictEqual(await git(workspace, "branch", "--format=%(refname:short)"), "main");
  await rejects(Deno.stat(half), Deno.errors.NotFound);
});
