import { deepStrictEqual } from "node:assert/strict";
import type { WalkQuery } from "../../../sandbox/files/files.ts";
import { walkFiles } from "../../../sandbox/files/walk.ts";
import { type OpenFiles, testFiles } from "../../helpers/both_files.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";

async function walk(open: OpenFiles, dir: TempDir, query: Partial<WalkQuery> = {}) {
  const files = open({ roots: { workspace: dir.path }, cwd: () => dir.path });
  const walked = await files.walk({ path: ".", limit: 1000, ...query });
  if (!walked.ok) throw new Error(walked.message);
  return walked.paths;
}

testFiles("walk() finds the files that no ignore file hides", async (open, t) => {
  type Case = [name: string, files: Record<string, string>, want: string[]];
  const cases: Case[] = [
    ["sorted by code units", { "b": "", "a/z": "", "B": "", "é": "", "a.x": "" }, [
      "B",
      "a.x",
      "a/z",
      "b",
      "é",
    ]],
    ["dot files and .git hidden", { ".git/config": "", ".env": "", ".github/x": "", "a": "" }, [
      "a",
    ]],
    ["each kind of ignore file", {
      ".gitignore": "one\n",
      ".ignore": "two\n",
      ".cordonignore": "three\n",
      "one": "",
      "two": "",
      "three": "",
      "four": "",
    }, ["four"]],
    ["a later kind overrules", {
      ".gitignore": "*.log\n",
      ".cordonignore": "!keep.log\n",
      "keep.log": "",
      "x.log": "",
    }, [
      "keep.log",
    ]],
    ["anchored, folders, comments, CRLF, BOM", {
      ".gitignore": "\uFEFF# comment\r\n/top\r\nbuild/\r\n",
      "top": "",
      "sub/top": "",
      "build/x": "",
      "sub/build/x": "",
      "sub/keep/build": "",
    }, ["sub/keep/build", "sub/top"]],
    ["a nearer file overrules", {
      ".gitignore": "*.log\n",
      "sub/.gitignore": "!a.log\n/only\n",
      "a.log": "",
      "sub/a.log": "",
      "sub/only": "",
      "sub/deep/only": "",
    }, ["sub/a.log", "sub/deep/only"]],
    ["what lies in a hidden folder stays hidden", {
      ".gitignore": "out\n!out/keep\n",
      "out/keep": "",
    }, []],
    ["case counts", { ".gitignore": "Makefile\n", "makefile": "", "Makefile": "" }, ["makefile"]],
    ["odd names", {
      " a": "",
      'q"uote': "",
      "line\nbreak": "",
      "-rf": "",
      "日本語/ほげ": "",
      "[x]": "",
    }, [
      " a",
      "-rf",
      "[x]",
      "line\nbreak",
      'q"uote',
      "日本語/ほげ",
    ]],
  ];
  for (const [name, files, want] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir(files);
      deepStrictEqual(await walk(open, dir), want);
    });
  }
});

testFiles("walk() by pattern, from a folder, and with what is hidden", async (open, t) => {
  await using dir = await tempDir({
    ".gitignore": "*.log\nbuild/\n",
    "a.ts": "",
    "src/a.ts": "",
    "src/deep/b.tsx": "",
    "src/x.log": "",
    "build/out.ts": "",
    ".github/ci.yml": "",
    "src/.hidden/c.ts": "",
  });
  const cases: [query: Partial<WalkQuery>, want: string[]][] = [
    [{ pattern: "*.ts" }, ["a.ts"]],
    [{ pattern: "./**/*.ts" }, ["a.ts", "src/a.ts"]],
    [{ pattern: "**/*.{ts,tsx}" }, ["a.ts", "src/a.ts", "src/deep/b.tsx"]],
    [{ path: "src" }, ["src/a.ts", "src/deep/b.tsx"]],
    [{ path: "src/deep/..", pattern: "deep/*" }, ["src/deep/b.tsx"]],
    [{ path: dir.join("src/deep") }, ["src/deep/b.tsx"]],
    [{ path: "build" }, ["build/out.ts"]],
    [{ pattern: ".github/**" }, [".github/ci.yml"]],
    [{ path: "src", hidden: true }, [
      "src/.hidden/c.ts",
      "src/a.ts",
      "src/deep/b.tsx",
      "src/x.log",
    ]],
    [{ pattern: "../**" }, []],
    [{ pattern: "[" }, []],
  ];
  for (const [query, want] of cases) {
    await t.step(JSON.stringify(query), async () => {
      deepStrictEqual(await walk(open, dir, query), want);
    });
  }
});

