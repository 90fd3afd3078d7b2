import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { newBatch } from "../helpers/batch_world.ts";
import { denoFolder } from "../helpers/cordon.ts";
import { canConfine } from "../helpers/confined.ts";
import { toolsOf } from "../helpers/family.ts";
import { git, makeRepository } from "../helpers/git.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { childrenWith, gone } from "../helpers/processes.ts";
import { hasTerminal } from "../helpers/terminal.ts";

/** Command lines are looked up in /proc. */
const onLinux = Deno.build.os === "linux";
const confined = await canConfine();
const hasGit = await hasProgram("git");

/** By which a run of a batch is found among processes. */
const CHILD = "--run-as-child";

const SCHEMA = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

function write(path: string, content: string) {
  return { toolCalls: [{ name: "write_file", arguments: { path, content } }] };
}

/** Whether the model has called something already. */
function hasCalled({ body }: { readonly body: { messages: readonly { role: string }[] } }) {
  return body.messages.some(({ role }) => role === "tool");
}

Deno.test("a batch does each task in a run of its own, and writes a line for each", async () => {
  await using batch = await newBatch((prompt) => {
    if (prompt.includes("count")) return { text: '{"n":7}', usage: { input: 20, output: 2 } };
    return prompt.includes("fail") ? { status: 400, body: {} } : { text: `did ${prompt}` };
  }, { "sub/a.txt": "" });
  await batch.tasks(
    { id: "one", prompt: "first" },
    { prompt: "count", schema: SCHEMA },
    { id: "bad", prompt: "fail" },
    { id: "sub", prompt: "below", cwd: "sub", model: "m2" },
  );
  const run = await batch.run(["--isolation=none", "--output-format=stream-json"]);
  strictEqual(run.code, 1, run.stderr);
  // Where nothing can be drawn over, each end has its line.
  match(run.stderr, /^one: done, 1 turn, [\d.]+ s$/m);
  match(run.stderr, /^bad: model_error, 0 turns, [\d.]+ s: .+400/m);
  strictEqual(run.stderr.includes("\x1b"), false);
  const results = (await batch.lines()).toSorted((a, b) => a.index - b.index);
  deepStrictEqual(
    results.map(({ id, index, reason, exit_code, text, result, turns }) => [
      ...[id, index, reason, exit_code, text, result, turns],
    ]),
    [
      ["one", 0, "done", 0, "did first", undefined, 1],
      ["1", 1, "done", 0, '{"n":7}', { n: 7 }, 1],
      ["bad", 2, "model_error", 1, "", undefined, 0],
      ["sub", 3, "done", 0, "did below", undefined, 1],
    ],
  );
  const [one, count, bad, sub] = results;
  deepStrictEqual([count.usage.input_tokens, count.usage.output_tokens], [20, 2]);
  match(bad.error, /400/);
  deepStrictEqual([one.workspace, sub.workspace], [batch.world.work, batch.world.join("work/sub")]);
  // Each has a session that can be looked at like any other.
  const shown = await batch.world.run(["export", one.session_id]);
  match(shown.stdout, /did first/);
  // On stdout the same lines, and at last what it all came to.
  const told = run.events.map(({ type, id }) => [type, id]);
  deepStrictEqual(told.toSorted(), [
    ...[["batch", undefined], ["task", "1"], ["task", "bad"], ["task", "one"], ["task", "sub"]],
  ]);
  const { type: _, usage: used, duration_ms: __, ...summary } = run.events.at(-1) ?? {};
  deepStrictEqual(summary, {
    ...{ exit_code: 1, tasks: 4, done: 3, failed: 1, left: 0, left_indexes: "", earlier: 0 },
    reasons: { done: 3, model_error: 1 },
    failures: [{ id: "bad", reason: "model_error", exit_code: 1, error: bad.error }],
    spent_usd: 0,
    results: batch.world.join("out/results.jsonl"),
  });
  strictEqual(used.input_tokens, results.reduce((sum, { usage }) => sum + usage.input_tokens, 0));
  const models = batch.server.requests.map(({ body }) => body.model);
  deepStrictEqual(models.filter((model) => model === "m2"), ["m2"]);
});

