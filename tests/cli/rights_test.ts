import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import {
  calling,
  cordon,
  type CordonRun,
  eventsOf,
  HEADLESS,
  newWorld,
  resultText,
  type World,
} from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A call of each tool that shows that it works, and what its result says. */
const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>, says: RegExp])[] = [
  ["bash", { command: "pwd" }, /\/work$/],
  ["job_list", {}, /^\[no jobs\]$/],
  ["job_output", { job_id: "1" }, /^\[no job 1: job_list shows them\]$/],
  ["job_kill", { job_id: "1" }, /^\[no job 1: job_list shows them\]$/],
  ["read_file", { path: "a.txt" }, /^ +1\tneedle$/],
  ["write_file", { path: "new.txt", content: "x" }, /new\.txt/],
  ["append_file", { path: "a.txt", content: "more" }, /a\.txt/],
  ["edit_file", { path: "a.txt", old_string: "needle", new_string: "pin" }, /pin/],
  ["patch", {
    path: "a.txt",
    patch: "<<<<<<< ORIGINAL\nneedle\n=======\npin\n>>>>>>> UPDATED",
  }, /pin/],
  ["patch_many", {
    patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-needle\n+pin\n*** End Patch",
  }, /a\.txt/],
  ["list_dir", {}, /a\.txt/],
  ["glob", { pattern: "*.txt" }, /^ +1\ta\.txt$/],
  ["grep", { pattern: "needle" }, /^a\.txt:1:needle$/m],
  ["todo_write", { todos: [{ content: "Mend", status: "pending" }] }, /- \[ \] Mend/],
];

/** The tools with plain needs, by whose absence or presence rights show. */
const CORE = "bash read_file write_file append_file edit_file list_dir glob grep".split(" ");
const READING = ["read_file", "list_dir", "glob", "grep"];

Deno.test("the line of rights --flags offers its tool, and the tool works under it", async (t) => {
  await using world = await newWorld();
  const { stdout } = await world.run(["tools"]);
  const offered = rowsOf(stdout).filter(([, standing]) => standing === "offered");
  const names = offered.map(([name]) => name);
  await t.step("every tool that is on by default is tried", () => {
    deepStrictEqual(names.filter((name) => !CALLS.some(([tool]) => tool === name)), []);
  });
  for (const [tool, args, says] of CALLS.filter(([tool]) => names.includes(tool))) {
    await t.step(tool, async () => {
      await using world = await newWorld({ "a.txt": "needle\n" });
      const model = await world.script(calling(tool, args), { text: "ok" });
      const line = await flagsLine(world, ["--tools", tool, "-m", model]);
      match(line, /^DENO_NO_UPDATE_CHECK=1 deno run --no-prompt --cached-only --frozen .*\n$/);
      doesNotMatch(line, /--allow-all|-A\b|--allow-(net|env|sys)/);
      const run = await runLine(world, line);
      strictEqual(run.code, 0, run.stderr + run.stdout);
      strictEqual(eventsOf(run, "tool_result")[0]?.is_error, false, resultText(run));
      match(resultText(run), says);
      match(run.stderr, /^No log is kept: /m);
      // The same rights, and a look at what they are good for.
      deepStrictEqual(await offeredUnder(world, line), [tool]);
    });
  }
});

Deno.test("the line names the model's server and its key, and nothing else of the net and env", async () => {
  await using world = await newWorld({ "a.txt": "needle\n" });
  await using server = await modelServer([
    { toolCalls: [{ name: "grep", arguments: { pattern: "needle" } }] },
    { text: "ok" },
  ]);
  // What comes from variables here is said by the line, under which they cannot be read.
  const env = { OPENAI_BASE_URL: server.url, CORDON_MODEL: "m", OPENAI_API_KEY: "sk-secret" };
  const line = await flagsLine(world, ["--tools=grep,read_file"], env);
  ok(line.includes(` --allow-net=${server.host} --allow-env=OPENAI_API_KEY `), line);
  const run = await runLine(world, line, env);
  strictEqual(run.code, 0, run.stderr + run.stdout);
  strictEqual(resultText(run), "a.txt:1:needle");
  strictEqual(server.requests[1]?.headers.get("authorization"), "Bearer sk-secret");
});

