import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { type CordonRun, eventsOf } from "../helpers/cordon.ts";
import { canConfine } from "../helpers/confined.ts";
import { type Family, FAMILY_KEY, newFamily, says, textsOf, toolsOf } from "../helpers/family.ts";
import { gone, processesWith } from "../helpers/processes.ts";
import { hasTerminal } from "../helpers/terminal.ts";

/** Command lines are looked up in /proc. */
const onLinux = Deno.build.os === "linux";
const confined = await canConfine();

/** By which a sub-agent is found among processes. */
const CHILD = "--run-as-child";

/** The value of the last result of a tool. */
// deno-lint-ignore no-explicit-any -- values of many shapes are looked into by hand
function valueOf(run: CordonRun, tool: string): any {
  return eventsOf(run, "tool_result").filter(({ name }) => name === tool).at(-1)?.value;
}

function statesOf(run: CordonRun, id = "c1"): string[] {
  return eventsOf(run, "child").filter(({ child_id }) => child_id === id).map(({ state }) => state);
}

interface Header {
  readonly id: string;
  readonly parent: string | null;
  readonly child?: { readonly role: string };
}

async function headersOf({ world }: Family): Promise<Header[]> {
  const folder = world.join("home/.local/state/cordon/sessions");
  const headers: Header[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".jsonl")) continue;
    const [line = ""] = (await Deno.readTextFile(`${folder}/${name}`)).split("\n");
    headers.push(JSON.parse(line));
  }
  return headers;
}

Deno.test("a sub-agent works in a session of its own, and its result comes back", async () => {
  await using family = await newFamily({
    parent: [
      says("subagent", { prompt: "say where it is", description: "find it" }),
      says("subagent_wait", {}),
      { text: "thanks" },
    ],
    child: (prompt) => ({ text: `asked: ${prompt}`, usage: { input: 70, output: 3 } }),
  });
  const run = await family.run();
  deepStrictEqual([run.code, run.events.at(-1)?.text], [0, "thanks"], run.stderr);
  deepStrictEqual(statesOf(run), ["queued", "running", "success"]);
  const [child] = valueOf(run, "subagent_wait").children;
  deepStrictEqual(child.result, { text: "asked: say where it is" });
  deepStrictEqual([child.turns, child.usage.input_tokens, child.usage.output_tokens], [1, 70, 3]);
  const { session_id: parent } = eventsOf(run, "session")[0] ?? {};
  const headers = await headersOf(family);
  deepStrictEqual(
    headers.filter(({ id }) => id !== parent),
    headers.filter(({ child, parent: by }) => child?.role === "explore" && by === parent),
  );
  strictEqual(headers.length, 2);
  // What it used is the session's use, too.
  const own = family.requests.parent.length * 10;
  strictEqual(run.events.at(-1)?.usage.input_tokens, own + 70);
});

Deno.test("a role gets no tool that its parent lacks, nor more than it is for", {
  ignore: !confined,
}, async (t) => {
  const cases: readonly [args: string[], role: string, has: string[], lacks: string[]][] = [
    [["--tools=-patch"], "explore", ["bash", "grep"], ["write_file", "patch", "job_kill"]],
    [["--tools=-patch"], "implement", ["bash", "write_file"], ["patch"]],
    [["--tools=-patch"], "verify", ["bash"], ["write_file", "edit_file"]],
    // Plan mode in the parent is plan mode in the child.
    [["--profile=plan"], "implement", ["bash", "read_file"], ["write_file"]],
  ];
  for (const args of new Set(cases.map(([args]) => args.join()))) {
    const mine = cases.filter((one) => one[0].join() === args);
    await using family = await newFamily({
      parent: [
        {
          toolCalls: mine.map(([, role]) => ({
            name: "subagent",
            arguments: { prompt: role, role },
          })),
        },
        says("subagent_wait", {}),
        { text: "." },
      ],
      child: () => ({ text: "done" }),
    });
    await family.run([args]);
    for (const [, role, has, lacks] of mine) {
      await t.step(`${role} under ${args}`, () => {
        const request = family.requests.child.find((one) => textsOf(one)[1] === role);
        const tools = request ? toolsOf(request) : [];
        deepStrictEqual([...has, ...lacks].filter((name) => tools.includes(name)), has);
        // Sub-agents have none themselves, unless a person says so.
        deepStrictEqual(tools.filter((name) => name.startsWith("subagent")), []);
      });
    }
  }
});