Deno.test("tasks work in copies of their own, which stay where something was done in them", {
  ignore: !confined || !hasGit,
}, async (t) => {
  for (const isolation of ["worktree", "copy"] as const) {
    await t.step(isolation, async () => {
      await using batch = await newBatch((prompt, request) => {
        if (prompt === "look") return { text: "seen" };
        return hasCalled(request) ? { text: "written" } : write("new.txt", prompt);
      }, { "a.txt": "a\n", ".cordon/config.jsonc": '{"prices":{"input":1,"output":1}}' });
      await makeRepository(batch.world.work);
      await batch.world.run(["trust"]);
      await Deno.writeTextFile(batch.world.join("work/dirty.txt"), "not committed\n");
      await batch.tasks({ id: "a", prompt: "A" }, { id: "b", prompt: "B" }, {
        id: "c",
        prompt: "look",
      });
      const [args, out] = isolation === "copy"
        ? [["--isolation=copy", "--out=inside"], "../work/inside/results.jsonl"]
        : [[], "results.jsonl"];
      const run = await batch.run([...args, "--jobs=2"]);
      strictEqual(run.code, 0, run.stderr);
      const results = (await batch.lines(out)).toSorted((a, b) => a.index - b.index);
      const branches = isolation === "worktree" ? ["cordon/a", "cordon/b"] : [undefined, undefined];
      deepStrictEqual(results.map(({ branch }) => branch), [...branches, undefined]);
      const [a, b, c] = results.map(({ workspace }) => workspace);
      strictEqual(c, undefined);
      strictEqual(await Deno.readTextFile(`${a}/new.txt`), "A\n");
      strictEqual(await Deno.readTextFile(`${b}/new.txt`), "B\n");
      strictEqual(await Deno.readTextFile(`${b}/dirty.txt`), "not committed\n");
      // A copy of a folder that is trusted is trusted like it.
      ok(results.every(({ usage }) => usage.cost_usd > 0));
      // What came of other tasks is nothing that a task can look at.
      const names = [...Deno.readDirSync(b)].map(({ name }) => name);
      deepStrictEqual(names.filter((name) => name !== ".git").sort(), [
        ...[".cordon", "a.txt", "dirty.txt", "new.txt"],
      ]);
      // The workspace itself is as it was.
      const changed = await git(batch.world.work, "status", "--porcelain");
      match(changed, isolation === "copy" ? /^\?\? dirty.txt\n\?\? inside\/$/ : /^\?\? dirty.txt$/);
      if (isolation === "copy") return;
      // And what a task did comes home when a person says so.
      const merged = await batch.world.run(["worktrees", "merge", "a", "--yes"]);
      strictEqual(merged.code, 0, merged.stderr);
      strictEqual(await Deno.readTextFile(batch.world.join("work/new.txt")), "A\n");
    });
  }
});

Deno.test("a batch that was killed goes on, leaves no process, and repeats no work", {
  ignore: !onLinux,
}, async () => {
  let hangs = true;
  await using batch = await newBatch((prompt) =>
    hangs && prompt >= "p2" ? { raw: [": wait\n\n"], then: "hang" } : { text: `did ${prompt}` }
  );
  await batch.tasks(...Array.from({ length: 5 }, (_, n) => ({ id: `t${n}`, prompt: `p${n}` })));
  const args = ["--isolation=none", "--jobs=2"];
  const killed = await batch.start(args);
  // Two are done, and two hang.
  await batch.server.request(4);
  const pids = await childrenWith(killed.pid, CHILD);
  strictEqual(pids.length, 2);
  killed.kill("SIGKILL");
  strictEqual((await killed.ended).signal, "SIGKILL");
  await gone(pids);
  deepStrictEqual((await batch.lines()).map(({ id }) => id).sort(), ["t0", "t1"]);
  // A crash can leave a line half written.
  const results = batch.world.join("out/results.jsonl");
  await Deno.writeTextFile(results, '{"id":"t2","exi', { append: true });
  hangs = false;
  const before = batch.prompts.length;
  const run = await batch.run(args);
  strictEqual(run.code, 0, run.stderr);
  deepStrictEqual(batch.prompts.slice(before).sort(), ["p2", "p3", "p4"]);
  deepStrictEqual(
    (await batch.lines()).map(({ id }) => id).sort(),
    Array.from({ length: 5 }, (_, n) => `t${n}`),
  );
  match(run.stderr, /warning: The last line of ".+results\.jsonl" was torn and is cut off\n/);
  match(run.stdout, /^tasks +5 +2 done with before$/m);
});

