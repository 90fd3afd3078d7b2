import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import {
  calling,
  type CordonRun,
  eventsOf,
  HEADLESS,
  newWorld,
  type Turn,
  type World,
} from "../helpers/cordon.ts";
import { canConfine } from "../helpers/confined.ts";
import { modelServer } from "../helpers/model_server.ts";
import { processesWith } from "../helpers/processes.ts";
import { hasTerminal } from "../helpers/terminal.ts";

type Config = Readonly<Record<string, unknown>>;

const DONE: Turn = { text: "done" };

/** A script of `sh` that prints a JSON object. */
const prints = (value: unknown) => `printf '%s' '${JSON.stringify(value)}'`;

/** One hook, whatever it is about. */
const hook = (command: string, more: Config = {}) => [{ hooks: [{ command, ...more }] }];

/** Writes the person's own configuration. */
async function configure(world: World, config: Config): Promise<void> {
  const folder = world.join("home/.config/cordon");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/config.jsonc`, JSON.stringify(config));
}

/** Plays turns under hooks of the person. */
async function play(
  world: World,
  hooks: Config,
  turns: readonly Turn[],
  args: readonly string[] = [],
): Promise<CordonRun> {
  await configure(world, { hooks });
  return await world.play(turns, args);
}

const results = (run: CordonRun) => eventsOf(run, "tool_result").map(({ text }) => String(text));

const hooksOf = (run: CordonRun) =>
  eventsOf(run, "hook").map(({ event, outcome }) => `${event} ${outcome}`);

const WRITE = calling("write_file", { path: "a.txt", content: "new" });

/** Hooks of one event, a command a tool. */
const byTool = (hooks: Readonly<Record<string, string>>, more: Config = {}) =>
  Object.entries(hooks).map(([matcher, command]) => ({ matcher, hooks: [{ command, ...more }] }));

Deno.test("PreToolUse: a no keeps a call from running, and the model is told why", async () => {
  await using world = await newWorld({ "a.txt": "old\n" });
  const no = { permissionDecision: "deny", permissionDecisionReason: "not now" };
  const hooks = [
    ...byTool({
      write_file: "echo 'not this file' >&2; exit 2",
      append_file: prints({ hookSpecificOutput: no }),
      grep: "echo oh >&2; exit 1",
      glob: "echo '{'",
    }),
    ...byTool({ list_dir: "exit 1" }, { strict: true }),
    ...byTool({ todo_write: "sleep 1000" }, { strict: true, timeout: 0.2 }),
    ...byTool({ read_file: "sleep 1001" }, { timeout: 0.2 }),
  ];
  const run = await play(world, { PreToolUse: hooks }, [
    WRITE,
    calling("append_file", { path: "a.txt", content: "new" }),
    calling("list_dir", {}),
    calling("todo_write", { todos: [] }),
    calling("grep", { pattern: "old" }),
    calling("glob", { pattern: "*.txt" }),
    calling("read_file", { path: "a.txt" }),
    DONE,
  ]);
  const refused = "Error: A hook refused the call: ";
  const told = results(run);
  deepStrictEqual(told.slice(0, 4), [
    `${refused}not this file`,
    `${refused}not now`,
    `${refused}the hook "exit 1" could not check it: exit code 1`,
    `${refused}the hook "sleep 1000" could not check it: it took more than 0.2 s`,
  ]);
  deepStrictEqual(eventsOf(run, "hook").map(({ outcome }) => outcome), [
    ...["blocked", "blocked", "blocked", "blocked"],
    ...["failed", "failed", "failed"],
  ]);
  deepStrictEqual(told.slice(4).map((text) => /old|a\.txt/.test(text)), [true, true, true]);
  match(run.stderr, /failed: exit code 1: oh\n/);
  match(run.stderr, /failed: its output is no JSON\n/);
  match(run.stderr, /failed: it took more than 0\.2 s\n/);
  deepStrictEqual([run.code, await Deno.readTextFile(world.join("work/a.txt"))], [0, "old\n"]);
});

Deno.test("hooks read the call and what it came to, as JSON, in the workspace", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const keep = (name: string) => [{ matcher: "Read", hooks: [{ command: `cat >${name}` }] }];
  const run = await play(world, { PreToolUse: keep("pre"), PostToolUse: keep("post") }, [
    calling("read_file", { path: "a.txt" }),
    calling("list_dir", {}),
    DONE,
  ]);
  deepStrictEqual(hooksOf(run), ["PreToolUse passed", "PostToolUse passed"]);
  const read = async (name: string) =>
    JSON.parse(await Deno.readTextFile(world.join("work", name)));
  const common = {
    session_id: eventsOf(run, "session")[0]?.session_id,
    transcript_path: null,
    cwd: world.work,
    tool_name: "read_file",
    tool_input: { path: "a.txt" },
  };
  deepStrictEqual(await read("pre"), { ...common, hook_event_name: "PreToolUse" });
  const { tool_response, ...post } = await read("post");
  deepStrictEqual(post, { ...common, hook_event_name: "PostToolUse" });
  deepStrictEqual([tool_response.is_error, tool_response.text], [false, "     1\tone"]);
});

Deno.test("a hook's change of a call is read, planned and judged like the model's own", async () => {
  await using world = await newWorld({ "a.txt": "old\n" });
  const outside = world.join("outside.txt");
  const changed = (updatedInput: unknown) => prints({ updatedInput, permissionDecision: "allow" });
  const hooks = byTool({
    write_file: changed({ path: "b.txt", content: "other" }),
    edit_file: changed({ path: 1 }),
    append_file: changed({ path: outside, content: "x" }),
    bash: changed({ command: "git push --force" }),
  });
  const run = await play(world, { PreToolUse: hooks }, [
    WRITE,
    calling("edit_file", { path: "a.txt", old_string: "old", new_string: "new" }),
    calling("append_file", { path: "a.txt", content: "new" }),
    calling("bash", { command: "true" }),
    DONE,
  ]);
  const [written = "", unread = "", denied = "", forbidden = ""] = results(run);
  match(written, /\[a hook changed the call before it ran: \{"path":"b.txt"/);
  match(unread, /^Error: A hook changed the call to what cannot be run: /);
  match(denied, /\[not edited: denied\]/);
  match(forbidden, /^Error: Not run: /);
  strictEqual(await Deno.readTextFile(world.join("work/b.txt")), "other\n");
  strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "old\n");
});

const ALLOW = prints({ permissionDecision: "allow" });

Deno.test("hooks answer what would be asked, and nothing that is refused in every mode", async () => {
  await using world = await newWorld({ "a.txt": "old\n", "b.txt": "old\n" });
  const hooks = {
    PreToolUse: byTool({ "write_file|bash": ALLOW }),
    PermissionRequest: byTool({ "patch|bash": ALLOW, append_file: "echo never >&2; exit 2" }),
  };
  const run = await play(world, hooks, [
    WRITE,
    calling("append_file", { path: "b.txt", content: "new" }),
    calling("patch", {
      path: "b.txt",
      patch: "<<<<<<< ORIGINAL\nold\n=======\nfresh\n>>>>>>> UPDATED",
    }),
    calling("bash", { command: "git push --force" }),
    DONE,
  ], ["--approval=ask"]);
  const told = results(run);
  strictEqual(told[1], "Error: Not run: A hook refused it: never");
  match(told[3] ?? "", /^Error: Not run: /);
  deepStrictEqual(eventsOf(run, "approval").map(({ decision }) => decision), [
    ...["allow", "deny", "allow", "deny"],
  ]);
  deepStrictEqual(run.code, 0, run.stderr);
  strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "new\n");
  strictEqual(await Deno.readTextFile(world.join("work/b.txt")), "fresh\n");
});

Deno.test("a hook asks for what would not be asked; its yes is none where the run is told no", async () => {
  await using world = await newWorld({ "a.txt": "old" });
  const asks = prints({ permissionDecision: "ask", reason: "look first" });
  const asked = await play(world, { PreToolUse: hook(asks) }, [WRITE, DONE]);
  match(results(asked)[0] ?? "", /needs a person's approval \(look first\)/);
  deepStrictEqual([asked.code, await Deno.readTextFile(world.join("work/a.txt"))], [4, "old"]);
  const allows = { PreToolUse: hook(ALLOW), PermissionRequest: hook(ALLOW) };
  const envrc = calling("write_file", { path: ".envrc", content: "x" });
  const denied = await play(world, allows, [envrc, DONE], ["--approval=deny"]);
  match(results(denied)[0] ?? "", /--approval deny refuses it/);
  // What nobody would be asked for is no question for hooks.
  const unasked = await play(world, { PermissionRequest: hook("exit 2") }, [WRITE, DONE]);
  deepStrictEqual(hooksOf(unasked), []);
});

Deno.test("what hooks say reaches the model, and a task goes on that a hook does not let end", async () => {
  await using world = await newWorld();
  await using server = await modelServer([
    { toolCalls: [{ id: "1", name: "list_dir", arguments: {} }] },
    { text: "first" },
    { text: "second" },
  ]);
  await configure(world, {
    hooks: {
      SessionStart: [{ matcher: "startup", hooks: [{ command: "echo it is Monday" }] }],
      UserPromptSubmit: hook("echo mind the style"),
      PostToolUse: hook("echo wrong folder >&2; exit 2"),
      Stop: hook("test -e stopped && exit 0; touch stopped; echo run the tests >&2; exit 2"),
    },
  });
  const run = await world.run([...HEADLESS, "-m", "m", `--base-url=${server.url}`, "do it"]);
  strictEqual(run.code, 0, run.stderr);
  strictEqual(eventsOf(run, "result")[0]?.text, "second");
  deepStrictEqual(hooksOf(run), [
    "SessionStart passed",
    "UserPromptSubmit passed",
    "PostToolUse blocked",
    "Stop blocked",
    "Stop passed",
  ]);
  const [first, second, third] = server.requests.map(({ body }) => JSON.stringify(body));
  match(first ?? "", /it is Monday.*mind the style.*do it/);
  match(second ?? "", /\[a hook objects: wrong folder\]/);
  match(third ?? "", /first.*run the tests/);
  const id = String(eventsOf(run, "session")[0]?.session_id);
  match((await world.run(["export", id, "--format=json"])).stdout, /"type": ?"hook"/);
});

Deno.test("a Stop hook that never agrees does not hold a task for ever", async () => {
  await using world = await newWorld();
  const turns = Array.from({ length: 12 }, (_, index) => ({ text: `answer ${index}` }));
  const run = await play(world, { Stop: hook("exit 2") }, turns);
  deepStrictEqual([run.code, eventsOf(run, "result")[0]?.text], [0, "answer 8"]);
});

Deno.test("UserPromptSubmit keeps a prompt from the model", async () => {
  await using world = await newWorld();
  const hooks = {
    UserPromptSubmit: hook('grep -q \'"prompt":"do it"\' && echo no secrets >&2; exit 2'),
  };
  const run = await play(world, hooks, [DONE]);
  deepStrictEqual([run.code, eventsOf(run, "turn")], [1, []]);
  deepStrictEqual(eventsOf(run, "error").map(({ message }) => message), [
    "A hook refused it: no secrets",
  ]);
});

Deno.test("SessionEnd and transcripts: a person's own hook outside the view", async () => {
  await using world = await newWorld();
  const out = world.join("seen.json");
  const run = await play(world, { SessionEnd: hook(`cat >'${out}'`, { outside: true }) }, [DONE]);
  strictEqual(run.code, 0, run.stderr);
  const seen = JSON.parse(await Deno.readTextFile(out));
  deepStrictEqual([seen.hook_event_name, seen.reason], ["SessionEnd", "done"]);
  ok((await Deno.readTextFile(seen.transcript_path)).startsWith("{"));
  const inside = world.join("inside.json");
  await play(world, { SessionEnd: hook(`cat >'${inside}'`) }, [DONE], ["--profile=workspace"]);
  const written = await Deno.stat(inside).catch(() => undefined);
  const confined = eventsOf(run, "session")[0]?.tier !== "3";
  strictEqual(written === undefined, confined);
});

Deno.test("a project's hooks run once the folder is trusted, and confined", {
  ignore: !await canConfine(),
}, async () => {
  const config = { hooks: { PreToolUse: hook("echo theirs >&2; exit 2") } };
  await using world = await newWorld({ ".cordon/config.jsonc": JSON.stringify(config) });
  const before = await world.play([WRITE, DONE]);
  match(before.stderr, /not trusted.*hooks passed over/);
  doesNotMatch(results(before)[0] ?? "", /theirs/);
  strictEqual((await world.run(["trust"])).code, 0);
  deepStrictEqual(results(await world.play([WRITE, DONE])), [
    "Error: A hook refused the call: theirs",
  ]);
  const loose = await world.play([WRITE, DONE], ["--profile=off"]);
  match(
    loose.stderr,
    /Nothing confines commands here, so what the project sets is passed over: hooks/,
  );
  doesNotMatch(results(loose)[0] ?? "", /theirs/);
});

Deno.test("without a view the flags decide whether hooks may start anything", async () => {
  await using world = await newWorld({ "a.txt": "old" });
  const args = ["--profile=off", `--allow-read=${world.work}`, `--allow-write=${world.work}`];
  const strict = await play(
    world,
    { PreToolUse: hook("true", { strict: true }) },
    [WRITE, DONE],
    args,
  );
  match(
    results(strict)[0] ?? "",
    /could not check it: Cannot start a hook: --allow-run=bash is not granted/,
  );
  const granted = [...args, "--allow-run=bash"];
  const run = await play(
    world,
    { PreToolUse: hook("true", { strict: true }) },
    [WRITE, DONE],
    granted,
  );
  deepStrictEqual(hooksOf(run), ["PreToolUse passed"]);
});

Deno.test({
  name: "a signal ends a hook and all that it started, with the turn",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    for (const profile of ["--profile=workspace", "--profile=off"]) {
      await t.step(profile, async () => {
        await using world = await newWorld();
        const marker = crypto.randomUUID();
        // Its output tells, through the log of the hook's own, that it has begun.
        const begun = `touch begun; sleep 600 ${marker} & wait`;
        await configure(world, { hooks: { PreToolUse: hook(`bash -c '${begun}' ${marker}`) } });
        const model = await world.script(WRITE, DONE);
        const args = [...HEADLESS, "-m", model, profile, "--approval=all", "do it"];
        const running = await world.start(args);
        await appears(world.join("work/begun"));
        running.kill("SIGINT");
        const run = await running.ended;
        deepStrictEqual([run.code, run.events.at(-1)?.reason], [130, "interrupted"], run.stderr);
        deepStrictEqual(await processesWith(marker), []);
      });
    }
  },
});

/** Resolves once a file is there. */
async function appears(path: string): Promise<void> {
  for (;;) {
    try {
      await Deno.stat(path);
      return;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

Deno.test({
  name: "in a conversation hooks hear of questions, and may say no to what a person says",
  ignore: !await hasTerminal(),
  async fn() {
    await using world = await newWorld();
    const mayNot = "grep -q forbidden && echo 'not that' >&2 && exit 2; exit 0";
    await configure(world, {
      hooks: { Notification: hook("cat >>notes"), UserPromptSubmit: hook(mayNot) },
    });
    const model = await world.script(WRITE, DONE);
    const running = await world.start(["--plain", "-m", model, "--approval=ask"], {
      terminal: true,
    });
    await running.saw("> ");
    await running.write("a forbidden word\n");
    await running.saw("A hook refused it: not that");
    await running.saw("> ");
    await running.write("do it\n");
    await running.saw("[y/N]");
    await running.write("y\n");
    await running.saw("done");
    await running.saw("> ");
    await running.write("\x04");
    const run = await running.ended;
    strictEqual(run.code, 0, run.stdout);
    match(await Deno.readTextFile(world.join("work/notes")), /Cordon asks for a yes: write_file/);
    strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "new\n");
  },
});
