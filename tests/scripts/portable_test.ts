import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { binary, build, PATH, run, spawn } from "../helpers/portable_fixture.ts";
import { tempDir } from "../helpers/temp_dir.ts";

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

Deno.test("buildPortable() builds the same bytes again", async () => {
  await using dir = await tempDir();
  const again = await Deno.readFile(await build(dir.join("again")));
  const first = await Deno.readFile(await binary());
  ok(again.every((byte, index) => byte === first[index]));
  strictEqual(again.length, first.length);
  notStrictEqual((Deno.statSync(dir.join("again")).mode ?? 0) & 0o111, 0);
});
