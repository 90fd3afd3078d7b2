import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { acpEditor } from "../helpers/acp_editor.ts";
import { newBatch } from "../helpers/batch_world.ts";
import { collector } from "../helpers/collector.ts";
import {
  calling,
  type CordonEvent,
  type CordonRun,
  HEADLESS,
  newWorld,
  type World,
} from "../helpers/cordon.ts";
import { FAMILY_KEY, newFamily, says } from "../helpers/family.ts";
import { modelServer } from "../helpers/model_server.ts";
import { hasTerminal } from "../helpers/terminal.ts";
import { canMount, tinyDisk } from "../helpers/tiny_disk.ts";

const onPosix = Deno.build.os !== "windows";

async function linesOf(path: string): Promise<CordonEvent[]> {
  const text = await Deno.readTextFile(path);
  ok(text.endsWith("\n"));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o777;
}

/** The lines on stderr that tell of the log. */
function warnings({ stderr }: CordonRun): string[] {
  return stderr.split("\n").filter((line) => line.includes("Cannot log to"));
}

Deno.test("--log appends what happened in a run, a line each", async () => {
  await using server = await modelServer([
    { status: 503, body: "busy" },
    says("bash", { command: "exit 3" }),
    { text: "the answer" },
    { text: "again" },
  ]);
  await using world = await newWorld();
  const path = world.join("run.jsonl");
  const args = [...HEADLESS, "-m", "m", `--base-url=${server.url}`, "--wire=chat"];
  const run = await world.run([...args, "--approval=all", `--log=${path}`, "do it"]);
  strictEqual(run.code, 0, run.stderr);
  const lines = await linesOf(path);
  const session = run.events[0]?.session_id;
  const seen = lines.filter(({ type }) => type !== "note");
  deepStrictEqual(seen.map(({ type }) => type), [
    "session",
    "rights",
    "task_started",
    ...["turn", "request_started", "retry", "request_ended", "usage"],
    ...["tool_call", "call_cleared", "tool_result"],
    ...["turn", "request_started", "request_ended", "text", "usage"],
    "task_ended",
  ]);
  deepStrictEqual([...new Set(seen.map((line) => line.session))], [session]);
  for (const { time } of lines) strictEqual(new Date(time).toISOString(), time);
  const [rights] = seen.filter(({ type }) => type === "rights");
  ok(rights?.offered.includes("bash"));
  strictEqual(rights?.approval, "all");
  const [first] = seen.filter(({ type }) => type === "request_ended");
  deepStrictEqual([first?.outcome, first?.retries, first?.usage.input_tokens], ["answered", 1, 10]);
  ok(first?.duration_ms >= 0);
  const end = seen.at(-1);
  deepStrictEqual([end?.reason, end?.exit_code, end?.turns], ["done", 0, 2]);
  if (onPosix) strictEqual(modeOf(path), 0o600);
  // A second run goes on behind the first.
  strictEqual((await world.run([...args, `--log=${path}`, "again"])).code, 0);
  const more = await linesOf(path);
  deepStrictEqual(more.slice(0, lines.length), lines);
  strictEqual(new Set(more.map((line) => line.session).filter(Boolean)).size, 2);
});

Deno.test("--log tells why a request has no answer, and keeps no secret", async () => {
  const key = "log-key-0123456789";
  await using server = await modelServer([
    says("bash", { command: `cat .env; echo ${key}` }),
    { status: 401, body: { error: { message: "who are you" } } },
  ]);
  await using world = await newWorld({ ".env": "TOKEN=env-token-0123456789\n" });
  const run = await world.run(
    [...HEADLESS, "-m", "m", `--base-url=${server.url}`, "--wire=chat", "--approval=all", "go"],
    // The option by its variable.
    { env: { OPENAI_API_KEY: key, CORDON_LOG: world.join("run.jsonl") } },
  );
  strictEqual(run.code, 76, run.stderr);
  const text = await Deno.readTextFile(world.join("run.jsonl"));
  doesNotMatch(text, /log-key-0123456789|env-token-0123456789/);
  const lines = await linesOf(world.join("run.jsonl"));
  const [, last] = lines.filter(({ type }) => type === "request_ended");
  deepStrictEqual([last?.outcome, last?.error, last?.status], ["failed", "credentials", 401]);
  ok(lines.some(({ type, code }) => type === "error" && code === "credentials"));
});

