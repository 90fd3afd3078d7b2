import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  binary,
  isRoot,
  names,
  NOBODY,
  PATH,
  run,
  spawn,
  UNPACKED,
  unpacked,
} from "../helpers/portable_fixture.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { canMount, tinyDisk } from "../helpers/tiny_disk.ts";

Deno.test("portable binary unpacks once when several start at the same time", async (t) => {
  await using home = await tempDir();
  const start = { args: ["lazy"], env: { HOME: home.path } };
  const path = await binary();
  const states: [name: string, prepare: () => void][] = [
    ["on a cold cache", () => {}],
    ["on a damaged one", () => Deno.truncateSync(`${unpacked(home.path)}/program/main.js`, 10)],
  ];
  for (const [name, prepare] of states) {
    await t.step(name, async () => {
      prepare();
      const ended = await Promise.all([1, 2, 3].map(() => run(path, start)));
      for (const { stdout, stderr } of ended) {
        deepStrictEqual([stdout, stderr], ["before\nlazy module runs\nanswered\n", ""]);
      }
      deepStrictEqual(names(unpacked(home.path)), UNPACKED);
    });
  }
});

Deno.test("portable binary notices a damaged cache and unpacks again", async (t) => {
  await using home = await tempDir();
  const start = { args: ["lazy"], env: { HOME: home.path } };
  await run(await binary(), start);
  const folder = unpacked(home.path);
  const inode = () => Deno.statSync(`${folder}/program/main.js`).ino;
  const lazy = names(`${folder}/program`).find((name) => name.startsWith("lazy"));
  const damages: [name: string, damage: () => void][] = [
    ["bundle cut", () => Deno.truncateSync(`${folder}/program/main.js`, 10)],
    ["deno cut", () => Deno.truncateSync(`${folder}/program/deno`, 1_000)],
    ["lazy part gone", () => Deno.removeSync(`${folder}/program/${lazy}`)],
    ["file added", () => Deno.writeTextFileSync(`${folder}/program/x.js`, "")],
    ["file written again", () => Deno.writeTextFileSync(`${folder}/program/main.js`, "evil")],
    ["listing gone", () => Deno.removeSync(`${folder}/listing`)],
    ["all gone", () => Deno.removeSync(folder, { recursive: true })],
  ];
  for (const [name, damage] of damages) {
    await t.step(name, async () => {
      damage();
      const { stdout, stderr } = await run(await binary(), start);
      deepStrictEqual([stdout, stderr], ["before\nlazy module runs\nanswered\n", ""]);
      deepStrictEqual(names(unpacked(home.path)), UNPACKED);
    });
  }
  await t.step("a whole one is left as it is", async () => {
    const before = inode();
    await run(await binary(), start);
    strictEqual(inode(), before);
  });
});

