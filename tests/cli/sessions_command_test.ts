import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { calling, type CordonRun, newWorld, type World } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { PIXEL } from "../helpers/pixel.ts";
import { hasTerminal } from "../helpers/terminal.ts";

Deno.test("sessions are renamed, and resumed by part of the name", async (t) => {
  await using world = await newWorld();
  const first = await session(world, "one");
  const second = await session(world, "two");
  await t.step("rename", async () => {
    const run = await world.run(["sessions", "rename", first.slice(-4), "Date", "parser"]);
    deepStrictEqual([run.code, run.stdout], [0, `${first} is now "Date parser"\n`]);
    match((await world.run(["sessions"])).stdout, / {2}done {2}\[Date parser\] one$/m);
  });
  await t.step("resume", async () => {
    const run = await world.play([{ text: "ok" }], ["--resume=date"]);
    deepStrictEqual([run.code, run.events[0]?.session_id], [0, first], run.stdout);
  });
  await t.step("two hits are listed", async () => {
    await world.run(["sessions", "rename", second, "Parser tests"]);
    const run = await world.run(["-p", "-m", "scripted:x", "--resume=parser", "hi"]);
    strictEqual(run.code, 2);
    match(
      run.stderr,
      /^error: "parser" is part of 2 sessions: \S+ \((Parser tests\), \S+ \(Date parser|Date parser\), \S+ \(Parser tests)\)$/m,
    );
  });
  await t.step("a fork has no name of its own", async () => {
    const run = await world.play([{ text: "ok" }], ["--resume=Date parser", "--fork"]);
    strictEqual(run.code, 0, run.stdout);
    const { stdout } = await world.run(["sessions"]);
    doesNotMatch(stdout, new RegExp(`^${run.events[0]?.session_id}.*\\[`, "m"));
    match(stdout, new RegExp(`^${first}.*\\[Date parser\\]`, "m"));
  });
  await t.step("an empty name takes it away", async () => {
    match((await world.run(["sessions", "rename", second, ""])).stdout, /has no name now\n$/);
    doesNotMatch((await world.run(["sessions"])).stdout, /Parser tests/);
  });
});

Deno.test("sessions lists this folder's, with --all every folder's", async () => {
  await using world = await newWorld();
  await Deno.mkdir(world.join("other"));
  await session(world, "here");
  const cwd = world.join("other");
  await world.run(["-p", "-m", await world.script({ text: "ok" }), "there"], { cwd });
  doesNotMatch((await world.run(["sessions"])).stdout, /there/);
  const { stdout } = await world.run(["sessions", "--all"]);
  match(stdout, new RegExp(`done  ${cwd} +there$`, "m"));
  match(stdout, new RegExp(`done  ${world.work} +here$`, "m"));
  const { events } = await world.run(["sessions", "--output-format=json"]);
  const [{ id, changed, created, ...rest }] = events[0]?.sessions ?? [];
  deepStrictEqual(rest, { cwd: world.work, first_prompt: "here", end_reason: "done" });
  ok(id && Date.parse(changed) >= Date.parse(created));
});

Deno.test("--fork --at goes back to before a message", async (t) => {
  await using world = await newWorld();
  await using server = await modelServer(Array.from({ length: 6 }, (_, i) => ({ text: `a${i}` })));
  const ask = (args: readonly string[]) => {
    const format = ["-p", "--output-format=json", "-m", "m", `--base-url=${server.url}`];
    return world.run([...format, ...args]);
  };
  const said = () => {
    const messages: { role: string; content: string }[] = server.requests.at(-1)?.body.messages;
    return messages.filter(({ role }) => role !== "system").map(({ content }) => content);
  };
  await ask(["one"]);
  await ask(["-c", "two"]);
  await ask(["-c", "three"]);
  const cases: [at: number, said: string[]][] = [
    [1, ["again"]],
    [3, ["one", "a0", "two", "a1", "again"]],
  ];
  const [original] = (await world.run(["sessions"])).stdout.split(" ");
  for (const [at, want] of cases) {
    await t.step(`--at ${at}`, async () => {
      const run = await ask([`--resume=${original}`, "--fork", `--at=${at}`, "again"]);
      strictEqual(run.code, 0, run.stderr);
      deepStrictEqual(said(), want);
    });
  }
  const refused: [args: string[], says: RegExp][] = [
    [
      [`--resume=${original}`, "--fork", "--at=4"],
      /^error: Cannot fork at message 4: the session has 3/m,
    ],
    [["--at=1"], /^error: Cannot use --at without --fork/m],
    [[`--resume=${original}`, "--at=1"], /^error: Cannot use --at without --fork/m],
    [[`--resume=${original}`, "--fork", "--at=0"], /whole number from 1 to/],
  ];
  for (const [args, says] of refused) {
    await t.step(`refused: ${args.slice(1).join(" ")}`, async () => {
      const run = await ask([...args, "again"]);
      strictEqual(run.code, 2);
      match(run.stderr, says);
    });
  }
});