Deno.test("rights to read and no more: reading tools are offered, and no log is kept", async (t) => {
  const turns = [
    calling("read_file", { path: "a.txt" }),
    calling("grep", { pattern: "needle" }),
    calling("bash", { command: "ls" }),
    { text: "ok" },
  ];
  const check = (run: CordonRun, world: World) => {
    strictEqual(run.code, 0, run.stderr);
    const results = eventsOf(run, "tool_result");
    deepStrictEqual(results.map(({ is_error }) => is_error), [false, false, true]);
    match(results[1]?.text, /^a\.txt:1:needle$/);
    const [, names = ""] = /^Error: There is no tool "bash"; the tools are: (.*)$/.exec(
      results[2]?.text,
    ) ?? [];
    deepStrictEqual(core(names.split(", ")), READING);
    match(run.stderr, /^No log is kept: no folder for it is known: --state DIR$/m);
    deepStrictEqual([...Deno.readDirSync(world.join("home"))], []);
  };
  await t.step("--allow-read=.,SCRIPT with a script", async () => {
    await using world = await newWorld({ "a.txt": "needle\n" });
    const model = await world.script(...turns);
    const flags = [`--allow-read=.,${model.replace("scripted:", "")}`];
    check(await world.run([...HEADLESS, "-m", model, "hi"], { flags }), world);
  });
  await t.step("--allow-read=. --allow-net=HOST with a server", async () => {
    await using world = await newWorld({ "a.txt": "needle\n" });
    await using server = await modelServer(turns.map((turn) => ({
      ...("text" in turn ? { text: turn.text } : {}),
      toolCalls: ("tool_calls" in turn ? turn.tool_calls ?? [] : []).map((call) => ({
        name: call.name,
        arguments: JSON.stringify(call.arguments),
      })),
    })));
    const flags = ["--allow-read=.", `--allow-net=${server.host}`];
    const args = [...HEADLESS, "-m", "m", `--base-url=${server.url}`, "hi"];
    check(await world.run(args, { flags }), world);
  });
  await t.step("without the right to the server it is said before anything", async () => {
    await using world = await newWorld();
    const args = ["-p", "-m", "m", "--base-url=http://127.0.0.1:1/v1", "hi"];
    const run = await world.run(args, { flags: ["--allow-read=."] });
    strictEqual(run.code, 78);
    match(
      run.stderr,
      /^error: Cannot reach the model: --allow-net=127\.0\.0\.1:1 is not granted$/m,
    );
  });
});

Deno.test("flags after the program narrow what Deno grants", async (t) => {
  const cases: [name: string, args: string[], offered: string[]][] = [
    ["--allow-read=.", ["--allow-read=."], READING],
    ["--deny-write --deny-run", ["--deny-write", "--deny-run"], READING],
    ["--allow-run=bash", ["--allow-run=bash"], ["bash"]],
    ["--allow-read=elsewhere", ["--allow-read=/nowhere"], []],
    // With a view the plan profile runs commands, too, which then cannot change anything.
    ["--profile=plan --deny-run", ["--profile=plan", "--deny-run"], READING],
  ];
  await using world = await newWorld();
  for (const [name, args, offered] of cases) {
    await t.step(name, async () => {
      const { stdout, stderr } = await world.run(["tools", ...args]);
      const names = rowsOf(stdout).filter(([, standing]) => standing === "offered")
        .map(([tool = ""]) => tool);
      deepStrictEqual(core(names), offered, stderr);
    });
  }
});

