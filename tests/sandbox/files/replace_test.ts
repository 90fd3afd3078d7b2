import { fileURLToPath } from "node:url";
import { deepStrictEqual, rejects, throws } from "node:assert/strict";
import fc from "fast-check";
import type { Splice, WriteFiles } from "../../../sandbox/files/files.ts";
import { applySplices } from "../../../sandbox/files/replace.ts";
import { type OpenFiles, testFiles } from "../../helpers/both_files.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";

function filesOf(open: OpenFiles, dir: TempDir): WriteFiles {
  return open({ roots: { workspace: dir.path }, cwd: () => dir.path });
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function versionOf(files: WriteFiles, path: string) {
  const read = await files.read(path);
  if (!read.ok) throw new Error(read.message);
  return read.version;
}

/** Replaces the file's first byte. */
async function replaceFirst(files: WriteFiles, path: string, text: string) {
  const version = await versionOf(files, path);
  return await files.replace(path, version, [{ start: 0, end: 1, bytes: bytesOf(text) }]);
}

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

testFiles("replace() changes the ranges and nothing else", async (open) => {
  await using dir = await tempDir({ "a.txt": "one two three\r\n" });
  const files = filesOf(open, dir);
  const answer = await files.replace("a.txt", await versionOf(files, "a.txt"), [
    { start: 0, end: 3, bytes: bytesOf("1") },
    { start: 8, end: 8, bytes: bytesOf("and ") },
    { start: 13, end: 15, bytes: bytesOf("\n") },
  ]);
  deepStrictEqual(await Deno.readTextFile(dir.join("a.txt")), "1 two and three\n");
  const { mtime } = await Deno.lstat(dir.join("a.txt"));
  deepStrictEqual(answer, {
    ok: true,
    facts: {
      path: "a.txt",
      real: dir.join("a.txt"),
      kind: "file",
      size: 16,
      mtimeMs: mtime?.getTime(),
      mode: 0o644,
    },
  });
  deepStrictEqual(await names(dir.path), ["a.txt"]);
});

testFiles("replace() refuses a file that changed, with what is there now", async (open) => {
  await using dir = await tempDir({ "a.txt": "one" });
  const files = filesOf(open, dir);
  const version = await versionOf(files, "a.txt");
  await Deno.writeTextFile(dir.join("a.txt"), "two");
  const now = await files.read("a.txt");
  const { ok: _, ...current } = now.ok ? now : { ok: false };
  deepStrictEqual(await files.replace("a.txt", version, []), {
    ok: false,
    reason: "stale",
    path: "a.txt",
    message: "a.txt changed since it was read: read it again",
    current,
  });
  deepStrictEqual(await Deno.readTextFile(dir.join("a.txt")), "two");
});

testFiles("replace() keeps mode, and owner where it may", async (open, t) => {
  for (const mode of [0o640, 0o755, 0o600, 0o4750]) {
    await t.step(mode.toString(8), async () => {
      await using dir = await tempDir({ "a": "one" });
      await Deno.chmod(dir.join("a"), mode);
      await replaceFirst(filesOf(open, dir), "a", "ONE");
      deepStrictEqual(((await Deno.lstat(dir.join("a"))).mode ?? 0) & 0o7777, mode);
    });
  }
  await t.step({
    name: "owner (needs root)",
    ignore: Deno.uid() !== 0,
    async fn() {
      await using dir = await tempDir({ "a": "one" });
      await Deno.chown(dir.join("a"), 1234, 2345);
      await Deno.chmod(dir.join("a"), 0o2755);
      await replaceFirst(filesOf(open, dir), "a", "ONE");
      const { uid, gid, mode } = await Deno.lstat(dir.join("a"));
      deepStrictEqual([uid, gid, (mode ?? 0) & 0o7777], [1234, 2345, 0o2755]);
    },
  });
});

testFiles("replace() through a link changes the target, and the link stays", async (open) => {
  await using dir = await tempDir({ "sub/a": "one" });
  await Deno.symlink("sub/a", dir.join("link"));
  await Deno.symlink("link", dir.join("link2"));
  await replaceFirst(filesOf(open, dir), "link2", "O");
  deepStrictEqual(
    [await Deno.readLink(dir.join("link2")), await Deno.readTextFile(dir.join("sub/a"))],
    ["link", "One"],
  );
  deepStrictEqual([await names(dir.path), await names(dir.join("sub"))], [
    ["link", "link2", "sub"],
    ["a"],
  ]);
});

testFiles("replace() writes a file of several names in place, longer and shorter", async (open) => {
  await using dir = await tempDir({ "a": "one two" });
  await Deno.link(dir.join("a"), dir.join("b"));
  const files = filesOf(open, dir);
  await replaceFirst(files, "a", "1111111111");
  deepStrictEqual(await Deno.readTextFile(dir.join("b")), "1111111111ne two");
  const version = await versionOf(files, "b");
  await files.replace("b", version, [{ start: 1, end: 16, bytes: bytesOf("") }]);
  deepStrictEqual(await Deno.readTextFile(dir.join("a")), "1");
  deepStrictEqual((await Deno.lstat(dir.join("a"))).nlink, 2);
});

testFiles("parallel replaces of one file lose nothing, under whatever name", async (open) => {
  await using dir = await tempDir({ "log": "" });
  await Deno.symlink("log", dir.join("link"));
  const files = filesOf(open, dir);
  /** As a tool does: on `stale` it tries again on the content that it was given. */
  async function append(path: string, line: string): Promise<void> {
    let version = await versionOf(files, path);
    while (true) {
      const end = version.size;
      const answer = await files.replace(path, version, [{
        start: end,
        end,
        bytes: bytesOf(line),
      }]);
      if (answer.ok) return;
      if (!("current" in answer)) throw new Error(answer.message);
      version = answer.current.version;
    }
  }
  const lines = Array.from({ length: 24 }, (_, index) => `line ${index}\n`);
  await Promise.all(lines.map((line, index) => append(index % 2 ? "log" : "link", line)));
  const written = (await Deno.readTextFile(dir.join("log"))).split(/(?<=\n)/);
  deepStrictEqual(written.sort(), lines.sort());
});

testFiles("replace() of a big file", async (open) => {
  await using dir = await tempDir({});
  const big = new Uint8Array(20 * 1024 * 1024).fill(97);
  await Deno.writeFile(dir.join("big"), big);
  await replaceFirst(filesOf(open, dir), "big", "b");
  big[0] = 98;
  const now = await Deno.readFile(dir.join("big"));
  deepStrictEqual(now.length === big.length && now.every((byte, at) => byte === big[at]), true);
});

testFiles("replace() refuses what is no file", async (open, t) => {
  await using dir = await tempDir({ "folder/": "" });
  const version = { size: 0, hash: "" };
  const cases: [path: string, message: string][] = [
    ["folder", "folder is a folder, not a file"],
    ["missing", "missing is not there"],
  ];
  for (const [path, message] of cases) {
    await t.step(path, async () => {
      const refusal = { ok: false, reason: "not_a_file", path, message };
      deepStrictEqual(await filesOf(open, dir).replace(path, version, []), refusal);
      deepStrictEqual(await filesOf(open, dir).remove(path, version), refusal);
    });
  }
});

testFiles("replace() of a read-only file fails, as in an editor (not as root)", async (open) => {
  await using dir = await tempDir({ "a": "one" });
  await Deno.chmod(dir.join("a"), 0o444);
  await rejects(replaceFirst(filesOf(open, dir), "a", "x"));
  deepStrictEqual(await Deno.readTextFile(dir.join("a")), "one");
}, { ignore: Deno.uid() === 0 });

testFiles("in a read-only folder nothing is changed or left behind (not as root)", async (open) => {
  await using dir = await tempDir({ "sub/a": "one" });
  await Deno.chmod(dir.join("sub"), 0o555);
  try {
    await rejects(replaceFirst(filesOf(open, dir), "sub/a", "x"), Deno.errors.PermissionDenied);
    await rejects(filesOf(open, dir).create("sub/b", bytesOf("x")), Deno.errors.PermissionDenied);
    deepStrictEqual(await names(dir.join("sub")), ["a"]);
  } finally {
    await Deno.chmod(dir.join("sub"), 0o755);
  }
}, { ignore: Deno.uid() === 0 });

Deno.test("where a write fails the old bytes stay and nothing lies beside them", async (t) => {
  for (const kind of ["single", "hard-linked", "new"] as const) {
    await t.step(kind, async () => {
      const old = "o".repeat(4096);
      await using dir = await tempDir({ "a": old });
      if (kind === "hard-linked") await Deno.link(dir.join("a"), dir.join("b"));
      const before = await names(dir.path);
      const said = await writeUnderLimit(dir, kind === "new" ? "x/y/c" : "a");
      deepStrictEqual(said, "File too large (os error 27)");
      deepStrictEqual(await Deno.readTextFile(dir.join("a")), old);
      deepStrictEqual(await names(dir.path), before);
    });
  }
});

/**
 * Grows a file past a limit of size that the kernel sets on a process of ours, root or not; answers
 * what the error says.
 */
async function writeUnderLimit(dir: TempDir, path: string): Promise<string> {
  const script = `
    import { createFiles } from ${
    JSON.stringify(import.meta.resolve("../../../sandbox/files/guarded_files.ts"))
  };
    const files = createFiles({ roots: { workspace: Deno.cwd() }, cwd: () => Deno.cwd() });
    const read = await files.read(${JSON.stringify(path)});
    const bytes = new Uint8Array(1024 * 1024);
    try {
      const answer = read.ok
        ? await files.replace(${JSON.stringify(path)}, read.version, [{ start: 0, end: 1, bytes }])
        : await files.create(${JSON.stringify(path)}, bytes);
      console.log(JSON.stringify(answer));
    } catch (error) {
      console.log(error.message);
    }
  `;
  await using programs = await tempDir({ "write.ts": script });
  const limited = 'ulimit -f 64; trap "" XFSZ; exec "$@"';
  const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));
  const deno = [Deno.execPath(), "run", "--no-prompt", "--cached-only", "--config", config];
  const rights = [`--allow-read=${dir.path}`, `--allow-write=${dir.path}`];
  const child = new Deno.Command("bash", {
    args: ["-c", limited, "bash", ...deno, ...rights, programs.join("write.ts")],
    cwd: dir.path,
    env: Deno.env.toObject(),
    clearEnv: true,
    detached: true,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return (await new Response(child.stdout).text()).trim();
}

testFiles("create() makes the file and its folders, and never takes a name", async (open) => {
  await using dir = await tempDir({ "a": "one" });
  const files = filesOf(open, dir);
  const created = await files.create("new/deep/b.sh", bytesOf("#!"), { mode: 0o750 });
  deepStrictEqual(created.ok && [created.facts.path, created.facts.mode, created.facts.size], [
    "new/deep/b.sh",
    0o750,
    2,
  ]);
  deepStrictEqual(await names(dir.join("new/deep")), ["b.sh"]);
  for (const [path, how] of [["a", "and was left alone"], ["new", "as a folder"]] as const) {
    deepStrictEqual(await files.create(path, bytesOf("x")), {
      ok: false,
      reason: "exists",
      path,
      message: `${path} is there already ${how}`,
    });
  }
  deepStrictEqual(await Deno.readTextFile(dir.join("a")), "one");
});

testFiles("create() at a dangling link makes its target", async (open) => {
  await using dir = await tempDir({});
  await Deno.symlink("later/x", dir.join("link"));
  deepStrictEqual((await filesOf(open, dir).create("link", bytesOf("x"))).ok, true);
  deepStrictEqual(
    [await Deno.readLink(dir.join("link")), await Deno.readTextFile(dir.join("later/x"))],
    ["later/x", "x"],
  );
});

testFiles("of parallel creates of one name one wins", async (open) => {
  await using dir = await tempDir({});
  const one = filesOf(open, dir);
  const other = filesOf(open, dir);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => (index % 2 ? one : other).create("f", bytesOf("x"))),
  );
  deepStrictEqual(answers.filter(({ ok }) => ok).length, 1);
  deepStrictEqual(await names(dir.path), ["f"]);
});