Deno.test("--log refuses what it cannot use before anything is begun", async (t) => {
  await using world = await newWorld({ "in.txt": "" });
  const outside = world.join("outside");
  await Deno.mkdir(outside);
  await Deno.writeTextFile(world.join("file.jsonl"), "");
  const cases: [what: string, name: string, args: string[], why: RegExp, ignore?: boolean][] = [
    ["a folder", outside, [], /it is a folder$/m],
    ["no such folder", world.join("none/x"), [], /there is no such folder$/m],
    ["below a file", world.join("file.jsonl/x"), [], /there is no such folder$/m],
    ["in the workspace", "run.jsonl", [], /tools and commands can change what lies in/],
    [
      "in a folder that they may write, too",
      `${outside}/x`,
      ["--allow-read", `--allow-write=${outside}`],
      /tools and commands can change what lies in/,
    ],
    ["among the sessions", world.join("home/.local/state/cordon/x"), [], /sessions are kept there/],
    ["standard output", "-", [], /"-": name a file, or --output-format=stream-json/],
    ["a device", "/dev/null", [], /not granted$|no regular file$/m, !onPosix],
    ["a link", world.join("link"), [], /it is a link, name the file itself$/m, !onPosix],
    ["a link to nothing", world.join("dangling"), [], /it is a link/, !onPosix],
    ["a pipe", world.join("pipe"), [], /it is no regular file$/m, !onPosix],
  ];
  await Deno.mkdir(world.join("home/.local/state/cordon"), { recursive: true });
  if (onPosix) {
    await Deno.symlink(world.join("file.jsonl"), world.join("link"));
    await Deno.symlink(world.join("made"), world.join("dangling"));
    await makePipe(world.join("pipe"));
  }
  const model = await world.script({ text: "hello" });
  for (const [what, name, args, why, ignore = false] of cases) {
    await t.step({
      name: what,
      ignore,
      async fn() {
        const run = await world.run([...HEADLESS, "-m", model, `--log=${name}`, ...args, "go"]);
        strictEqual(run.code, 2, run.stderr);
        const [error, result] = run.events;
        match(error?.message, /^Cannot log to "/);
        match(error?.message, why);
        strictEqual(result?.type, "result");
      },
    });
  }
  strictEqual(await Deno.readTextFile(world.join("file.jsonl")), "");
  strictEqual(exists(world.join("made")), false);
  const beside = await world.run([...HEADLESS, "-m", model, `--log=${outside}/x`, "go"]);
  strictEqual(beside.code, 0, beside.stderr);
});

async function makePipe(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  ok(success);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

Deno.test("--log closes a file to others that is there already, and goes on in a line of its own", {
  ignore: !onPosix,
}, async () => {
  await using world = await newWorld();
  const path = world.join("old.jsonl");
  await Deno.writeTextFile(path, '{"type":"old"}\n{"type":"torn');
  await Deno.chmod(path, 0o644);
  const run = await world.play([{ text: "hello" }], [`--log=${path}`]);
  strictEqual(run.code, 0, run.stderr);
  strictEqual(modeOf(path), 0o600);
  const [old, torn, ...lines] = (await Deno.readTextFile(path)).trimEnd().split("\n");
  deepStrictEqual([old, torn], ['{"type":"old"}', '{"type":"torn']);
  strictEqual(JSON.parse(lines.at(-1) ?? "").type, "task_ended");
  for (const line of lines) ok(JSON.parse(line).time);
});

Deno.test("--log takes the lines of sub-agents, each with its session and its parent's", async () => {
  await using family = await newFamily({
    parent: [says("subagent", { prompt: "go" }), says("subagent_wait", {}), { text: "done" }],
    child: () => ({ text: "found" }),
  });
  const path = family.world.join("run.jsonl");
  // A name is taken from where the run began, in the child, too.
  const run = await family.run(["--log=../run.jsonl"]);
  strictEqual(run.code, 0, run.stderr);
  const lines = await linesOf(path);
  const session = run.events[0]?.session_id;
  const ofChild = lines.filter(({ parent, session }) => parent !== undefined && session);
  deepStrictEqual([...new Set(ofChild.map(({ parent }) => parent))], [session]);
  const types = new Set(ofChild.map(({ type }) => type));
  for (const type of ["session", "task_started", "request_ended", "text", "task_ended"]) {
    ok(types.has(type), type);
  }
  ok(!lines.some((line) => JSON.stringify(line).includes(FAMILY_KEY)));
});

Deno.test("--log that finds no room is told once, and the run goes on", {
  ignore: !await canMount(),
}, async () => {
  await using disk = await tinyDisk();
  await using world = await newWorld();
  const run = await world.play(
    [
      ...Array.from(
        { length: 20 },
        (_, i) => calling("bash", { command: `printf '%02000d' ${i}` }),
      ),
      { text: "the answer" },
    ],
    ["--approval=all", `--log=${disk.join("run.jsonl")}`],
  );
  deepStrictEqual([run.code, run.events.at(-1)?.text], [0, "the answer"], run.stderr);
  strictEqual(warnings(run).length, 1, run.stderr);
  match(warnings(run)[0] ?? "", /; the run goes on without these lines$/);
  ok(Deno.statSync(disk.join("run.jsonl")).size > 1_000);
});

Deno.test("a conversation is logged, too", { ignore: !await hasTerminal() }, async () => {
  await using world = await newWorld();
  const path = world.join("run.jsonl");
  const model = await world.script({ text: "first" });
  const running = await world.start(["--plain", "-m", model, `--log=${path}`], {
    env: { TERM: "xterm" },
    terminal: true,
  });
  await running.saw("> ");
  await running.write("one\r");
  await running.saw("first");
  await running.saw("> ");
  await running.write("/compact\r");
  await running.saw("nothing older");
  await running.saw("> ");
  await running.write("\x04");
  const run = await running.ended;
  strictEqual(run.code, 0, run.stdout);
  const parts = (await linesOf(path)).filter(({ type }) => /^(task|compaction)_/.test(type));
  deepStrictEqual(parts.map(({ type }) => type), [
    ...["task_started", "task_ended"],
    ...["compaction_started", "compaction_ended"],
  ]);
  strictEqual(parts[0]?.prompt, "one");
  deepStrictEqual([parts[2]?.asked, parts[3]?.ok], [true, false]);
});

Deno.test("--log of an editor's agent is named from where it was started", async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "hello" });
  const args = ["acp", "-m", model, "--log=acp.jsonl"];
  await using editor = await acpEditor(world, { args, cwd: world.path });
  const sessions = [await editor.open(), await editor.open()];
  for (const id of sessions) await editor.prompt(id, "go");
  await editor.leave();
  strictEqual((await editor.ended).code, 0);
  const lines = await linesOf(world.join("acp.jsonl"));
  const ended = lines.filter(({ type }) => type === "task_ended");
  deepStrictEqual(ended.map(({ session, reason }) => [session, reason]), [
    ...sessions.map((id) => [id, "done"]),
  ]);
});