Deno.test("explore cannot write where it looks", { ignore: !confined }, async () => {
  await using family = await newFamily({
    parent: [says("subagent", { prompt: "x" }), says("subagent_wait", {}), { text: "." }],
    child: (_, turn, request) =>
      turn === 0
        ? says("bash", { command: "cat a.txt; touch b.txt" })
        : { text: textsOf(request).at(-1) ?? "" },
  }, { "a.txt": "old" });
  const run = await family.run();
  match(valueOf(run, "subagent_wait").children[0].result.text, /^old[^]*Read-only file system/);
  deepStrictEqual([...Deno.readDirSync(family.world.work)].map(({ name }) => name), ["a.txt"]);
});

Deno.test("neither key nor task stand on a command line", { ignore: !onLinux }, async () => {
  let seen: string[] = [];
  await using family = await newFamily({
    parent: [
      says("subagent", { prompt: "a secret task" }),
      says("subagent_wait", {}),
      { text: "." },
    ],
    child: (_, __, request) => {
      seen = commandLines(CHILD);
      return { text: String(request.headers.get("authorization")) };
    },
  });
  const run = await family.run();
  strictEqual(valueOf(run, "subagent_wait").children[0].state, "success", run.stderr);
  ok(seen.length > 0);
  for (const line of seen) doesNotMatch(line, /secret|family-key/);
  // It had the key all the same, which nobody is shown.
  strictEqual(family.requests.child[0]?.headers.get("authorization"), `Bearer ${FAMILY_KEY}`);
  doesNotMatch(run.stdout, new RegExp(FAMILY_KEY));
});

function commandLines(words: string): string[] {
  const lines: string[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const line = Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ");
      if (line.includes(words)) lines.push(line);
    } catch (error) {
      const ended = error instanceof Deno.errors.NotFound || /os error 3\b/.test(String(error));
      if (!ended) throw error;
    }
  }
  return lines;
}

Deno.test("a question is answered by the one that started it, and work can be steered", async () => {
  await using family = await newFamily({
    parent: [
      says("subagent", { prompt: "x" }),
      says("subagent_wait", {}),
      says("subagent_reply", { child_id: "c1", text: "the left one" }),
      says("subagent_wait", {}),
      says("subagent_reply", { child_id: "c1", text: "too late" }),
      { text: "." },
    ],
    child: (_, turn, request) =>
      turn === 0
        ? says("ask_user", { question: "Which one?", options: ["left", "right"] })
        : { text: `told: ${textsOf(request).at(-1)}` },
  });
  const run = await family.run();
  deepStrictEqual(statesOf(run), ["queued", "running", "question", "running", "success"]);
  const [asked, ended] = eventsOf(run, "tool_result").filter(({ name }) =>
    name === "subagent_wait"
  );
  deepStrictEqual(asked?.value.children[0].question, {
    question: "Which one?",
    options: ["left", "right"],
  });
  match(asked?.text, /It asks: Which one\?\nOptions: left; right\n\[answer by subagent_reply\]/);
  strictEqual(ended?.value.children[0].result.text, "told: the left one");
  const replies = eventsOf(run, "tool_result").filter(({ name }) => name === "subagent_reply");
  deepStrictEqual(replies.map(({ value }) => value.outcome), ["answered", "ended"]);
});

Deno.test("answers fit a schema, or the sub-agent has failed", async () => {
  const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
  await using family = await newFamily({
    parent: [
      {
        toolCalls: [
          { name: "subagent", arguments: { prompt: "good", schema } },
          { name: "subagent", arguments: { prompt: "bad", schema } },
          { name: "subagent", arguments: { prompt: "x", schema: { type: "nonsense" } } },
        ],
      },
      says("subagent_wait", {}),
      { text: "." },
    ],
    child: (prompt) => ({ text: prompt === "good" ? '```json\n{"n": 3}\n```' : "I cannot say" }),
  });
  const run = await family.run();
  const results = eventsOf(run, "tool_result");
  const refused = results.filter(({ is_error }) => is_error);
  strictEqual(refused.length, 1);
  match(refused[0]?.text, /^Error: Cannot use "schema": /);
  const children = new Map(
    valueOf(run, "subagent_wait").children.map((child: { child_id: string }) => [
      child.child_id,
      child,
    ]),
  );
  const ended = [...children.values()] as {
    state: string;
    reason: string;
    result: { text: string };
  }[];
  const good = ended.find(({ state }) => state === "success");
  const bad = ended.find(({ state }) => state === "failure");
  strictEqual(good?.result.text, '{"n": 3}');
  match(bad?.reason ?? "", /^failed: The answer does not fit/);
});