testFiles(
  "remove() takes the name that it was given, if the content is as expected",
  async (open) => {
    await using dir = await tempDir({ "a": "one", "b": "two" });
    await Deno.symlink("b", dir.join("link"));
    const files = filesOf(open, dir);
    const version = await versionOf(files, "a");
    await Deno.writeTextFile(dir.join("a"), "other");
    const refused = await files.remove("a", version);
    deepStrictEqual(refused.ok ? "ok" : refused.reason, "stale");
    deepStrictEqual(await files.remove("a", await versionOf(files, "a")), { ok: true, path: "a" });
    deepStrictEqual(await files.remove("link", await versionOf(files, "link")), {
      ok: true,
      path: "link",
    });
    deepStrictEqual(await names(dir.path), ["b"]);
  },
);

Deno.test("applySplices() equals cutting by hand, and refuses what is out of order", () => {
  const sorted = fc.uniqueArray(fc.nat(60), { maxLength: 8 })
    .map((offsets) => offsets.sort((a, b) => a - b));
  fc.assert(fc.property(fc.uint8Array({ minLength: 60, maxLength: 80 }), sorted, (bytes, at) => {
    const splices: Splice[] = [];
    let want: number[] = [...bytes];
    for (let index = 0; index + 1 < at.length; index += 2) {
      const [start = 0, end = 0] = at.slice(index, index + 2);
      splices.push({ start, end, bytes: Uint8Array.of(1, 2, 3) });
    }
    for (const { start, end, bytes: piece } of splices.toReversed()) {
      want = [...want.slice(0, start), ...piece, ...want.slice(end)];
    }
    deepStrictEqual([...applySplices(bytes, splices)], want);
  }));
  const piece = new Uint8Array();
  for (const [start, end] of [[2, 1], [0, 4], [-1, 0], [NaN, 1]] as const) {
    throws(() => applySplices(new Uint8Array(3), [{ start, end, bytes: piece }]), RangeError);
  }
  const overlapping = [{ start: 0, end: 2, bytes: piece }, { start: 1, end: 3, bytes: piece }];
  throws(() => applySplices(new Uint8Array(3), overlapping), RangeError);
});
