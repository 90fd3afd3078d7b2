import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { undoWorld } from "../../helpers/undo_world.ts";

Deno.test("undo leaves what was changed since, and puts back the rest", async (t) => {
  const cases: [
    name: string,
    change: string,
    since: string,
    left: Record<string, string>,
    kept: { path: string; why: string }[],
  ][] = [
    [
      "a file that the person edited",
      "echo two > f; echo two > g",
      "echo mine > f",
      { f: "mine\n", g: "one\n" },
      [{ path: "f", why: "it was changed since" }],
    ],
    [
      "a mode that the person set",
      "echo two > f; echo two > g",
      "chmod 600 f",
      { f: "two\n", g: "one\n" },
      [{ path: "f", why: "it was changed since" }],
    ],
    [
      "a file that the person deleted",
      "echo two > f",
      "rm f",
      { g: "one\n" },
      [{ path: "f", why: "it was changed since" }],
    ],
    [
      "a file that the person put where one was deleted",
      "rm f g",
      "echo mine > f",
      { f: "mine\n", g: "one\n" },
      [{ path: "f", why: "it was changed since" }],
    ],
    [
      "what the person put back already",
      "echo two > f; echo two > g",
      "echo one > f",
      { f: "one\n", g: "one\n" },
      [],
    ],
    [
      "a new folder in which the person works",
      "mkdir d; echo two > d/f",
      "echo mine > d/mine",
      { f: "one\n", g: "one\n", "d/mine": "mine\n" },
      [{ path: "d", why: "it holds files that stay" }],
    ],
    [
      "a file of the person in place of a deleted folder",
      "rm -r e",
      "echo mine > e",
      { f: "one\n", g: "one\n", e: "mine\n" },
      [
        { path: "e", why: "it was changed since" },
        { path: "e/h", why: "its folder is not there any more" },
      ],
    ],
    [
      "a folder that the person made a link to elsewhere",
      "echo two > e/h",
      "mv e moved; ln -s moved e",
      { f: "one\n", g: "one\n", "moved/h": "two\n" },
      [{ path: "e/h", why: "it was changed since" }],
    ],
    [
      "a folder that holds a new file of the person where a file was",
      "rm f; mkdir f; echo two > f/x",
      "echo mine > f/mine",
      { g: "one\n", "f/mine": "mine\n" },
      [{ path: "f", why: "it holds files that stay" }],
    ],
  ];
  for (const [name, change, since, left, kept] of cases) {
    await t.step(name, async () => {
      await using world = await undoWorld({ f: "one\n", g: "one\n", "e/h": "one\n" });
      const session = await world.newSession();
      await session.task(() => world.shell(change));
      await world.shell(since);
      deepStrictEqual((await session.undo()).kept, kept);
      const found = await textsBelow(world.workspace);
      for (const [path, text] of Object.entries(left)) strictEqual(found[path], text, path);
      const unexpected = Object.keys(found).filter((path) => !(path in left) && path !== "e/h");
      deepStrictEqual(unexpected, []);
    });
  }
});

Deno.test("redo leaves what was changed since the undo", async () => {
  await using world = await undoWorld({ f: "one", g: "one" });
  const session = await world.newSession();
  await session.task(() => world.shell("printf two > f; printf two > g"));
  await session.undo();
  await world.shell("printf mine > f");
  deepStrictEqual((await session.redo()).kept, [{ path: "f", why: "it was changed since" }]);
  deepStrictEqual(await textsBelow(world.workspace), { f: "mine", g: "two" });
});

Deno.test("the person's changes between two tasks are not undone with either", async () => {
  await using world = await undoWorld({ f: "one", g: "one" });
  const session = await world.newSession();
  await session.task(() => world.shell("printf two > f; printf two > g"));
  await world.shell("printf mine > f; printf mine > own");
  await session.task(() => world.shell("printf three > g"));
  deepStrictEqual((await session.undo(2)).kept, [{ path: "f", why: "it was changed since" }]);
  deepStrictEqual(await textsBelow(world.workspace), { f: "mine", g: "one", own: "mine" });
});