Deno.test("what cannot be started is told, with what could be", async () => {
  await using family = await newFamily({
    parent: [
      says("subagent", { prompt: "x", role: "explorer" }),
      says("subagent_status", { child_id: "c9" }),
      says("subagent_list", {}),
      { text: "." },
    ],
    child: () => ({ text: "never asked" }),
  });
  const run = await family.run();
  const texts = eventsOf(run, "tool_result").map(({ text }) => text);
  match(
    texts[0],
    /^Error: There is no role "explorer", did you mean explore: the roles are explore,/,
  );
  strictEqual(texts[1], "[no sub-agent c9: subagent_list shows them]");
  match(texts[2], /^\[no sub-agents\]\nRoles: explore, implement, verify$/);
  deepStrictEqual(family.requests.child, []);
});

Deno.test("time, tokens, turns and a cancel end a sub-agent, and all that it started", {
  ignore: !onLinux,
}, async () => {
  const seconds = `600.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  const limits = { time: { timeout_ms: 1500 }, tokens: { max_tokens: 5 }, turns: { max_turns: 1 } };
  await using family = await newFamily({
    parent: [
      {
        toolCalls: Object.entries(limits).map(([prompt, limit]) => ({
          name: "subagent",
          arguments: { prompt, ...limit },
        })),
      },
      says("subagent_wait", {}),
      says("subagent", { prompt: "time" }),
      says("subagent_cancel", { child_ids: ["c4"] }),
      { text: "." },
    ],
    child: (prompt) =>
      says("bash", {
        command: prompt === "turns" ? "true" : `sleep ${seconds}`,
        timeout_ms: 600_000,
      }),
  });
  const run = await family.run();
  const { children } = valueOf(run, "subagent_wait");
  deepStrictEqual(
    children.map(({ state, reason }: Record<string, string>) => [state, reason]),
    [
      ["timeout", "its time was up"],
      ["budget", "its budget was spent"],
      ["budget", "turn limit"],
    ],
    run.stderr,
  );
  strictEqual(valueOf(run, "subagent_cancel").children[0].state, "cancelled");
  deepStrictEqual(await processesWith(seconds), []);
  deepStrictEqual(await childrenOfTest(family), []);
});

/** The sub-agents that run in the world of a test: others have theirs at the same time. */
async function childrenOfTest({ world }: Family): Promise<number[]> {
  const pids: number[] = [];
  for (const pid of await processesWith(CHILD)) {
    if (await cwdOf(pid) === world.work) pids.push(pid);
  }
  return pids;
}

async function cwdOf(pid: number): Promise<string> {
  try {
    return await Deno.readLink(`/proc/${pid}/cwd`);
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

Deno.test("no sub-agent outlives its parent", { ignore: !onLinux }, async (t) => {
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    await t.step(signal, async () => {
      const seconds = `600.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
      await using family = await newFamily({
        parent: [says("subagent", { prompt: "x" }), says("subagent_wait", {}), { text: "." }],
        child: () => says("bash", { command: `echo up; sleep ${seconds}`, timeout_ms: 600_000 }),
      });
      const running = await family.start([
        "-p",
        "--output-format=stream-json",
        "--deltas",
        "do it",
      ]);
      await running.saw(`last: bash echo up; sleep ${seconds}`);
      const children = await childrenOfTest(family);
      strictEqual(children.length, 1);
      running.kill(signal);
      await running.ended;
      await gone([...children, ...await processesWith(seconds)]);
    });
  }
});