Deno.test("sessions are deleted only on request", async (t) => {
  await using world = await newWorld();
  const keep = await session(world, "keep");
  const folder = world.join("home/.local/state/cordon/sessions");
  const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name);
  const logs = () => names().filter((name) => name.endsWith(".jsonl"));
  await t.step("where nobody can be asked it is refused", async () => {
    const run = await world.run(["sessions", "delete", keep]);
    deepStrictEqual([run.code, logs()], [2, [`${keep}.jsonl`]]);
    match(run.stderr, /nobody can be asked here, say --yes$/m);
  });
  await t.step("--yes takes the log and what lies beside it", async () => {
    const gone = await session(world, "gone", ["-i", await pixel(world)]);
    ok(names().includes(gone));
    const run = await world.run(["sessions", "delete", gone, "--yes"]);
    deepStrictEqual([run.code, logs()], [0, [`${keep}.jsonl`]], run.stderr);
    ok(!names().includes(gone));
  });
  await t.step("one that is open stays", async () => {
    await using server = await modelServer([{ raw: [": silence\n\n"], then: "hang" }]);
    const running = await world.start(["-p", "-m", "m", `--base-url=${server.url}`, "-r", "hi"]);
    await server.request(1);
    const run = await world.run(["sessions", "delete", keep, "--yes"]);
    deepStrictEqual([run.code, logs().includes(`${keep}.jsonl`)], [2, true]);
    match(run.stderr, /another process has it open/);
    running.kill("SIGTERM");
    strictEqual((await running.ended).code, 143);
  });
  for (const [answer, code] of [["n", true], ["y", false]] as const) {
    await t.step({
      name: `a terminal is asked: ${answer}`,
      ignore: !await hasTerminal(),
      async fn() {
        const running = await world.start(["sessions", "delete", keep], { terminal: true });
        await running.saw("Delete session");
        await running.saw("[y/N] ");
        await running.write(`${answer}\r`);
        strictEqual((await running.ended).code, 0);
        strictEqual(logs().includes(`${keep}.jsonl`), code);
      },
    });
  }
});

Deno.test("words that sessions does not know are refused", async (t) => {
  await using world = await newWorld();
  const id = await session(world, "one");
  const cases: [args: string[], says: RegExp][] = [
    [["remove", id], /Cannot "remove" sessions: there are rename ID NAME, and delete ID/],
    [["rename"], /Cannot rename a session: name it by its id/],
    [["rename", id], /give a name/],
    [["rename", id, "x".repeat(101)], /at most 100 characters/],
    [["rename", id, "a\x1b[31m"], /plain text/],
    [["rename", "zzzz", "x"], /There is no session "zzzz"/],
    [["delete", id, "more", "--yes"], /more than one session at a time/],
  ];
  for (const [args, says] of cases) {
    await t.step(args.join(" ").slice(0, 40), async () => {
      const run = await world.run(["sessions", ...args]);
      deepStrictEqual([run.code, run.stdout], [2, ""]);
      match(run.stderr, says);
    });
  }
});