Deno.test("a batch has its folder alone, and Ctrl-C ends what runs and leaves it to go on", {
  ignore: !onLinux,
}, async () => {
  await using batch = await newBatch((prompt) =>
    prompt === "hang" ? { raw: [": wait\n\n"], then: "hang" } : { text: "did it" }
  );
  await batch.tasks({ id: "a", prompt: "go" }, { id: "b", prompt: "hang" }, {
    id: "c",
    prompt: "hang",
  });
  const args = ["--isolation=none", "--jobs=1"];
  const running = await batch.start(args);
  await batch.server.request(2);
  const second = await batch.run(args);
  strictEqual(second.code, 2);
  match(second.stderr, /^error: Cannot use ".+\/out": another batch works in it, wait for it/m);
  const pids = await childrenWith(running.pid, CHILD);
  strictEqual(pids.length, 1);
  running.kill("SIGINT");
  const run = await running.ended;
  strictEqual(run.code, 130, run.stderr);
  await gone(pids);
  deepStrictEqual((await batch.lines()).map(({ id }) => id), ["a"]);
  const [attempt] = await batch.lines("attempts.jsonl");
  deepStrictEqual([attempt.id, attempt.reason], ["b", "interrupted"]);
  match(run.stdout, /^left +2 +1-2$/m);
  strictEqual(batch.prompts.length, 2);
});

Deno.test("a run that takes too long is ended, and one that can go later is begun again when the server says so", async () => {
  let refusals = 0;
  await using batch = await newBatch((prompt) => {
    if (prompt === "hang") return { raw: [": wait\n\n"], then: "hang" };
    // Five of these end a run: it has four retries of its own.
    if (prompt !== "busy" || refusals === 5) return { text: "did it" };
    refusals++;
    return {
      status: 429,
      body: { error: { message: "slow" } },
      headers: { "retry-after-ms": "1" },
    };
  });
  await batch.tasks(
    { id: "long", prompt: "hang", timeout: 0.5 },
    { id: "a", prompt: "busy" },
    { id: "b", prompt: "go" },
  );
  const run = await batch.run(["--isolation=none", "--jobs=1"]);
  strictEqual(run.code, 1, run.stderr);
  match(run.stderr, /^a: again in 0\.0 s: .*slow/m);
  const results = await batch.lines();
  deepStrictEqual(
    results.map(({ id, attempt, reason, exit_code }) => [id, attempt, reason, exit_code]),
    [["long", 1, "time_limit", 3], ["a", 2, "done", 0], ["b", 1, "done", 0]],
  );
  deepStrictEqual((await batch.lines("attempts.jsonl")).map(({ exit_code }) => exit_code), [75]);
});

Deno.test("what can go later is done by a later run, and what failed where that is asked", async () => {
  let answers: Readonly<Record<string, number>> = { later: 429, bad: 400 };
  await using batch = await newBatch((prompt) => {
    const status = answers[prompt];
    const headers = { "retry-after": "61" };
    return status === undefined ? { text: "did it" } : { status, body: {}, headers };
  });
  await batch.tasks({ id: "a", prompt: "later" }, { id: "b", prompt: "bad" });
  const args = ["--isolation=none", "--retries=0"];
  const first = await batch.run(args);
  strictEqual(first.code, 1, first.stderr);
  match(first.stdout, /^left +1 +0$/m);
  answers = {};
  const asked = batch.prompts.length;
  strictEqual((await batch.run(args)).code, 1);
  deepStrictEqual(batch.prompts.slice(asked), ["later"]);
  const last = await batch.run([...args, "--retry-failed"]);
  strictEqual(last.code, 0, last.stderr);
  deepStrictEqual(batch.prompts.slice(asked), ["later", "bad"]);
});

Deno.test("a key that nobody takes ends a batch, and none of its tasks", async () => {
  await using batch = await newBatch(() => ({ status: 401, body: {} }));
  await batch.tasks(...Array.from({ length: 9 }, (_, n) => ({ prompt: `p${n}` })));
  const run = await batch.run(["--isolation=none", "--jobs=1"]);
  strictEqual(run.code, 76, run.stderr);
  deepStrictEqual([batch.prompts.length, await batch.lines()], [1, []]);
  match(run.stdout, /^The other tasks would end as "0" did: /m);
});

Deno.test("a batch keeps to a budget of all its tasks together", async () => {
  await using batch = await newBatch(() => ({ text: "did it", usage: { input: 10, output: 0 } }));
  const config = batch.world.join("home/.config/cordon");
  await Deno.mkdir(config, { recursive: true });
  const prices = { prices: { input: 100_000, output: 0 } };
  await Deno.writeTextFile(`${config}/config.jsonc`, JSON.stringify(prices));
  await batch.tasks(...Array.from({ length: 9 }, (_, n) => ({ prompt: `p${n}` })));
  // A task costs a dollar.
  const run = await batch.run(["--isolation=none", "--jobs=1", "--max-budget-usd=2"]);
  deepStrictEqual([run.code, batch.prompts.length], [3, 2], run.stderr);
  match(run.stdout, /^The budget of the batch is spent: 2 USD$/m);
  match(run.stdout, /^cost +\$2\.0000$/m);
});