Deno.test("tools says what is missing, rights what is granted", async (t) => {
  await using world = await newWorld();
  await t.step("tools", async () => {
    const { stdout } = await world.run(["tools", "--allow-read=."]);
    const rows = new Map(rowsOf(stdout).map(([name = "", ...row]) => [name, row]));
    deepStrictEqual(rows.get("read_file"), ["offered", "--allow-read=WORKSPACE"]);
    deepStrictEqual(rows.get("bash"), ["not offered: --allow-run=bash", "--allow-run=bash"]);
    strictEqual(rows.get("write_file")?.[0], `not offered: --allow-write=${world.work}`);
    deepStrictEqual(rows.get("todo_write"), ["offered", "needs nothing"]);
    strictEqual(rows.get("subagent")?.[1], "--allow-run=CORDON");
  });
  await t.step("rights", async () => {
    const { stdout } = await world.run(["rights"]);
    const [first, ...rows] = stdout.split("\n");
    match(first ?? "", /^sandbox: tier (1|1b|2|3) \(.+\) - profile workspace$/);
    ok(rows.includes(`workspace  ${world.work}`), stdout);
    doesNotMatch(stdout, /^egress/m);
  });
  await t.step("hosts that tools may reach", async () => {
    const { stdout } = await world.run(["rights", "--egress=docs.test,localhost:3000"]);
    match(stdout, /^egress +docs\.test, localhost:3000$/m);
  });
});

Deno.test("no key and no token reaches a command", async () => {
  await using world = await newWorld();
  const env = {
    OPENAI_API_KEY: "sk-secret-1",
    OPENROUTER_API_KEY: "sk-secret-2",
    GITHUB_TOKEN: "sk-secret-3",
    AWS_SECRET_ACCESS_KEY: "sk-secret-4",
    CORDON_STATE: world.join("state"),
    HTTPS_PROXY: "http://user:sk-secret-5@127.0.0.1:1",
    SSH_AUTH_SOCK: "/run/agent",
    LANG: "C.UTF-8",
  };
  const command = "env; cat /proc/self/environ 2>/dev/null | tr '\\0' '\\n'; declare -p";
  const model = await world.script(calling("bash", { command }), { text: "ok" });
  const run = await world.run([...HEADLESS, "-m", model, "--approval=all", "hi"], { env });
  const text = resultText(run);
  for (const word of ["sk-secret", "SSH_AUTH_SOCK", "DENO_NO_UPDATE_CHECK", "CORDON_"]) {
    ok(!text.includes(word), `${word} in ${text}`);
  }
  for (const line of ["NO_COLOR=1", "TERM=dumb", "PAGER=cat", "GIT_TERMINAL_PROMPT=0"]) {
    match(text, new RegExp(`^${line}$`, "m"));
  }
});

function core(names: readonly string[]): string[] {
  return names.filter((name) => CORE.includes(name));
}

/** The table of `cordon tools`, cell by cell. */
function rowsOf(stdout: string): string[][] {
  return stdout.trimEnd().split("\n").map((row) => row.split(/ {2,}/));
}

async function flagsLine(
  world: World,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await world.run(
    ["rights", "--flags", "--tier=3", "-C", world.work, ...args],
    { cwd: ROOT, env },
  );
  strictEqual(code, 0, stderr);
  return stdout;
}

/** Runs a line as it stands in a shell, in the folder where `main.ts` lies, with a prompt. */
function runLine(
  world: World,
  line: string,
  env: Readonly<Record<string, string>> = {},
  words: readonly string[] = [...HEADLESS, "hi"],
): Promise<CordonRun> {
  const script = `deno() { "$DENO" "$@"; }\n${line.trimEnd()} "$@"`;
  return cordon(["-c", script, "sh", ...words], {
    cwd: ROOT,
    binary: "/bin/sh",
    env: { HOME: world.join("home"), DENO: Deno.execPath(), ...env },
  });
}

/** The tools that need something and are offered under the rights of a line. */
async function offeredUnder(world: World, line: string): Promise<string[]> {
  const tools = await runLine(world, line.replace(/ main\.ts /, " main.ts tools "), {}, []);
  strictEqual(tools.code, 0, tools.stderr);
  return rowsOf(tools.stdout).filter(([, standing]) => standing === "offered")
    .map(([name = ""]) => name);
}
