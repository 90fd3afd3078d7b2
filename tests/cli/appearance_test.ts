import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { calling, HEADLESS, newWorld, resultText } from "../helpers/cordon.ts";

const ESCAPE = "\x1b[";

Deno.test("colour goes by --color, then by the variables, then by the terminal", async (t) => {
  await using world = await newWorld();
  const model = await world.script({ text: "ok" });
  const cases: [env: Record<string, string>, args: string[], colour: boolean][] = [
    [{}, [], false],
    [{ FORCE_COLOR: "1" }, [], true],
    [{ CLICOLOR_FORCE: "1" }, [], true],
    [{ FORCE_COLOR: "0" }, [], false],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, [], false],
    [{ NO_COLOR: "", FORCE_COLOR: "1" }, [], true],
    [{ TERM: "dumb" }, [], false],
    [{ NO_COLOR: "1", TERM: "dumb" }, ["--color=always"], true],
    [{ FORCE_COLOR: "1" }, ["--color=never"], false],
    [{ CORDON_COLOR: "always" }, [], true],
  ];
  for (const [env, args, colour] of cases) {
    await t.step(`${JSON.stringify(env)} ${args.join(" ")}: ${colour}`, async () => {
      const { stdout, stderr } = await world.run(["-p", "-m", model, ...args, "hi"], { env });
      strictEqual(stdout, "ok\n");
      strictEqual(stderr.includes(ESCAPE), colour, stderr);
    });
  }
});

Deno.test("what models and tools say cannot drive the terminal, or break a line of JSON", async (t) => {
  const evil = "a\x1b]52;c;ZXZpbA==\x07b\x1b[2Jc\r\u009b31md\u2028e";
  const turns = [
    { text: evil, tool_calls: [{ name: "bash", arguments: { command: `echo '${evil}'` } }] },
    { text: evil },
  ];
  await using world = await newWorld();
  await t.step("text", async () => {
    const model = await world.script(...turns);
    const { stdout, stderr } = await world.run(["-p", "-m", model, "--approval=all", "hi"]);
    // deno-lint-ignore no-control-regex -- control characters are what is looked for
    const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
    ok(!control.test(stdout), JSON.stringify(stdout));
    ok(!control.test(stderr), JSON.stringify(stderr));
    strictEqual(stdout, "abc\nd\u2028e\n");
  });
  await t.step("stream-json", async () => {
    const run = await world.play(turns, ["--approval=all"]);
    strictEqual(run.code, 0);
    ok(!/[\u2028\u2029\r]/.test(run.stdout));
    strictEqual(run.events.at(-1)?.text, evil);
  });
});

Deno.test("the answer alone is on stdout, everything else on stderr", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const model = await world.script(
    { text: "First I look", tool_calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
    { text: "It says one" },
  );
  const { stdout, stderr } = await world.run(["-p", "--profile=off", "-m", model, "hi"]);
  strictEqual(stdout, "It says one\n");
  const [said, call, result, summary] = stderr.split("\n");
  deepStrictEqual([said, call], ["First I look", "> read_file a.txt"]);
  match(result ?? "", /one$/);
  match(summary ?? "", /^done: 2 turns, 0 tokens in, 0 out, \d+\.\d s$/);
});

Deno.test("tokens and cost are told at the end", async () => {
  await using world = await newWorld({
    "../home/.config/cordon/config.jsonc": '{ "prices": { "input": 2, "output": 10 } }',
  });
  const model = await world.script({ text: "ok" });
  const { stderr } = await world.run(["-p", "-m", model, "hi"]);
  match(stderr, /^done: 1 turn, 0 tokens in, 0 out, \$0\.0000, /m);
});

Deno.test("a reader that leaves ends the run quietly", async (t) => {
  for (const format of ["text", "json", "stream-json"]) {
    await t.step(format, async () => {
      await using world = await newWorld();
      const model = await world.script({ text: "ok" });
      const args = ["-p", `--output-format=${format}`, "-m", model, "--color=never", "hi"];
      const run = await world.shell('exec 3>&1; cordon "$@" 2>&3 | :', args);
      ok(!/error|Broken| {4}at /.test(run.stdout + run.stderr), run.stdout + run.stderr);
    });
  }
});

Deno.test("a full disk behind stdout is no reader that left", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "ok" });
  const run = await world.shell('cordon "$@" >/dev/full', ["-p", "-m", model, "hi"]);
  strictEqual(run.code, 1);
  match(run.stderr, /^error: Cannot write to stdout: No space left on device/m);
});

Deno.test("a workspace may have any name", async (t) => {
  for (
    const name of ["with spaces", "two\nlines", "日本語", "-dash", "a,b", "it's $HOME", "é\u0301"]
  ) {
    await t.step(JSON.stringify(name), async () => {
      await using world = await newWorld({ [`${name}/a.txt`]: "needle\n" });
      const model = await world.script(
        calling("grep", { pattern: "needle" }),
        calling("bash", { command: "pwd; ls" }),
        { text: "ok" },
      );
      const place = world.join("work", name);
      const run = await world.run([...HEADLESS, "-m", model, `--cd=${place}`, "hi"]);
      strictEqual(run.code, 0, run.stderr);
      strictEqual(run.events[0]?.cwd, place);
      const [found, listed] = run.events.filter(({ type }) => type === "tool_result");
      strictEqual(found?.text, "a.txt:1:needle");
      strictEqual(listed?.text, `${place}\na.txt`);
      strictEqual(resultText(run), "a.txt:1:needle");
      // Continued from inside, by the same name.
      const again = await world.run([...HEADLESS, "-c", "-m", model, "go on"], { cwd: place });
      strictEqual(again.events[0]?.session_id, run.events[0]?.session_id, again.stdout);
    });
  }
});