Deno.test("portable binary goes elsewhere when the cache cannot be used", async (t) => {
  const cases: [name: string, spoil: (cache: string) => void, why: RegExp, ignore?: boolean][] = [
    ["its parent is a file", (cache) => {
      Deno.removeSync(cache);
      Deno.writeTextFileSync(cache, "");
    }, /it cannot be made/],
    ["it is a link", (cache) => {
      Deno.mkdirSync(`${cache}/elsewhere`);
      Deno.symlinkSync("elsewhere", `${cache}/cordon`);
    }, /not a folder that only you can write/],
    ["others may write it", (cache) => {
      Deno.mkdirSync(`${cache}/cordon`);
      Deno.chmodSync(`${cache}/cordon`, 0o777);
    }, /not a folder that only you can write/],
    [
      "it is somebody else's (needs root)",
      (cache) => {
        Deno.mkdirSync(`${cache}/cordon`, { mode: 0o755 });
        Deno.chownSync(`${cache}/cordon`, NOBODY, NOBODY);
      },
      /not a folder that only you can write/,
      !isRoot,
    ],
  ];
  for (const [name, spoil, why, ignore = false] of cases) {
    await t.step({
      name,
      ignore,
      fn: async () => {
        await using dir = await tempDir({ "home/.cache/": "", "tmp/": "" });
        spoil(dir.join("home/.cache"));
        const env = { HOME: dir.join("home"), TMPDIR: dir.join("tmp") };
        const first = await run(await binary(), { args: ["lazy"], env });
        strictEqual(first.code, 0);
        match(first.stderr, why);
        match(first.stderr, /^cordon: Cannot unpack into "[^\n]*" instead\n$/);
        const folder = dir.join("tmp", `cordon-${Deno.uid()}`);
        strictEqual((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
        strictEqual((await run(await binary(), { args: ["lazy"], env })).stderr, "");
      },
    });
  }
  await t.step("no HOME", async () => {
    await using dir = await tempDir();
    const ended = await run(await binary(), { args: ["exit", "7"], env: { TMPDIR: dir.path } });
    strictEqual(ended.code, 7);
    match(ended.stderr, /neither XDG_CACHE_HOME nor HOME names one; using "/);
  });
});

Deno.test("portable binary tries a cache that cannot be used once, not at each start", async () => {
  await using dir = await tempDir({ "home/": "", "tmp/": "", "bin/": "" });
  // The disk of HOME is full.
  const tar = `#!/bin/sh\ncase $PWD in */home/*) echo full >>"$TRIES"; exit 2 ;; esac\n`;
  const real = (await run("sh", { args: ["-c", "command -v tar"] })).stdout.trim();
  await Deno.writeTextFile(dir.join("bin/tar"), `${tar}exec ${real} "$@"\n`);
  await Deno.chmod(dir.join("bin/tar"), 0o755);
  const env = {
    HOME: dir.join("home"),
    TMPDIR: dir.join("tmp"),
    TRIES: dir.join("tries"),
    PATH: `${dir.join("bin")}:${PATH}`,
  };
  const first = await run(await binary(), { args: ["lazy"], env });
  match(first.stderr, /^cordon: Cannot unpack into ".*home.*": it has no room .*; using "/);
  const second = await run(await binary(), { args: ["lazy"], env });
  for (const { stdout } of [first, second]) {
    strictEqual(stdout, "before\nlazy module runs\nanswered\n");
  }
  strictEqual(second.stderr, "");
  strictEqual(await Deno.readTextFile(dir.join("tries")), "full\n");
  // What stands in for this cache is no reason to leave another one empty.
  const cache = dir.join("cache");
  const third = await run(await binary(), {
    args: ["exit", "7"],
    env: { ...env, XDG_CACHE_HOME: cache },
  });
  deepStrictEqual([third.code, third.stderr, names(cache)], [7, "", ["cordon"]]);
});

Deno.test("portable binary names a program that it lacks for unpacking", async (t) => {
  const needed = ["cat", "gzip", "id", "ls", "mkdir", "mktemp", "mv", "rm", "tail", "tar"];
  await using dir = await tempDir({ "home/": "", "bin/": "" });
  const env = { HOME: dir.join("home"), TMPDIR: dir.join("home"), PATH: dir.join("bin") };
  for (const program of needed) {
    const { stdout } = await run("sh", { args: ["-c", `command -v ${program}`] });
    await Deno.symlink(stdout.trim(), dir.join("bin", program));
  }
  for (const program of ["gzip", "tar", "mktemp"]) {
    await t.step(program, async () => {
      const path = dir.join("bin", program);
      await Deno.rename(path, dir.join("away"));
      const ended = await run(await binary(), { args: ["lazy"], env });
      await Deno.rename(dir.join("away"), path);
      deepStrictEqual([ended.code, ended.stdout], [1, ""]);
      match(
        ended.stderr,
        new RegExp(`^cordon: Cannot unpack ".*": ${program} is not there; install it\n$`),
      );
      deepStrictEqual(names(dir.join("home")), []);
    });
  }
  await t.step("none", async () => {
    const { code, stderr } = await run(await binary(), { args: ["exit", "7"], env });
    deepStrictEqual([code, stderr], [7, ""]);
  });
});

Deno.test({
  name: "portable binary runs as an ordinary user whose HOME is read-only (needs root, setpriv)",
  ignore: !isRoot,
  fn: async () => {
    await using dir = await tempDir({ "home/": "", "tmp/": "" });
    await Deno.chmod(dir.path, 0o755);
    await Deno.chmod(dir.join("home"), 0o555);
    await Deno.chown(dir.join("tmp"), NOBODY, NOBODY);
    await Deno.copyFile(await binary(), dir.join("cordon"));
    const ids = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
    const ended = await run("setpriv", {
      args: [...ids, dir.join("cordon"), "lazy"],
      env: { HOME: dir.join("home"), TMPDIR: dir.join("tmp") },
      cwd: dir.path,
    });
    strictEqual(ended.stdout, "before\nlazy module runs\nanswered\n");
    match(ended.stderr, /it cannot be made; using "/);
    strictEqual(Deno.statSync(dir.join("tmp", `cordon-${NOBODY}`)).uid, NOBODY);
  },
});

Deno.test("portable binary says what it cannot do, and leaves nothing behind", async (t) => {
  await using dir = await tempDir({ "home/": "", "tmp/": "" });
  const env = { HOME: dir.join("home"), TMPDIR: dir.join("tmp") };
  await t.step("no room", async () => {
    // A limit on file sizes stops tar as a full disk does.
    const limited = `ulimit -f 20000; exec "$0" lazy`;
    const ended = await run("sh", { args: ["-c", limited, await binary()], env });
    strictEqual(ended.code, 1);
    match(ended.stderr, /it has no room for \d+ MB; nor into .* no room .*set XDG_CACHE_HOME/);
  });
  const whole = await Deno.readFile(await binary());
  const damages: [name: string, content: Uint8Array][] = [
    ["cut", whole.subarray(0, whole.length - 1_000)],
    ["cut early", whole.subarray(0, 1_000_000)],
    ["changed", whole.map((byte, index) => index === 20_000_000 ? byte ^ 1 : byte)],
  ];
  for (const [name, content] of damages) {
    await t.step(`a damaged file: ${name}`, async () => {
      await Deno.writeFile(dir.join("cordon"), content, { mode: 0o755 });
      const ended = await run(dir.join("cordon"), { args: ["lazy"], env });
      deepStrictEqual([ended.code, ended.stdout], [1, ""]);
      match(
        ended.stderr,
        /^cordon: Cannot unpack "[^\n]*cordon": the file is damaged; fetch it again\n$/,
      );
    });
  }
  for (const cache of ["home/.cache/cordon", `tmp/cordon-${Deno.uid()}`]) {
    deepStrictEqual(names(dir.join(cache)), []);
  }
});

Deno.test({
  name:
    "portable binary goes elsewhere when the disk of the cache is full (needs root that mounts)",
  ignore: !await canMount(),
  fn: async () => {
    await using disk = await tinyDisk();
    await using dir = await tempDir();
    const env = { XDG_CACHE_HOME: disk.path, TMPDIR: dir.path };
    const ended = await run(await binary(), { args: ["lazy"], env });
    deepStrictEqual([ended.code, ended.stdout], [0, "before\nlazy module runs\nanswered\n"]);
    match(ended.stderr, /^cordon: Cannot unpack into "[^\n]*": it has no room for \d+ MB; using "/);
    deepStrictEqual(names(disk.join("cordon")), []);
  },
});

Deno.test("portable binary leaves no half-unpacked folder when a signal ends it", async () => {
  await using dir = await tempDir({
    "home/": "",
    "bin/gzip": `#!/bin/sh\necho >"$HOME/started"\nread -r go <"$HOME/go"\nexit 1\n`,
  });
  await Deno.chmod(dir.join("bin/gzip"), 0o755);
  const home = dir.join("home");
  await run("mkfifo", { args: [`${home}/started`, `${home}/go`] });
  const child = spawn(await binary(), { env: { HOME: home, PATH: `${dir.join("bin")}:${PATH}` } });
  await Deno.readTextFile(`${home}/started`);
  child.kill("SIGTERM");
  await Deno.writeTextFile(`${home}/go`, "\n");
  const [{ code }] = await Promise.all([child.output(), child.stdin.close()]);
  strictEqual(code, 143);
  deepStrictEqual(names(`${home}/.cache/cordon`), []);
});

Deno.test("portable binary sweeps out versions that nobody starts any more", async () => {
  await using home = await tempDir({
    ".cache/cordon/old/used": "",
    ".cache/cordon/recent/used": "",
    ".cache/cordon/new.killed/x": "",
    ".cache/cordon/new.busy/x": "",
  });
  const cache = home.join(".cache/cordon");
  await Deno.chmod(cache, 0o700);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  await Deno.utime(`${cache}/old/used`, ago(40), ago(40));
  await Deno.utime(`${cache}/recent/used`, ago(20), ago(20));
  await Deno.utime(`${cache}/new.killed`, ago(3), ago(3));
  await run(await binary(), { args: ["exit", "0"], env: { HOME: home.path } });
  const left = names(cache);
  deepStrictEqual(left.filter((name) => name.length < 64), ["new.busy", "recent"]);
  strictEqual(left.length, 3);
});