Deno.test("a task gets no more than its batch has", { ignore: !confined }, async () => {
  await using batch = await newBatch(() => ({ text: "did it" }));
  await batch.tasks({ prompt: "all" }, { prompt: "few", tools: ["grep", "read_file"] }, {
    prompt: "without",
    tools: ["-bash"],
  });
  const run = await batch.run([
    "--isolation=none",
    "--profile=plan",
    "--tools=bash,grep,read_file",
  ]);
  strictEqual(run.code, 0, run.stderr);
  const offered = Object.fromEntries(
    batch.server.requests.map((request, at) => [batch.prompts[at], toolsOf(request).sort()]),
  );
  deepStrictEqual(offered, {
    all: ["bash", "grep", "read_file"],
    few: ["grep", "read_file"],
    without: ["grep", "read_file"],
  });
});

Deno.test("a batch hands on what Deno gave it, and no more", {
  ignore: !confined || !hasGit,
}, async () => {
  await using batch = await newBatch((_, request) =>
    hasCalled(request) ? { text: "written" } : write("new.txt", "new")
  );
  const { world, server } = batch;
  await makeRepository(world.work);
  await batch.tasks({ id: "a", prompt: "x" });
  const state = world.join("state");
  const written = [state, `${state}-worktrees`, world.join("out"), world.work];
  await Deno.mkdir(world.join("out"));
  const run = await batch.run([`--state=${state}`], {
    flags: [
      `--allow-run=bwrap,git,${Deno.execPath()}`,
      `--allow-read=${[...written, world.join("tasks.jsonl"), await denoFolder()]}`,
      `--allow-write=${written}`,
      `--allow-net=${server.host},unix:${state}`,
      ...["--allow-env=HOME,PATH,DENO_DIR,OPENAI_API_KEY", "--allow-sys"],
    ],
  });
  strictEqual(run.code, 0, run.stderr);
  const [{ workspace }] = await batch.lines();
  strictEqual(await Deno.readTextFile(`${workspace}/new.txt`), "new\n");
  // It knows its own repository, too.
  strictEqual(run.stderr.includes("cordon trust"), false, run.stderr);
});

Deno.test("tasks can come by stdin, and a changed file of tasks is told", async () => {
  await using batch = await newBatch((prompt) => ({ text: `did ${prompt}` }));
  const run = (stdin: string) =>
    batch.world.run(
      ["batch", "-", "--out=../out", "-m", "m1", `--base-url=${batch.server.url}`, "--wire=chat"]
        .concat("--isolation=none"),
      { stdin, env: { OPENAI_API_KEY: "k" } },
    );
  const first = await run('{"id":"a","prompt":"x"}\n{"id":"b","prompt":"y"}');
  strictEqual(first.code, 0, first.stderr);
  const second = await run('{"id":"a","prompt":"changed"}\n{"id":"c","prompt":"z"}\n');
  strictEqual(second.code, 0, second.stderr);
  deepStrictEqual(batch.prompts.toSorted(), ["x", "y", "z"]);
  match(second.stderr, /^warning: ".+tasks\.jsonl" changed: done as they were: a; take its line/m);
  match(second.stderr, /^warning: ".+tasks\.jsonl" changed: done, and no longer in it: b$/m);
});

Deno.test("tasks can come by a pipe that can be read once only", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using batch = await newBatch((prompt) => ({ text: `did ${prompt}` }));
  const { world, server } = batch;
  const task = JSON.stringify({ id: "a", prompt: "x" });
  const run = await world.shell(
    `mkfifo ../pipe; printf '%s\\n' '${task}' >../pipe & OPENAI_API_KEY=k cordon "$@"`,
    ["batch", "../pipe", "--out=../out", "-m=m1", `--base-url=${server.url}`, "--wire=chat"]
      .concat("--isolation=none"),
  );
  strictEqual(run.code, 0, run.stderr);
  deepStrictEqual([batch.prompts, (await batch.lines()).length], [["x"], 1]);
  strictEqual(await Deno.readTextFile(world.join("out/tasks.jsonl")), `${task}\n`);
});