Deno.test("a session that died tells of lost sub-agents when it goes on, once", {
  ignore: !onLinux,
}, async () => {
  await using family = await newFamily({
    parent: [
      says("subagent", { prompt: "x" }),
      says("subagent_wait", {}),
      says("subagent_list", {}),
      { text: "." },
    ],
    child: (_, turn) => turn === 0 ? says("bash", { command: "sleep 600" }) : { text: "no" },
  });
  const running = await family.start(["-p", "--output-format=stream-json", "--deltas", "do it"]);
  await running.saw("last: bash sleep 600");
  const children = await childrenOfTest(family);
  running.kill("SIGKILL");
  await running.ended;
  await gone(children);
  const run = await family.run(["-c"]);
  const said = textsOf(family.requests.parent.at(-1)!).join("\n");
  const told = said.match(/\[sub-agent c1 is lost: the program ended while it worked\]/g);
  strictEqual(told?.length, 1, said);
  strictEqual(run.code, 0, run.stderr);
});

Deno.test("a sub-agent that is killed has failed, and its parent goes on", {
  ignore: !onLinux,
}, async () => {
  await using family = await newFamily({
    parent: [says("subagent", { prompt: "x" }), says("subagent_wait", {}), { text: "went on" }],
    child: () => says("bash", { command: "sleep 600" }),
  });
  const running = await family.start(["-p", "--output-format=stream-json", "--deltas", "do it"]);
  await running.saw("last: bash sleep 600");
  for (const pid of await childrenOfTest(family)) Deno.kill(pid, "SIGKILL");
  const run = await running.ended;
  const [child] = valueOf(run, "subagent_wait").children;
  deepStrictEqual([child.state, run.events.at(-1)?.text], ["failure", "went on"]);
  match(child.reason, /^its process was killed by SIGKILL/);
});

Deno.test("twenty at once, of which as many work as may, and no output is too much", async () => {
  const count = 20;
  await using family = await newFamily({
    parent: [
      {
        toolCalls: Array.from({ length: count }, (_, n) => ({
          name: "subagent",
          arguments: { prompt: `${n}` },
        })),
      },
      says("subagent_wait", {}),
      { text: "all" },
    ],
    child: (prompt) => ({ text: prompt === "7" ? "y".repeat(3_000_000) : `did ${prompt}` }),
  }, {});
  await writeConfig(family, { children: { max: 6 } });
  const run = await family.run();
  const { children } = valueOf(run, "subagent_wait");
  strictEqual(children.length, count, run.stderr);
  deepStrictEqual(children.filter(({ state }: { state: string }) => state !== "success"), []);
  ok(run.stdout.length < 1_000_000, `${run.stdout.length} characters`);
  let working = 0;
  let most = 0;
  for (const { state } of eventsOf(run, "child")) {
    if (state === "running") most = Math.max(most, ++working);
    if (state === "success") working--;
  }
  ok(most <= 6 && most > 1, `${most} at once`);
});

async function writeConfig({ world }: Family, config: unknown): Promise<void> {
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), JSON.stringify(config));
}

Deno.test("a batch has its results in the order of its tasks, failures in their places", async () => {
  const tasks = ["a", "fail", "c"].map((prompt) => ({ prompt }));
  await using family = await newFamily({
    parent: [says("subagent_batch", { tasks }), { text: "." }],
    child: (prompt) => prompt === "fail" ? { status: 400, body: {} } : { text: `<${prompt}>` },
  });
  const { children, succeeded } = valueOf(await family.run(), "subagent_batch");
  const texts = children.map(({ result }: { result: { text: string } }) => result.text);
  deepStrictEqual([texts, succeeded], [["<a>", "", "<c>"], 2]);
  match(children[1].reason, /^model error: /);
});