Deno.test("export", async (t) => {
  await using world = await newWorld({ "a.txt": "```\nfence & <b>bold</b>\n```\n" });
  const image = await pixel(world);
  const id = await exported(world, image);
  const run = async (...args: string[]): Promise<CordonRun> => {
    const ended = await world.run(["export", id, ...args]);
    strictEqual(ended.code, 0, ended.stderr);
    return ended;
  };
  await t.step("md, with blocks that nothing inside can end", async () => {
    const { stdout } = await run();
    match(stdout, /^## 1\. Person\n\nlook <script>alert\(1\)<\/script>$/m);
    match(stdout, /^\[image .*\.png, image\/png\]$/m);
    match(stdout, /^### read_file\n\n```json\n\{"path":"a\.txt"\}\n```$/m);
    match(stdout, /^````\n[^]*fence & <b>bold<\/b>[^]*\n````$/m);
    match(stdout, /^## scripted:.*\n\nAll \*\*done\*\*$/m);
    match(stdout, /^_Ended: done_$/m);
  });
  await t.step("html, self-contained and escaped", async () => {
    const { stdout } = await run("--format=html");
    match(stdout, /^<!DOCTYPE html>/);
    doesNotMatch(stdout, /<script|<b>|https?:\/\/(?!.*\.invalid)/i);
    ok(stdout.includes("look &lt;script&gt;alert(1)&lt;/script&gt;"));
    ok(stdout.includes(`src="data:image/png;base64,${PIXEL.toBase64()}"`));
    ok(!stdout.includes("\x1b"));
  });
  await t.step("json, with every record and image", async () => {
    const { session, records, images } = JSON.parse((await run("--format=json")).stdout);
    deepStrictEqual([session.id, session.cwd, session.forked_from], [id, world.work, null]);
    deepStrictEqual(
      records.map(({ type }: { type: string }) => type).filter((type: string) =>
        type !== "settings"
      ),
      ["user", "assistant", "tool_call", "tool_result", "assistant", "end"],
    );
    deepStrictEqual(Object.values(images), [{ media_type: "image/png", base64: PIXEL.toBase64() }]);
  });
  await t.step("-o writes the format of its name", async () => {
    const { stdout } = await run("-o", "out.html");
    strictEqual(stdout, "");
    match(await Deno.readTextFile(world.join("work/out.html")), /^<!DOCTYPE html>/);
  });
  await t.step("a file that is there is replaced by --force alone", async () => {
    await Deno.writeTextFile(world.join("work/mine.md"), "mine");
    const refused = await world.run(["export", id, "-o", "mine.md"]);
    strictEqual(refused.code, 2);
    match(
      refused.stderr,
      /^error: Cannot write ".*mine\.md": it is there already, --force replaces it$/m,
    );
    strictEqual(await Deno.readTextFile(world.join("work/mine.md")), "mine");
    await run("-o", "mine.md", "--force");
    match(await Deno.readTextFile(world.join("work/mine.md")), /^# Session /);
  });
  const wrong: [args: string[], says: RegExp][] = [
    [[], /name one session/],
    [["zzzz"], /There is no session "zzzz"/],
    [[id, "-o", "nowhere/x.md"], /there is no such folder$/m],
    [[id, "-o", "."], /it is a folder$/m],
    [[id, "--format=pdf"], /one of md, html, json/],
  ];
  for (const [args, says] of wrong) {
    await t.step(`refused: ${args.slice(1).join(" ") || args.join("") || "nothing"}`, async () => {
      const ended = await world.run(["export", ...args]);
      deepStrictEqual([ended.code, ended.stdout], [2, ""]);
      match(ended.stderr, says);
    });
  }
});

Deno.test("an export holds no secret, not even one that was typed before any was known", async (t) => {
  const secret = "hush-hush-hush-1";
  await using world = await newWorld({ ".env": `API_TOKEN=${secret}\n` });
  const image = await pixel(world);
  const model = await world.script(
    calling("bash", { command: "cat .env; seq 30000; cat .env" }),
    calling("read_file", { path: ".env" }),
    { text: `it is ${secret}` },
  );
  const args = [
    "-p",
    "--output-format=stream-json",
    "--profile=off",
    "--approval=all",
    "-m",
    model,
  ];
  const run = await world.run([...args, "-i", image, `my token is ${secret}`]);
  strictEqual(run.code, 0, run.stderr);
  const id = String(run.events[0]?.session_id);
  for (const format of ["md", "html", "json"]) {
    await t.step(format, async () => {
      const { code, stdout } = await world.run(["export", id, `--format=${format}`]);
      strictEqual(code, 0);
      ok(!stdout.includes(secret), stdout.slice(0, 400));
      match(stdout, /my token is \[redacted: API_TOKEN\]/);
      match(stdout, /it is \[redacted: API_TOKEN\]/);
    });
  }
  await t.step("files beside the log", async () => {
    const folder = world.join("home/.local/state/cordon/sessions", id);
    const names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile);
    ok(names.some(({ name }) => name.endsWith(".txt")), "the output was spilled");
    for (const { name } of names) {
      ok(!(await Deno.readTextFile(`${folder}/${name}`)).includes(secret), name);
    }
  });
});

/** A session in which one thing was said; resolves to its id. */
async function session(
  world: World,
  prompt: string,
  args: readonly string[] = [],
): Promise<string> {
  const model = await world.script({ text: "ok" });
  const run = await world.run(["-p", "--output-format=stream-json", "-m", model, ...args, prompt]);
  strictEqual(run.code, 0, run.stderr);
  return String(run.events[0]?.session_id);
}

/** A session with all that an export shows. */
async function exported(world: World, image: string): Promise<string> {
  const model = await world.script(
    calling("read_file", { path: "a.txt" }),
    { text: "All **done**" },
  );
  const args = ["-p", "--output-format=stream-json", "-m", model, "-i", image];
  const run = await world.run([...args, "look <script>alert(1)</script>"]);
  strictEqual(run.code, 0, run.stderr);
  return String(run.events[0]?.session_id);
}

async function pixel(world: World): Promise<string> {
  const path = world.join("pixel.png");
  await Deno.writeFile(path, PIXEL);
  return path;
}