Deno.test("what is made again by a command is left out, and left alone", async (t) => {
  const cases: [name: string, before: string, change: string, kept: string[]][] = [
    [
      "node_modules",
      "mkdir -p node_modules && echo one > node_modules/f",
      "echo two > node_modules/f; rm -f gone",
      [],
    ],
    ["new node_modules", ":", "mkdir -p app/node_modules; touch app/node_modules/f", [
      "app",
      "app/node_modules",
    ]],
    [
      "a folder that its tag calls a cache",
      "mkdir target; echo 'Signature: 8a477f597d28d172789f06886806bc55' > target/CACHEDIR.TAG; echo one > target/f",
      "echo two > target/f",
      [],
    ],
    [
      "a large ignored folder",
      "echo out > .gitignore; mkdir out; for i in $(seq 250); do touch out/$i; done",
      "rm -r out; mkdir out; for i in $(seq 260); do echo 2 > out/$i; done",
      [],
    ],
    [
      "rules that hide a folder no longer",
      "echo out > .gitignore; mkdir out; for i in $(seq 250); do touch out/$i; done",
      "rm .gitignore",
      ["out"],
    ],
  ];
  for (const [name, before, change, kept] of cases) {
    await t.step(name, async () => {
      await using world = await undoWorld({ "other": "one" });
      await world.shell(before);
      const session = await world.newSession();
      await session.task(() => world.shell(`${change}\nprintf two > other`));
      const left = await world.files();
      deepStrictEqual((await session.undo()).kept.map(({ path }) => path), kept);
      const files = await world.files();
      strictEqual(await Deno.readTextFile(join(world.workspace, "other")), "one");
      for (const path of Object.keys(left).filter((path) => /node_modules|target|out/.test(path))) {
        strictEqual(files[path], left[path], path);
      }
    });
  }
});

Deno.test("files past the limit, pipes and odd names are named and left alone", async () => {
  await using world = await undoWorld();
  await world.shell("truncate -s 33M large; mkfifo pipe; printf x > $'b\\xffd'");
  const session = await world.newSession();
  await session.task(() => world.shell("truncate -s 1M large; rm pipe; printf x > fine"));
  const { kept, done } = await session.undo();
  deepStrictEqual(done.map(({ path }) => path), ["fine"]);
  deepStrictEqual(kept, [
    { path: "large", why: "no snapshot was taken of it: it is larger than 32 MiB" },
    { path: "pipe", why: "no snapshot was taken of it: it is a pipe, socket or device" },
  ]);
});

Deno.test("hard links go on showing one content", async () => {
  await using world = await undoWorld({ one: "one" });
  await world.shell("ln one two");
  const session = await world.newSession();
  await session.task(() => world.shell("printf changed > one"));
  const before = await Deno.stat(join(world.workspace, "two"));
  deepStrictEqual((await session.undo()).kept, []);
  deepStrictEqual(await textsBelow(world.workspace), { one: "one", two: "one" });
  strictEqual((await Deno.stat(join(world.workspace, "one"))).ino, before.ino);
});

Deno.test({
  name: "what root puts back in somebody's folder is theirs",
  ignore: Deno.uid() !== 0,
  async fn() {
    await using world = await undoWorld({ f: "one", "d/g": "one" });
    await world.shell("chown -R 65534:65534 .");
    const session = await world.newSession();
    await session.task(() => world.shell("printf two > f; rm -r d"));
    await session.undo();
    for (const path of ["f", "d", "d/g"]) {
      const { uid, gid } = await Deno.stat(join(world.workspace, path));
      deepStrictEqual([uid, gid], [65534, 65534], path);
    }
  },
});

Deno.test("a state folder inside the workspace is no part of it", async () => {
  await using world = await undoWorld({ "f": "one" }, { state: "work/.state" });
  const session = await world.newSession();
  await session.task(() => world.shell("printf two > f"));
  const { done, kept } = await session.undo();
  deepStrictEqual([done.map(({ path }) => path), kept], [["f"], []]);
});

async function textsBelow(folder: string, below = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, isFile, isDirectory } of Deno.readDir(join(folder, below))) {
    const path = join(below, name);
    if (isFile) found[path] = await Deno.readTextFile(join(folder, path));
    if (isDirectory) Object.assign(found, await textsBelow(folder, path));
  }
  return found;
}