Deno.test("--log takes the lines of all tasks of a batch, or refuses before the first", async () => {
  await using batch = await newBatch(() => ({ text: "done" }));
  const { world } = batch;
  await batch.tasks({ prompt: "one" }, { prompt: "two" });
  const refused = await batch.run(["--log=run.jsonl"]);
  strictEqual(refused.code, 2);
  match(refused.stderr, /Cannot log to ".*run\.jsonl": tools and commands can change/);
  strictEqual(exists(world.join("out")), false);
  const run = await batch.run(["--log=../run.jsonl"]);
  strictEqual(run.code, 0, run.stderr);
  const lines = await linesOf(world.join("run.jsonl"));
  const begun = lines.filter(({ type }) => type === "task_started");
  deepStrictEqual(begun.map(({ prompt }) => prompt).sort(), ["one", "two"]);
  strictEqual(new Set(begun.map(({ session }) => session)).size, 2);
});

Deno.test("--log holds what traces complain of, however late", async () => {
  await using seen = collector("silence");
  await using world = await newWorld();
  const model = await world.script({ text: "hello" });
  const path = world.join("run.jsonl");
  const run = await world.run(["-p", "-m", model, `--log=${path}`, "go"], {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: seen.url, OTEL_BSP_EXPORT_TIMEOUT: "300" },
  });
  strictEqual(run.code, 0, run.stderr);
  const last = (await linesOf(path)).at(-1);
  match(last?.line, /^warning: Cannot send traces to/);
});

Deno.test("--log needs the right to its file of Deno, too", async () => {
  await using world = await newWorld();
  const [model, path] = [await world.script({ text: "hello" }), world.join("run.jsonl")];
  const run = await runWith(world, model, path, []);
  strictEqual(run.code, 2);
  match(run.stderr, /--allow-read and --allow-write of it are not granted/);
  const granted = await runWith(world, model, path, [`--allow-write=${path}`]);
  strictEqual(granted.code, 0, granted.stderr);
  ok((await linesOf(path)).length > 0);
});

function runWith(world: World, model: string, log: string, flags: string[]): Promise<CordonRun> {
  return world.run(["-p", "-m", model, `--log=${log}`, "go"], {
    flags: [`--allow-read=${world.path}`, "--allow-env", ...flags],
  });
}
