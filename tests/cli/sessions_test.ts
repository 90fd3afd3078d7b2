import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { calling, eventsOf, HEADLESS, newWorld, type World } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { endProcess, isAlive } from "../helpers/processes.ts";

Deno.test("sessions go on by -c, -r, --fork and resume, and are listed", async (t) => {
  await using world = await newWorld();
  await Deno.mkdir(world.join("other"));
  await using server = await modelServer(Array.from({ length: 8 }, (_, i) => ({ text: `a${i}` })));
  const ask = async (args: readonly string[], cwd = world.work) => {
    const options = ["--output-format=stream-json", "-m", "m", `--base-url=${server.url}`];
    const run = await world.run([...args, ...options], { cwd });
    strictEqual(run.code, 0, run.stderr + run.stdout);
    return String(run.events[0]?.session_id);
  };
  /** What was said in the last request, answers apart. */
  const said = () => {
    const messages: { role: string; content: string }[] = server.requests.at(-1)?.body.messages;
    return messages.filter(({ role }) => role === "user").map(({ content }) => content);
  };
  const first = await ask(["-p", "one"]);
  const second = await ask(["-p", "two"]);
  await t.step("-c takes the latest of this folder", async () => {
    await ask(["-p", "elsewhere"], world.join("other"));
    strictEqual(await ask(["-p", "-c", "three"]), second);
    deepStrictEqual(said(), ["two", "three"]);
  });
  await t.step("-r takes part of an id", async () => {
    strictEqual(await ask(["-p", "-r", first.slice(-11), "four"]), first);
    deepStrictEqual(said(), ["one", "four"]);
  });
  await t.step("-r alone takes the latest", async () => {
    strictEqual(await ask(["-p", "five", "-r"]), first);
    deepStrictEqual(said(), ["one", "four", "five"]);
  });
  await t.step("--fork leaves the session as it is", async () => {
    const before = await logOf(world, first);
    const fork = await ask(["-p", `--resume=${first}`, "--fork", "six"]);
    notStrictEqual(fork, first);
    deepStrictEqual(said(), ["one", "four", "five", "six"]);
    strictEqual(await logOf(world, first), before);
  });
  await t.step("resume ID is -r ID", async () => {
    strictEqual(await ask(["resume", second, "-p", "seven"]), second);
    deepStrictEqual(said(), ["two", "three", "seven"]);
  });
  await t.step("sessions lists those of this folder, the one changed last first", async () => {
    const { stdout } = await world.run(["sessions"]);
    const rows = stdout.trimEnd().split("\n");
    strictEqual(rows.length, 3);
    match(rows[0] ?? "", new RegExp(`^${second}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  done  two$`));
    match(rows[2] ?? "", new RegExp(`^${first} .* one$`));
  });
  await t.step("an id that matches several lists them", async () => {
    const run = await world.run([
      "-p",
      "-m",
      "m",
      `--base-url=${server.url}`,
      "-r",
      first.slice(0, 4),
      "x",
    ]);
    strictEqual(run.code, 2);
    match(run.stderr, /^error: "\d{4}" is part of 4 sessions: /m);
    for (const told of [`${first} (one)`, `${second} (two)`]) ok(run.stderr.includes(told));
  });
});

