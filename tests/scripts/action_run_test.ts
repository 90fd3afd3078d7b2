import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { missingPrograms, PROGRAMS } from "../../scripts/setup.ts";
import { type ActionJob, type ActionRun, runAction } from "../helpers/action_runner.ts";
import { baseEnvironment, calling, sourceLine, type Turn } from "../helpers/cordon.ts";
import { git, makeRepository } from "../helpers/git.ts";
import { modelServer } from "../helpers/model_server.ts";
import { type TempDir, tempDir } from "../helpers/temp_dir.ts";

const KEY = "key-of-nobody-0123456789";

const missing = missingPrograms(
  PROGRAMS.filter(({ name }) => ["bash", "git", "jq"].includes(name)),
  Deno.env.get("PATH") ?? "",
);

/** A job with a repository of one commit; `cordon` is the program from source. */
interface World extends AsyncDisposable {
  readonly dir: TempDir;
  run(inputs: Readonly<Record<string, string>>, more?: Partial<ActionJob>): Promise<ActionRun>;
  /** Writes a script and resolves to the model that plays it. */
  script(...turns: readonly Turn[]): Promise<string>;
  /** Makes a program that is given as `binary`, in place of ours. */
  program(text: string): Promise<string>;
}

async function newJob(): Promise<World> {
  const dir = await tempDir({ "work/a.txt": "one\n", "temp/home/": "" });
  await makeRepository(dir.join("work"));
  const program = async (text: string) => {
    await Deno.writeTextFile(dir.join("program"), text);
    await Deno.chmod(dir.join("program"), 0o755);
    return dir.join("program");
  };
  const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");
  const { DENO_DIR } = await baseEnvironment();
  const cordon = `#!/bin/sh\nexport DENO_DIR='${DENO_DIR}'\nexec ${quoted(sourceLine([]))} "$@"\n`;
  return {
    dir,
    program,
    async run(inputs, more = {}) {
      const binary = inputs.binary ?? await program(cordon);
      return await runAction({
        inputs: { view: "false", ...inputs, binary },
        workspace: dir.join("work"),
        temp: dir.join("temp"),
        ...more,
      });
    },
    async script(...turns) {
      await Deno.writeTextFile(dir.join("script.json"), JSON.stringify({ turns }));
      return `scripted:${dir.join("script.json")}`;
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

function actionTest(name: string, fn: (world: World, t: Deno.TestContext) => Promise<void>): void {
  Deno.test({
    name: `action: ${name} (needs git and jq)`,
    ignore: missing.length > 0,
    fn: async (t) => {
      await using world = await newJob();
      await fn(world, t);
    },
  });
}

actionTest("a task that changes files: outputs, summary, a patch that applies", async (world) => {
  const model = await world.script(
    calling("write_file", { path: "b.txt", content: "two\n" }),
    { text: "Wrote **b.txt**.\nNothing else." },
  );
  const run = await world.run({ model, prompt: "write b" });
  strictEqual(run.code, 0, run.log);
  const { patch = "", result = "", ...outputs } = run.outputs;
  deepStrictEqual(outputs, {
    answer: "Wrote **b.txt**.\nNothing else.",
    reason: "done",
    "exit-code": "0",
    turns: "2",
    changed: "true",
  });
  match(run.summary, /^### Cordon: done\n\nWrote \*\*b\.txt\*\*\.\nNothing else\.\n/);
  match(run.summary, /exit code 0, 2 turns, tokens: 0 in, 0 out, files changed: true/);
  strictEqual(JSON.parse(await Deno.readTextFile(result)).reason, "done");
  await git(world.dir.join("work"), "clean", "-fdq");
  await git(world.dir.join("work"), "apply", patch);
  strictEqual(await Deno.readTextFile(world.dir.join("work/b.txt")), "two\n");
});

actionTest("a limit, and nothing changed", async (world) => {
  const model = await world.script(calling("read_file", { path: "a.txt" }), { text: "never" });
  const run = await world.run({ model, prompt: "read a", "max-turns": "1" });
  strictEqual(run.code, 3, run.log);
  deepStrictEqual([run.outputs.reason, run.outputs.changed], ["turn_limit", "false"]);
  match(run.log, /^::error title=Cordon::/m);
});

actionTest("a model error, with its words in the summary and the key nowhere", async (world) => {
  await using server = await modelServer([
    { status: 400, body: { error: { message: `no such model for ${KEY}` } } },
  ]);
  const inputs = { model: "m", "base-url": server.url, prompt: "go", "api-key": `${KEY}\n` };
  const run = await world.run(inputs);
  ok(run.code !== 0);
  strictEqual(run.outputs.reason, "model_error");
  match(run.summary, /error: .*no such model/);
  strictEqual(server.requests[0]?.headers.get("authorization"), `Bearer ${KEY}`);
  strictEqual(JSON.stringify(run).includes(KEY), false);
});

actionTest("a missing key ends with 76 and says which", async (world) => {
  const run = await world.run({ model: "gpt-5", prompt: "go" });
  deepStrictEqual([run.code, run.outputs["exit-code"]], [76, "76"]);
  match(run.summary, /OPENAI_API_KEY/);
});

actionTest(
  "a key is given under its name alone, and a name that is none is refused",
  async (world) => {
    const inputs = { model: "m", prompt: "go", "api-key": KEY };
    const binary = await world.program('#!/bin/sh\nenv | cut -d= -f1 | sort >"$HOME/seen"\n');
    await world.run({ ...inputs, binary, "api-key-name": "WORK_TOKEN" });
    const seen = (await Deno.readTextFile(world.dir.join("temp/home/seen"))).trimEnd().split("\n");
    const shell = ["OLDPWD", "PWD", "SHLVL", "_"];
    deepStrictEqual(seen.filter((name) => !shell.includes(name)), [
      "CI",
      "HOME",
      "LANG",
      "NO_COLOR",
      "PATH",
      "TMPDIR",
      "WORK_TOKEN",
    ]);
    const refused = await world.run({ ...inputs, binary, "api-key-name": "LD_PRELOAD" });
    strictEqual(refused.code, 2);
    match(refused.log, /::error title=Cordon::Cannot ask the model: api-key-name "LD_PRELOAD"/);
  },
);

actionTest(
  "a repository that git cannot read any more is told, and the rest reported",
  async (world) => {
    const binary = await world.program(`#!/bin/sh
[ "$1" = --version ] || rm -rf .git/objects/*
echo '{"reason": "done", "text": "mended"}'
`);
    const run = await world.run({ model: "m", prompt: "go", binary });
    deepStrictEqual([run.code, run.outputs.answer], [0, "mended"]);
    match(run.log, /^::warning title=Cordon::git could not say/m);
  },
);

actionTest("a program that prints no result at all", async (world) => {
  const binary = await world.program("#!/bin/sh\n[ $1 = --version ] || { echo oops; exit 9; }\n");
  const run = await world.run({ model: "m", prompt: "go", binary });
  deepStrictEqual([run.code, run.outputs.reason, run.outputs.answer], [9, "failed", ""]);
  match(run.log, /^oops$/m);
});

actionTest("a program that tells the key, and commands to the runner", async (world) => {
  const key = 'a"key\\of nobody';
  const result = JSON.stringify({ type: "result", reason: "done", text: `::add-path::/x\n${key}` });
  await Deno.writeTextFile(world.dir.join("result"), result);
  const binary = await world.program(`#!/bin/sh
[ "$1" != --version ] || exit 0
cat '${world.dir.join("result")}'
printf 'warning: %s\\n' "$OPENAI_API_KEY" >&2
`);
  const run = await world.run({ model: "m", prompt: "go", binary, "api-key": key });
  strictEqual(run.code, 0, run.log);
  strictEqual(run.outputs.answer, "::add-path::/x\n[redacted]");
  const all = JSON.stringify(run) + await Deno.readTextFile(run.outputs.result ?? "");
  strictEqual(all.includes(key) || all.includes(JSON.stringify(key).slice(1, -1)), false);
  const token = /^::stop-commands::([0-9a-f]{32})$/m.exec(run.log)?.[1];
  const guarded = run.log.slice(
    run.log.indexOf("::stop-commands::"),
    run.log.indexOf(`::${token}::`),
  );
  ok(token !== undefined && guarded.includes("::add-path::/x"));
});

actionTest(
  "an answer with a picture is shown as text, one without is Markdown",
  async (world, t) => {
    const cases: [answer: string, shown: string][] = [
      ["see `vec<img>`: **bold**", "```text\nsee `vec<img>`: **bold**\n```\n"],
      ["![x](https://evil.example/?q=1)", "```text\n![x](https://evil.example/?q=1)\n```\n"],
      ["```\n![a][b]\n```", "````text\n```\n![a][b]\n```\n````\n"],
      ["**bold** and a < b", "**bold** and a < b\n"],
    ];
    for (const [answer, shown] of cases) {
      await t.step(answer, async () => {
        const result = JSON.stringify({ type: "result", reason: "done", text: answer });
        await Deno.writeTextFile(world.dir.join("result"), result);
        const binary = await world.program(`#!/bin/sh\ncat '${world.dir.join("result")}'\n`);
        const { summary } = await world.run({ model: "m", prompt: "go", binary });
        strictEqual(summary.split("\n\n").slice(1).join("\n\n").startsWith(shown), true, summary);
      });
    }
  },
);

/** Prints its last argument and its stdin, in the place of Cordon. */
const ECHO = `#!/bin/sh
[ "$1" != --version ] || exit 0
for word; do last=$word; done
jq -Rs --arg task "$last" --arg options "$*" '{reason: "done", text: "\\($task)|\\(.)", options: $options}'
`;

function commentBy(author_association: string, body: string): unknown {
  const issue = {
    number: 7,
    title: "Dates $(id)",
    body: 'It `fails` on "leap" years',
    author_association: "NONE",
  };
  return { issue, comment: { body, author_association } };
}

actionTest("a task out of an event file", async (world, t) => {
  const binary = await world.program(ECHO);
  const inputs = { model: "m", trigger: "/cordon", binary };
  await t.step("is what follows the trigger; the issue goes in as data", async () => {
    const event = commentBy("MEMBER", "/cordon mend\n$(id) `id` it");
    const { outputs } = await world.run(inputs, { event });
    strictEqual(
      outputs.answer,
      ' mend\n$(id) `id` it|#7 Dates $(id)\n\nIt `fails` on "leap" years',
    );
  });
  const passed: [name: string, event: unknown][] = [
    ["an author without a say", commentBy("NONE", "/cordon mend it")],
    ["a trigger in the middle", commentBy("OWNER", "please /cordon mend it")],
    ["a longer word", commentBy("OWNER", "/cordonbleu mend it")],
    ["an event without text", { action: "opened" }],
  ];
  for (const [name, event] of passed) {
    await t.step(`passes over ${name}`, async () => {
      const run = await world.run(inputs, { event });
      deepStrictEqual([run.code, run.ran, run.outputs.reason], [0, ["Read the task"], "skipped"]);
    });
  }
});

actionTest("a task out of a file, and none at all", async (world) => {
  const binary = await world.program(ECHO);
  await Deno.writeTextFile(world.dir.join("work/task.md"), "do this\n");
  const run = await world.run({ model: "m", "prompt-file": "task.md", prompt: "now", binary });
  strictEqual(run.outputs.answer, "now\n\ndo this|");
  await Deno.writeTextFile(world.dir.join("secret"), "of the runner\n");
  await Deno.symlink("../secret", world.dir.join("work/out.md"));
  await Deno.symlink("task.md", world.dir.join("work/in.md"));
  const linked = await world.run({ model: "m", "prompt-file": "in.md", binary });
  strictEqual(linked.outputs.answer, "do this|");
  const refusals = ["none.md", "out.md", "../secret"].map((file) => ({ "prompt-file": file }));
  for (const inputs of [{ prompt: " \n" }, { mode: "dance" }, ...refusals]) {
    const refused = await world.run({ model: "m", binary, ...inputs });
    deepStrictEqual([refused.code, refused.ran], [2, ["Read the task"]]);
    match(refused.log, /::error title=Cordon::Cannot run the task: /);
  }
});

actionTest("a review shows the change of a pull request, in profile plan", async (world) => {
  const work = world.dir.join("work");
  const binary = await world.program(ECHO);
  const base = await git(work, "rev-parse", "HEAD");
  await Deno.writeTextFile(`${work}/a.txt`, "two\n" + "é".repeat(300_000));
  await git(work, "commit", "-q", "-am", "second");
  const sides = { base: { sha: base }, head: { sha: await git(work, "rev-parse", "HEAD") } };
  const event = { pull_request: { number: 8, title: "Two", body: null, ...sides } };
  const run = await world.run({ model: "m", mode: "review", prompt: "mind names", binary }, {
    event,
  });
  strictEqual(run.code, 0, run.log);
  const { text, options } = JSON.parse(await Deno.readTextFile(run.outputs.result ?? ""));
  match(text, /^Review the change[^|]*mind names\|#8 Two\n\ndiff --git a\/a\.txt b\/a\.txt\n/);
  match(text, /\n-one\n\+two\n/);
  match(text, /é\n\[cut after 400000 bytes\]\n$/);
  match(options, / --profile=plan /);
  const shallow = { pull_request: { ...event.pull_request, base: { sha: "0".repeat(40) } } };
  const refused = await world.run({ model: "m", mode: "review", binary }, { event: shallow });
  match(refused.log, /fetch-depth: 0/);
});