Deno.test("what needs a yes is refused where nobody can give one", async () => {
  await using family = await newFamily({
    parent: [
      says("subagent", { prompt: "x", role: "implement" }),
      says("subagent_wait", {}),
      { text: "." },
    ],
    child: (_, turn, request) =>
      turn === 0
        ? says("bash", { command: "git clean -fdx" })
        : { text: textsOf(request).at(-1) ?? "" },
  });
  const run = await family.run();
  const [child] = valueOf(run, "subagent_wait").children;
  deepStrictEqual([child.state, run.code], ["failure", 4]);
  match(child.result.text, /needs a person's approval/);
});

Deno.test("a person is asked for the call of a sub-agent, by its name", {
  ignore: !await hasTerminal(),
}, async () => {
  await using family = await newFamily({
    parent: [
      says("subagent", { prompt: "x", role: "implement", description: "tidy up" }),
      says("subagent_wait", {}),
      { text: "that is all" },
    ],
    child: (_, turn, request) =>
      turn === 0
        ? says("bash", { command: "rm -r old" })
        : { text: `so: ${textsOf(request).at(-1)}` },
  }, { "old/a": "" });
  const running = await family.start(["--plain"], { terminal: true, env: { TERM: "xterm" } });
  await running.saw("> ");
  await running.write("do it\n");
  await running.saw("of sub-agent c1 (implement: tidy up) asks:");
  await running.saw("[y/N]");
  await running.write("y\n");
  await running.saw("that is all");
  await running.write("/quit\n");
  await running.ended;
  const done = family.requests.child.at(-1);
  doesNotMatch(done ? textsOf(done).at(-1) ?? "" : "nothing", /Not run/);
  const left = [...Deno.readDirSync(family.world.work)].map(({ name }) => name);
  deepStrictEqual(left.filter((name) => name === "old"), []);
});

Deno.test("a depth that a person allows is a depth, and no deeper", async () => {
  await using family = await newFamily({
    parent: [
      says("subagent", { prompt: "outer", role: "implement" }),
      says("subagent_wait", {}),
      { text: "." },
    ],
    child: (prompt, turn, request) => {
      if (prompt === "inner") return { text: toolsOf(request).join(" ") };
      if (turn === 0) return says("subagent", { prompt: "inner", role: "implement" });
      return turn === 1 ? says("subagent_wait", {}) : { text: textsOf(request).at(-1) ?? "" };
    },
  });
  await writeConfig(family, { children: { max_depth: 2 } });
  const run = await family.run();
  const [child] = valueOf(run, "subagent_wait").children;
  strictEqual(child.state, "success", run.stdout);
  match(child.result.text, /c1 \(implement\): success/);
  doesNotMatch(child.result.text.split("\n").at(-1), /subagent/);
});

Deno.test("roles that a person wrote; a project's only once it is trusted", async () => {
  const role = "---\ndescription: plays\ntools: read_file, glob\n---\nBe brief.";
  await using family = await newFamily({
    parent: [says("subagent", { prompt: "x", role: "mine" }), says("subagent_wait", {}), {
      text: ".",
    }],
    child: (_, __, request) => ({ text: textsOf(request)[0] ?? "" }),
  }, { ".cordon/agents/mine.md": role });
  const before = await family.run();
  match(eventsOf(before, "tool_result")[0]?.text, /^Error: There is no role "mine"/);
  match(before.stderr, /This project has an agent in \.cordon\/agents, not used .* cordon trust/);
  strictEqual((await family.world.run(["trust"])).code, 0);
  const run = await family.run();
  const [child] = valueOf(run, "subagent_wait").children;
  match(child.result.text, /Be brief\./);
  const [request] = family.requests.child;
  deepStrictEqual(request && toolsOf(request), ["read_file", "glob", "ask_user"]);
});

Deno.test("what still works when a session ends is ended with it, and told when it goes on", {
  ignore: !onLinux,
}, async () => {
  await using family = await newFamily({
    parent: [says("subagent", { prompt: "x" }), { text: "left it" }, { text: "back" }],
    child: () => says("bash", { command: "sleep 600" }),
  });
  const run = await family.run();
  strictEqual(statesOf(run).at(-1), "cancelled");
  strictEqual(run.events.at(-1)?.type, "result");
  deepStrictEqual(await childrenOfTest(family), []);
  await family.run(["-c"]);
  const said = textsOf(family.requests.parent.at(-1)!).join("\n");
  strictEqual(said.match(/\[sub-agent c1 \(explore\) has ended: cancelled/g)?.length, 1, said);
});

Deno.test("what a sub-agent changed, its session takes back", async () => {
  await using family = await newFamily({
    parent: [
      says("subagent", { prompt: "x", role: "implement" }),
      says("subagent_wait", {}),
      { text: "." },
    ],
    child: (_, turn) =>
      turn === 0 ? says("write_file", { path: "a.txt", content: "new\n" }) : { text: "wrote" },
  }, { "a.txt": "old\n" });
  const run = await family.run();
  const file = family.world.join("work/a.txt");
  strictEqual(await Deno.readTextFile(file), "new\n", run.stdout);
  const undone = await family.world.run(["undo"]);
  deepStrictEqual([undone.code, await Deno.readTextFile(file)], [0, "old\n"], undone.stderr);
});

Deno.test("sessions of sub-agents are not listed, and go with their parent's", async () => {
  await using family = await newFamily({
    parent: [says("subagent", { prompt: "x" }), says("subagent_wait", {}), { text: "." }],
    child: () => ({ text: "done" }),
  });
  const run = await family.run();
  const { session_id: id } = eventsOf(run, "session")[0] ?? {};
  const { stdout } = await family.world.run(["sessions"]);
  match(stdout, new RegExp(`^${id}  .*do it \\(1 sub-agent\\)\\n$`));
  const listed = await family.world.run(["sessions", "--output-format=json"]);
  const { sessions } = JSON.parse(listed.stdout);
  deepStrictEqual(
    sessions.map(({ child }: { child?: unknown }) => child).filter(Boolean),
    [{ parent: id, role: "explore" }],
  );
  strictEqual((await family.world.run(["sessions", "delete", id, "--yes"])).code, 0);
  deepStrictEqual(await headersOf(family), []);
});

Deno.test("under the smallest rights a sub-agent starts, with no more than these", {
  ignore: !onLinux,
}, async () => {
  let lines: string[] = [];
  await using family = await newFamily({
    parent: [says("subagent", { prompt: "x" }), says("subagent_wait", {}), { text: "." }],
    child: (_, turn, request) => {
      lines = commandLines(CHILD).filter((line) => line.includes(family.server.host));
      return turn === 0
        ? says("read_file", { path: "a.txt" })
        : { text: textsOf(request).at(-1) ?? "" };
    },
  }, { "a.txt": "needle\n" });
  const tools = ["--tools=read_file,subagent,subagent_wait", `--state=${family.world.join("st")}`];
  const { stdout } = await family.world.run([
    "rights",
    "--flags",
    ...["-m", "m1", `--base-url=${family.server.url}`, ...tools],
  ]);
  const flags = stdout.trim().split(" ").filter((word) => word.startsWith("--allow-"));
  const run = await family.run(tools, { flags: flags.map(unquoted) });
  const [child] = valueOf(run, "subagent_wait").children;
  deepStrictEqual([child.state, run.code], ["success", 0], run.stdout + run.stderr);
  match(child.result.text, /needle/);
  const [started = ""] = lines;
  const given = started.split(" ").filter((word) => /^--allow-/.test(word));
  ok(given.length > 0, started);
  for (const flag of given) {
    const [name = "", list = ""] = flag.split("=");
    const granted = flags.map(unquoted).find((own) => own.startsWith(`${name}=`))?.split("=")[1];
    const allowed = (granted ?? "").split(",");
    deepStrictEqual(list.split(",").filter((item) => !allowed.includes(item)), [], flag);
  }
});

/** A word of a shell without quotes around it. */
function unquoted(word: string): string {
  return word.replace(/^'(.*)'$/, "$1");
}

Deno.test("what a sub-agent costs counts in the session's budget, while it works", async () => {
  await using family = await newFamily({
    parent: [says("subagent", { prompt: "x" }), says("subagent_wait", {}), { text: "." }],
    child: (_, turn) => ({
      ...says("list_dir", { path: "." }),
      usage: { input: turn === 0 ? 40 : 60, output: 0 },
    }),
  });
  await writeConfig(family, { prices: { input: 1_000_000, output: 0 } });
  // A dollar a token: the session's own requests are 10 each.
  const run = await family.run(["--max-budget-usd=100"]);
  strictEqual(statesOf(run).at(-1), "budget", run.stdout + run.stderr);
  const { reason, exit_code, usage } = run.events.at(-1) ?? {};
  deepStrictEqual([reason, exit_code], ["budget", 3]);
  ok(usage.cost_usd > 100, `${usage.cost_usd}`);
  strictEqual(usage.cost_usd, usage.input_tokens);
});