Deno.test("a resumed session keeps its todo list and the shell's folder", async () => {
  await using world = await newWorld({ "sub/a.txt": "one" });
  const todos = [{ content: "Mend it", status: "in_progress" }];
  await world.play([
    calling("bash", { command: "cd sub && x=kept" }),
    calling("todo_write", { todos }),
    { text: "ok" },
  ], ["--approval=all"]);
  await using server = await modelServer([
    { toolCalls: [{ name: "bash", arguments: { command: 'echo "$PWD $x"; ls' } }] },
    { text: "ok" },
  ]);
  const args = [...HEADLESS, "-c", "--approval=all", "-m", "m", `--base-url=${server.url}`];
  const run = await world.run([...args, "go on"]);
  strictEqual(run.code, 0, run.stderr);
  const [system] = server.requests[0]?.body.messages ?? [];
  match(system.content, /# Todo list\n.*- \[~\] Mend it/s);
  ok(system.content.includes(`Working folder of the shell: ${world.join("work/sub")}`));
  strictEqual(eventsOf(run, "tool_result")[0]?.text, `${world.join("work/sub")} kept\na.txt`);
});

Deno.test("a run that is killed in the middle of a call resumes with a valid history", async () => {
  await using world = await newWorld({ "wait.sh": 'echo "pid $$ up"; exec sleep 600' });
  await using server = await modelServer([
    {
      text: "Two things",
      toolCalls: [
        { name: "bash", arguments: { command: "bash wait.sh" } },
        { name: "list_dir", arguments: {} },
      ],
    },
    // The server finds fault with any call that has no result.
    { text: "ok" },
  ]);
  const args = [
    ...HEADLESS,
    "--deltas",
    "--approval=all",
    "--profile=off",
    "-m",
    "m",
    `--base-url=${server.url}`,
  ];
  const running = await world.start([...args, "do it"]);
  await running.saw(" up");
  running.kill("SIGKILL");
  const killed = await running.ended;
  strictEqual(killed.signal, "SIGKILL");
  // Nothing outlives SIGKILL to end the command: without a kernel view (tier 3) it runs on.
  const pid = Number(/pid (\d+) up/.exec(killed.stdout)?.[1]);
  ok(await isAlive(pid));
  await endProcess(pid);
  const resumed = await world.run([...args, "-c", "go on"]);
  strictEqual(resumed.code, 0, resumed.stderr);
  const { messages } = server.requests[1]?.body ?? {};
  deepStrictEqual(
    messages.slice(1).map(({ role, content }: Record<string, string>) => [role, content]),
    [
      ["user", "do it"],
      ["assistant", "Two things"],
      ["tool", "[interrupted]"],
      ["tool", "[interrupted]"],
      ["user", "go on"],
    ],
  );
});

Deno.test("a torn last line does not hinder, a file that is no log does", async (t) => {
  await using world = await newWorld();
  const id = String((await world.play([{ text: "ok" }])).events[0]?.session_id);
  const path = logPath(world, id);
  await t.step("torn", async () => {
    await Deno.writeTextFile(path, '{"type":"assistant","id":"r9', { append: true });
    strictEqual((await world.play([{ text: "again" }], ["-c"])).code, 0);
    for (const line of (await logOf(world, id)).trimEnd().split("\n")) JSON.parse(line);
  });
  await t.step("no log", async () => {
    await Deno.writeTextFile(logPath(world, "20000101-000000-abcd"), "something else\n");
    const run = await world.play([{ text: "ok" }], ["--resume=abcd"]);
    deepStrictEqual([run.code, run.events.at(-1)?.reason], [1, "failed"]);
    match(
      run.events[0]?.message,
      /^Cannot read session log ".*": its first line is no header of a session of ours; cordon export /,
    );
  });
});

Deno.test("a session that is open is refused to others, and may be forked", async () => {
  await using world = await newWorld();
  await using server = await modelServer([{ raw: [": silence\n\n"], then: "hang" }, {
    text: "ok",
  }]);
  const args = [...HEADLESS, "-m", "m", `--base-url=${server.url}`];
  const running = await world.start([...args, "do it"]);
  await server.request(1);
  const second = await world.run([...args, "-c", "me too"]);
  deepStrictEqual([second.code, second.events[0]?.code], [2, "session_locked"]);
  match(
    second.events[0]?.message,
    /another process has it open, end that one or fork the session$/,
  );
  const fork = await world.run([...args, "-c", "--fork", "me too"]);
  strictEqual(fork.code, 0, fork.stdout);
  running.kill("SIGTERM");
  strictEqual((await running.ended).code, 143);
});

Deno.test("--no-session leaves nothing", async (t) => {
  for (const profile of ["workspace", "off"]) {
    await t.step(`--profile=${profile}`, async () => {
      await using world = await newWorld({ "../tmp/": "" });
      const turns = [calling("bash", { command: "echo hi >~/kept 2>/dev/null; ls" }), {
        text: "ok",
      }];
      const model = await world.script(...turns);
      const args = ["-p", "-m", model, "--no-session", `--profile=${profile}`, "do it"];
      const run = await world.run(args, { env: { TMPDIR: world.join("tmp") } });
      strictEqual(run.stdout, "ok\n", run.stderr);
      match(run.stderr, /^No log is kept: --no-session$/m);
      // The cell's compiled program is the same for every session, and tells of none.
      const kept = await filesIn(world.join("home"));
      deepStrictEqual(kept.filter((path) => !path.includes("/cordon/cell/")), []);
      deepStrictEqual(await filesIn(world.join("tmp")), []);
      deepStrictEqual(await filesIn(world.work), []);
    });
  }
});

Deno.test("what a session keeps is for its owner alone", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using world = await newWorld();
  const run = await world.play([{ text: "ok" }]);
  const { mode } = await Deno.stat(logPath(world, String(run.events[0]?.session_id)));
  strictEqual((mode ?? 0) & 0o777, 0o600);
});

/** Every file below a folder; empty folders leave no trace of anybody. */
async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    found.push(...isDirectory ? await filesIn(path) : [path]);
  }
  return found;
}

function logPath(world: World, id: string): string {
  return world.join("home/.local/state/cordon/sessions", `${id}.jsonl`);
}

function logOf(world: World, id: string): Promise<string> {
  return Deno.readTextFile(logPath(world, id));
}