testFiles("walk() follows no link and opens no FIFO", async (open) => {
  await using dir = await tempDir({ "ws/a": "", "ws/sub/b": "", "outside/secret": "" });
  await Deno.symlink("..", dir.join("ws/sub/loop"));
  await Deno.symlink("../outside", dir.join("ws/out"));
  await Deno.symlink("a", dir.join("ws/link"));
  for (const name of ["fifo", ".gitignore"]) {
    const made = new Deno.Command("mkfifo", { args: [dir.join("ws", name)], detached: true })
      .spawn();
    await made.status;
  }
  const files = open({ roots: { workspace: dir.join("ws") }, cwd: () => dir.join("ws") });
  deepStrictEqual(await files.walk({ path: ".", limit: 10, hidden: true }), {
    ok: true,
    paths: ["a", "sub/b"],
    total: 2,
    stopped: false,
    unreadable: 0,
  });
  deepStrictEqual((await files.walk({ path: ".", limit: 10 })).ok, true);
});

testFiles("walk() of a name that is not UTF-8 goes on", async (open) => {
  await using dir = await tempDir({ "a": "x" });
  const script = `printf x > "$(printf 'bad\\377name')"`;
  const made = new Deno.Command("bash", { args: ["-c", script], cwd: dir.path, detached: true })
    .spawn();
  await made.status;
  deepStrictEqual(await walk(open, dir), ["a", "bad\uFFFDname"]);
  const files = open({ roots: { workspace: dir.path }, cwd: () => dir.path });
  deepStrictEqual(await files.list("."), {
    ok: true,
    path: ".",
    entries: [
      { name: "a", kind: "file", size: 1 },
      { name: "bad\uFFFDname", kind: "file", size: 0 },
    ],
  });
  const searched = await files.search({ path: ".", pattern: "x", limit: 10 });
  deepStrictEqual(searched.ok && searched.hits.map(({ path }) => path), ["a"]);
});

testFiles("walk() is bounded: in what it answers and in what it looks at", async (open) => {
  await using dir = await tempDir({});
  for (let folder = 0; folder < 100; folder++) {
    await Deno.mkdir(dir.join(`d${folder}`));
    for (let file = 0; file < 100; file++) {
      Deno.writeFileSync(dir.join(`d${folder}/f${file}`), new Uint8Array());
    }
  }
  const files = open({ roots: { workspace: dir.path }, cwd: () => dir.path });
  deepStrictEqual(await files.walk({ path: ".", limit: 2 }), {
    ok: true,
    paths: ["d0/f0", "d0/f1"],
    total: 10_000,
    stopped: false,
    unreadable: 0,
  });
  const { files: found, stopped } = await walkFiles({
    real: dir.path,
    top: dir.path,
    maxEntries: 1_000,
  });
  deepStrictEqual([found.length <= 1_000, stopped], [true, true]);
});

testFiles("walk() of a deep tree", async (open) => {
  const deep = `${"d/".repeat(300)}f`;
  await using dir = await tempDir({ [deep]: "" });
  deepStrictEqual(await walk(open, dir), [deep]);
});

testFiles("walk() counts folders that it cannot read (not as root)", async (open) => {
  await using dir = await tempDir({ "a": "", "closed/b": "" });
  await Deno.chmod(dir.join("closed"), 0);
  try {
    const files = open({ roots: { workspace: dir.path }, cwd: () => dir.path });
    deepStrictEqual(await files.walk({ path: ".", limit: 10 }), {
      ok: true,
      paths: ["a"],
      total: 1,
      stopped: false,
      unreadable: 1,
    });
  } finally {
    await Deno.chmod(dir.join("closed"), 0o755);
  }
}, { ignore: Deno.uid() === 0 });

testFiles("walk() refuses what is no folder", async (open) => {
  await using dir = await tempDir({ "a": "" });
  const files = open({ roots: { workspace: dir.path }, cwd: () => dir.path });
  const messages = [];
  for (const path of ["a", "b", ".."]) {
    const walked = await files.walk({ path, limit: 1 });
    messages.push(walked.ok ? "ok" : walked.reason);
  }
  deepStrictEqual(messages, ["not_a_folder", "not_a_folder", "denied"]);
});
