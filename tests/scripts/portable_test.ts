import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../scripts/compile/contents.ts";
import { buildPortable } from "../../scripts/compile/portable.ts";
import { tempDir } from "../helpers/temp_dir.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/portable/main.ts", import.meta.url));

/** An ordinary user, to act as when tests run as root: nobody. */
const NOBODY = 65534;
const isRoot = Deno.uid() === 0;

interface Start {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
}

interface Ended {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly pid: number;
}

/** What the folder of an unpacked binary holds, and nothing else. */
const UNPACKED = ["deno_dir", "listing", "node_modules", "program", "used"];

/** Builds once for all tests of this file; each runs it with a home of its own. */
let built: Promise<string> | undefined;

function binary(): Promise<string> {
  return built ??= build("dist/tests/portable-fixture");
}

async function build(output: string): Promise<string> {
  const path = output.startsWith("/") ? output : ROOT + output;
  await buildPortable({ entry: FIXTURE, unbundled: ["picomatch"], output: path });
  return path;
}

const PATH = Deno.env.get("PATH") ?? "/usr/bin:/bin";

function spawn(command: string, { args = [], env = {}, cwd }: Start): Deno.ChildProcess {
  return new Deno.Command(command, {
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    clearEnv: true,
    env: { PATH, ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function run(command: string, start: Start): Promise<Ended> {
  const child = spawn(command, start);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(start.stdin ?? "")).catch(ignoreBrokenPipe);
  await writer.close().catch(ignoreBrokenPipe);
  const { code, signal, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return {
    code,
    signal,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
    pid: child.pid,
  };
}

/** A program that ends without reading its input is no failure of the test. */
function ignoreBrokenPipe(error: unknown): void {
  if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** The one unpacked folder below a home. */
function unpacked(home: string): string {
  const cache = `${home}/.cache/cordon`;
  const [only, ...others] = names(cache);
  deepStrictEqual(others, []);
  return `${cache}/${only}`;
}

Deno.test("portable binary passes arguments, input, folder and environment unchanged", async () => {
  await using home = await tempDir({ "work/": "" });
  const args = ["a b", "", "x\ny", "--allow-all", "--", "-", "$HOME", "*", "'\"\\", "日本語"];
  const env = {
    HOME: home.path,
    "DENO_DIR": "/nowhere",
    DENO_V8_FLAGS: "--no-such-flag",
    cordon_like: "1",
    MANY: "a\nexport DENO_CONDITIONS=x\nb",
  };
  const start = { args: ["report", ...args], env, cwd: home.join("work"), stdin: "in\n\0put" };
  for (const when of ["first start", "second start"]) {
    const { stdout, stderr, code, pid } = await run(await binary(), start);
    strictEqual(stderr, "", when);
    const { env: seen, ...rest } = JSON.parse(stdout);
    deepStrictEqual(rest, { args, cwd: home.join("work"), pid, stdin: "in\n\0put" }, when);
    // The shell itself may set these where nobody did.
    for (const name of ["PWD", "OLDPWD", "SHLVL", "_"]) delete seen[name];
    deepStrictEqual(seen, { PATH, ...env }, when);
    strictEqual(code, 0, when);
  }
});

Deno.test("portable binary ends as the program ends", async (t) => {
  await using home = await tempDir();
  const env = { HOME: home.path };
  for (const code of [0, 1, 4, 78, 143]) {
    await t.step(`exit code ${code}`, async () => {
      strictEqual((await run(await binary(), { args: ["exit", `${code}`], env })).code, code);
    });
  }
  const signals: [name: string, how: string, signal: Deno.Signal, code: number, seen: unknown][] = [
    ["a signal ends it", "plain", "SIGTERM", 143, "SIGTERM"],
    ["a handled signal", "handled", "SIGTERM", 143, null],
    ["interrupt", "plain", "SIGINT", 130, "SIGINT"],
    ["kill", "plain", "SIGKILL", 137, "SIGKILL"],
  ];
  for (const [name, how, signal, code, seen] of signals) {
    await t.step(name, async () => {
      const child = spawn(await binary(), { args: ["wait", how], env });
      const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      strictEqual((await reader.read()).value?.trim(), `${child.pid}`);
      child.kill(signal);
      const status = await child.status;
      deepStrictEqual([status.code, status.signal], [code, seen]);
      await Promise.all([reader.cancel(), child.stderr.cancel(), child.stdin.close()]);
    });
  }
});

Deno.test("portable binary carries what the program needs", async (t) => {
  await using home = await tempDir();
  const cases: [verb: string, stdout: string][] = [
    ["lazy", "before\nlazy module runs\nanswered\n"],
    ["bytes", "0 1 255 10\n"],
    ["package", "true\n"],
    [
      "rights",
      "read granted\nwrite granted\nrun granted\nnet granted\nenv granted\nsys granted\n" +
      "ffi prompt\nimport denied\n",
    ],
  ];
  for (const [verb, stdout] of cases) {
    await t.step(verb, async () => {
      const ended = await run(await binary(), { args: [verb], env: { HOME: home.path } });
      deepStrictEqual([ended.stdout, ended.stderr], [stdout, ""]);
    });
  }
});

Deno.test("portable binary takes nothing from the folder it is started in", async () => {
  await using dir = await tempDir({
    "home/package.json": `{"name":"h","type":"commonjs"`,
    "work/deno.json": `{"imports":{"picomatch":"./evil.js"},"preload":["./evil.js"]}`,
    "work/deno.lock": "not a lock file",
    "work/package.json": `{"name":"w","dependencies":{"picomatch":"file:./evil.js"}}`,
    "work/.npmrc": "registry=http://127.0.0.1:9/",
    "work/.env": "EVIL=1\n",
    "work/evil.js": "console.log('evil'); export default () => () => 'evil';",
    "work/node_modules/picomatch/package.json": `{"name":"picomatch","main":"../../evil.js"}`,
  });
  const start = { env: { HOME: dir.join("home") }, cwd: dir.join("work") };
  const ended = await run(await binary(), { ...start, args: ["package"] });
  deepStrictEqual([ended.stdout, ended.stderr], ["true\n", ""]);
  const report = JSON.parse((await run(await binary(), { ...start, args: ["report"] })).stdout);
  strictEqual(report.env.EVIL, undefined);
});

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

Deno.test("portable binary works wherever it and its cache lie, and in each shell", async (t) => {
  const odd = "a  b 日本語 ,'\"#%41?&;$(x)\\";
  await using dir = await tempDir({ [`${odd}/`]: "" });
  const path = dir.join(odd, "-cordon");
  await Deno.copyFile(await binary(), path);
  const expected = ["before\nlazy module runs\nanswered\n", ""];
  await t.step("odd names", async () => {
    const ended = await run(path, { args: ["lazy"], env: { XDG_CACHE_HOME: dir.join(odd) } });
    deepStrictEqual([ended.stdout, ended.stderr], expected);
  });
  await t.step("found on PATH", async () => {
    const env = { HOME: dir.path, PATH: `${dir.join(odd)}:${PATH}` };
    const ended = await run("sh", { args: ["-c", '"$0" lazy', "-cordon"], env });
    deepStrictEqual([ended.stdout, ended.stderr], expected);
  });
  for (const shell of ["bash", "dash"]) {
    await t.step(shell, async () => {
      const env = { HOME: dir.join(odd), DENO_V8_FLAGS: "--no-such-flag" };
      const ended = await run(shell, { args: [await binary(), "lazy"], env });
      deepStrictEqual([ended.stdout, ended.stderr], expected);
    });
  }
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

Deno.test("buildPortable() builds the same bytes again", async () => {
  await using dir = await tempDir();
  const again = await Deno.readFile(await build(dir.join("again")));
  const first = await Deno.readFile(await binary());
  ok(again.every((byte, index) => byte === first[index]));
  strictEqual(again.length, first.length);
  notStrictEqual((Deno.statSync(dir.join("again")).mode ?? 0) & 0o111, 0);
});