Deno.test("elements of an array are done one by one, and collected", async () => {
  let status: number | undefined = 429;
  await using batch = await newBatch((prompt) =>
    prompt === "p1" && status !== undefined
      ? { status, body: {}, headers: { "retry-after": "61" } }
      : { text: `did ${prompt}` }
  );
  await batch.tasks({ id: "a", prompt: "p0" }, { id: "b", prompt: "p1" });
  const element = (n: number, ...args: string[]) =>
    batch.run(["--isolation=none", `--task=${n}`, "--retries=0", ...args]);
  const [first, second] = await Promise.all([element(0, "--output-format=json"), element(1)]);
  // A scheduler sees how the task ended.
  deepStrictEqual([first.code, second.code], [0, 75], first.stderr);
  deepStrictEqual([first.events[0]?.id, first.events[0]?.text], ["a", "did p0"]);
  const collect = () => batch.run(["--collect", "--output-format=json"]);
  const early = await collect();
  deepStrictEqual([early.code, early.events[0]?.done, early.events[0]?.left_indexes], [75, 1, "1"]);
  // Started again, what is done is not repeated.
  status = undefined;
  const asked = batch.prompts.length;
  const again = await Promise.all([element(0), element(1), element(2)]);
  deepStrictEqual(again.map(({ code }) => code), [0, 0, 2]);
  deepStrictEqual(batch.prompts.slice(asked), ["p1"]);
  match(String(again[2]?.stderr), /Cannot run task 2: ".+" has 2, which are counted from 0$/m);
  const late = await collect();
  deepStrictEqual([late.code, late.events[0]?.done, late.events[0]?.left], [0, 2, 0]);
  deepStrictEqual((await batch.lines()).map(({ id, text }) => [id, text]), [
    ["a", "did p0"],
    ["b", "did p1"],
  ]);
});

Deno.test("a batch says what it cannot use before anything is done", async (t) => {
  await using batch = await newBatch(() => ({ text: "did it" }), { "sub/a.txt": "" });
  const { world } = batch;
  await Deno.mkdir(world.join("beside"));
  const cases: readonly [name: string, text: string, args: string[], code: number, RegExp][] = [
    ["a mistake in a late line", '{"prompt":"x"}\n{"prompt":1}\n', [], 78, /line 2, column 11/],
    ["a folder beside", '{"prompt":"x","cwd":"../beside"}\n', [], 78, /lies outside of/],
    ["a schema that is none", '{"prompt":"x","schema":{"type":1}}\n', [], 78, /schema of task "0"/],
    [
      "no copies",
      '{"prompt":"x"}\n',
      ["--state=sub"],
      2,
      /lies in ".+", keep it elsewhere by --state/,
    ],
    [
      "results as workspace",
      '{"prompt":"x"}\n',
      ["--out=."],
      2,
      /it is the workspace, name another/,
    ],
  ];
  for (const [name, text, args, code, says] of cases) {
    await t.step(name, async () => {
      await Deno.writeTextFile(world.join("tasks.jsonl"), text);
      const run = await batch.run(args);
      deepStrictEqual([run.code, run.stdout], [code, ""]);
      match(run.stderr, says);
    });
  }
  await t.step("and leaves no folder behind", () => {
    deepStrictEqual([...Deno.readDirSync(world.path)].map(({ name }) => name).sort(), [
      ...["beside", "home", "tasks.jsonl", "work"],
    ]);
  });
  deepStrictEqual(batch.prompts, []);
});

Deno.test("a batch shows how it goes on at a terminal in one line", {
  ignore: !await hasTerminal(),
}, async (t) => {
  await using batch = await newBatch((prompt) =>
    prompt === "fail" ? { status: 400, body: {} } : { text: "did it" }
  );
  await batch.tasks({ id: "a", prompt: "go" }, { id: "b", prompt: "fail" });
  const args = ["--isolation=none", "--jobs=1", "--out=../terminal"];
  const CLEAR = "\r\x1b[K";
  await t.step("at a terminal", async () => {
    const run = await batch.run(args, { terminal: true, env: { TERM: "xterm" } });
    strictEqual(run.code, 1, run.stdout);
    const [, ...drawn] = run.stdout.split(CLEAR);
    strictEqual(drawn[0], "\x1b[2m0/2  running: a\x1b[22m");
    const failure = drawn.find((text) => text.includes("model_error")) ?? "";
    ok(failure.startsWith("\x1b[31mb: model_error, 0 turns, "), failure);
    ok(failure.endsWith("\x1b[39m\r\n"), failure);
    // What went well has no line of its own, and the line that was drawn is gone in the end.
    strictEqual(run.stdout.includes("a: done"), false);
    match(drawn.at(-1) ?? "", /^tasks +2\r\n/);
  });
  await t.step("without colour", async () => {
    const run = await batch.run([...args, "--retry-failed"], {
      terminal: true,
      env: { TERM: "xterm", NO_COLOR: "1" },
    });
    const drawn = run.stdout.split(CLEAR);
    ok(drawn.includes("1/2  running: b"), run.stdout);
    strictEqual(drawn.join("").includes("\x1b"), false);
  });
});
