import { deepStrictEqual, ok } from "node:assert/strict";
import { testFiles } from "../../helpers/both_files.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

testFiles("survey() tells of every file what tells whether it changed", async (open) => {
  await using dir = await tempDir({
    "ws/a.txt": "hello",
    "ws/sub/b.txt": "",
    "ws/.hidden": "x",
    "ws/.gitignore": "ignored\n",
    "ws/ignored": "x",
    "outside.txt": "x",
  });
  const workspace = dir.join("ws");
  await Deno.symlink(dir.join("outside.txt"), dir.join("ws", "link"));
  await Deno.symlink(workspace, dir.join("ws", "sub", "loop"));
  const files = open({ roots: { workspace }, cwd: () => dir.join("ws", "sub") });
  const stampOf = async (path: string) => {
    const { size, mtime, ino } = await Deno.stat(dir.join("ws", path));
    return { path, size, mtimeMs: mtime?.getTime(), inode: ino };
  };
  deepStrictEqual(await files.survey(workspace), {
    ok: true,
    files: [await stampOf("a.txt"), await stampOf("sub/b.txt")],
    stopped: false,
    unreadable: 0,
  });
  const refusals = [
    await files.survey(dir.path),
    await files.survey("b.txt"),
    await files.survey("no"),
  ];
  deepStrictEqual(refusals.map((answer) => !answer.ok && answer.reason), [
    "denied",
    "not_a_folder",
    "not_a_folder",
  ]);
});

testFiles("readMany() reads in order what lies in the folder", async (open) => {
  await using dir = await tempDir({
    "ws/a.txt": "one",
    "ws/sub/b.txt": "",
    "ws/large": "x".repeat(11),
    "ws/full": "x".repeat(10),
    "outside.txt": "secret",
    "other/c.txt": "secret",
  });
  const workspace = dir.join("ws");
  await Deno.symlink(dir.join("outside.txt"), dir.join("ws", "link"));
  await Deno.symlink(dir.join("other"), dir.join("ws", "folder"));
  const files = open({ roots: { workspace }, cwd: () => workspace });
  const paths = [
    ...["a.txt", "sub/b.txt", "gone", "sub", "large", "full", "link", "folder/c.txt"],
    ...["../outside.txt", dir.join("outside.txt"), "sub/../../outside.txt", "."],
  ];
  const read = await files.readMany({ folder: ".", paths, maxBytes: 1_000, maxFileBytes: 10 });
  ok(read.ok);
  const shown = read.items.map((item) => "bytes" in item ? text(item.bytes) : item.problem);
  deepStrictEqual(read.items.map(({ path }) => path), paths);
  deepStrictEqual(shown, [
    ...["one", "", "not_a_file", "not_a_file", "too_large", "x".repeat(10), "denied", "denied"],
    ...["not_a_file", "not_a_file", "not_a_file", "not_a_file"],
  ]);
  const [first] = read.items;
  const { size, mtime, ino } = await Deno.stat(dir.join("ws", "a.txt"));
  ok(first && "bytes" in first);
  const { bytes: _, ...stamp } = first;
  deepStrictEqual(stamp, { path: "a.txt", size, mtimeMs: mtime?.getTime(), inode: ino });
});

testFiles("readMany() leaves out what is over its limit, but never the first", async (open) => {
  const names = Array.from({ length: 20 }, (_, n) => `f${String(n).padStart(2, "0")}`);
  await using dir = await tempDir(Object.fromEntries(names.map((name) => [name, "12345"])));
  const files = open({ roots: { workspace: dir.path }, cwd: () => dir.path });
  const count = async (paths: string[], maxBytes: number) => {
    const read = await files.readMany({ folder: dir.path, paths, maxBytes, maxFileBytes: 100 });
    return read.ok && read.items.length;
  };
  deepStrictEqual(
    [
      await count(names, 100),
      await count(names, 99),
      await count(names, 12),
      await count(names, 1),
    ],
    [20, 19, 2, 1],
  );
  deepStrictEqual(await count([], 10), 0);
  const outside = await files.readMany({ folder: "/", paths: [], maxBytes: 1, maxFileBytes: 1 });
  deepStrictEqual(!outside.ok && outside.reason, "denied");
});
