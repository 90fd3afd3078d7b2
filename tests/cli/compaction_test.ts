import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { eventsOf, HEADLESS, newWorld, type World } from "../helpers/cordon.ts";
import { type ModelServer, modelServer, type Reply } from "../helpers/model_server.ts";
import { inSmallWindow, isSummaryRequest, tokensIn } from "../helpers/small_window.ts";

/** In tokens; the system prompt and the tools take less than half of it. */
const WINDOW = 9_000;
const TASK = "Mend the parser, never touch LICENSE";

let calls = 0;
const call = (name: string, args: Readonly<Record<string, unknown>>) => ({
  toolCalls: [{ id: `call_${++calls}`, name, arguments: args }],
});
const reading = (count: number) =>
  Array.from({ length: count }, (_, i) => call("read_file", { path: "big.ts", offset: i + 1 }));
const TODOS = [{ content: "mend the parser", status: "in_progress" }];

const FILES = {
  "AGENTS.md": "Tabs are four wide.\n",
  "big.ts": "const line = 1;\n".repeat(120),
};

/** The options of a run that asks this server. */
function asking(server: ModelServer): string[] {
  return [...HEADLESS, "-m", "m", `--base-url=${server.url}`, "--wire=chat", "--approval=all"];
}

async function log(world: World, id: unknown): Promise<string> {
  const path = world.join("home", ".local/state/cordon/sessions", `${id}.jsonl`);
  return await Deno.readTextFile(path);
}

Deno.test("a session outlives its window, and nothing of it is lost", async (t) => {
  await using world = await newWorld(FILES);
  const { script, summaries } = inSmallWindow({ tokens: WINDOW }, [
    call("write_file", { path: "new.txt", content: "made\n" }),
    call("todo_write", { todos: TODOS }),
    ...reading(30),
    { text: "All done." },
  ]);
  await using server = await modelServer(script);
  const run = await world.run([...asking(server), `--context-window=${WINDOW}`, TASK]);
  const id = run.events[0]?.session_id;

  await t.step("it comes to its end, and says what was done to fit", () => {
    strictEqual(run.code, 0, run.stderr);
    deepStrictEqual([run.events.at(-1)?.reason, run.events.at(-1)?.text], ["done", "All done."]);
    ok(summaries() >= 2);
    const compactions = eventsOf(run, "compaction");
    strictEqual(compactions.length, summaries());
    for (const { before_tokens, after_tokens } of compactions) ok(after_tokens < before_tokens);
    match(run.stderr, /^older turns are summed up: about \d+ tokens are now \d+$/m);
    strictEqual(server.requests.some((request) => tokensIn(request) > WINDOW), false);
    const spent = server.requests.reduce((sum, request) => sum + tokensIn(request), 0);
    strictEqual(run.events.at(-1)?.usage.input_tokens, spent);
  });
  await t.step("the model still knows the task, the list, the files and the instructions", () => {
    const { messages } = server.requests.at(-1)?.body ?? {};
    ok(messages.length < 30);
    match(messages[0].content, /mend the parser[\s\S]*Tabs are four wide\./);
    for (const words of [TASK, "A SUMMARY", "Files changed so far\nnew.txt", "big.ts"]) {
      ok(messages[1].content.includes(words), words);
    }
  });
  await t.step("the log and the export hold everything", async () => {
    const lines = (await log(world, id)).trimEnd().split("\n").map((line) => JSON.parse(line));
    const count = (type: string) => lines.filter((line) => line.type === type).length;
    deepStrictEqual([count("assistant"), count("tool_result")], [33, 32]);
    const { stdout } = await world.run(["export", String(id)]);
    ok(stdout.includes(TASK) && stdout.includes("A SUMMARY") && stdout.includes("All done."));
    strictEqual(stdout.match(/read_file/g)?.length, 30);
  });
  await t.step("it goes on where it was", async () => {
    const { script } = inSmallWindow({ tokens: WINDOW }, [{ text: "Going on." }]);
    await using second = await modelServer(script);
    const again = await world.run([...asking(second), "-c", "and the lexer"]);
    strictEqual(again.code, 0, again.stderr);
    const sent = second.requests[0]?.body.messages;
    ok(sent[1].content.includes("A SUMMARY") && sent[1].content.includes(TASK));
    deepStrictEqual(sent.at(-1), { role: "user", content: "and the lexer" });
  });
  await t.step("undo knows what was done before it", async () => {
    strictEqual(await Deno.readTextFile(`${world.work}/new.txt`), "made\n");
    const undone = await world.run(["undo"]);
    strictEqual(undone.code, 0, undone.stderr);
    match(undone.stdout + undone.stderr, /new\.txt/);
    strictEqual([...Deno.readDirSync(world.work)].some(({ name }) => name === "new.txt"), false);
  });
  await t.step("a fork from before the compaction has none", async () => {
    const { script } = inSmallWindow({ tokens: WINDOW }, [{ text: "Otherwise." }]);
    await using second = await modelServer(script);
    const fork = ["-r", String(id), "--fork", "--at=1"];
    const forked = await world.run([...asking(second), ...fork, "another task"]);
    strictEqual(forked.code, 0, forked.stderr);
    deepStrictEqual(second.requests[0]?.body.messages.slice(1), [
      { role: "user", content: "another task" },
    ]);
  });
});

Deno.test("a window that nobody told is learnt from the server", async () => {
  await using world = await newWorld(FILES);
  const { script, summaries } = inSmallWindow({ tokens: WINDOW }, [
    ...reading(24),
    { text: "All done." },
  ]);
  await using server = await modelServer(script);
  const run = await world.run([...asking(server), TASK]);
  deepStrictEqual([run.code, run.events.at(-1)?.turns], [0, 25], run.stderr);
  ok(summaries() >= 2);
  const refused = server.requests.filter((request) => tokensIn(request) > WINDOW);
  ok(refused.length <= 2, `${refused.length} were refused`);
});

Deno.test("compact_at says when turns are summed up, or that they are not", async (t) => {
  const cases: [setting: string, share: [least: number, most: number] | undefined][] = [
    ["0.95", [0.95, 1]],
    ["0.6", [0.6, 0.75]],
    ["false", undefined],
  ];
  for (const [setting, share] of cases) {
    await t.step(setting, async () => {
      await using world = await newWorld(FILES);
      await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
      const config = `{ "compact_at": ${setting}, "context_window": ${WINDOW} }`;
      await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), config);
      const { script } = inSmallWindow({ tokens: WINDOW }, [...reading(9), { text: "All done." }]);
      await using server = await modelServer(script);
      const run = await world.run([...asking(server), TASK]);
      deepStrictEqual([run.code, run.events.at(-1)?.reason], [0, "done"], run.stderr);
      const [first] = eventsOf(run, "compaction");
      const at = first?.before_tokens / WINDOW;
      if (share) ok(at >= share[0] && at <= share[1], `at ${at}`);
      else strictEqual(first, undefined);
      strictEqual(eventsOf(run, "left_out").length > 0, setting === "false");
    });
  }
});

Deno.test("a summary that fails stops nothing, and is told", async (t) => {
  const refused: Reply = { status: 400, body: { error: { message: "not today" } } };
  const cases: [format: string, summary: Reply, reason: RegExp][] = [
    ["text", refused, /^older turns cannot be summed up: .*not today$/m],
    ["json", { text: "" }, /^older turns cannot be summed up: .*empty$/m],
  ];
  for (const [format, summary, reason] of cases) {
    await t.step(format, async () => {
      await using world = await newWorld(FILES);
      const { script } = inSmallWindow({
        tokens: WINDOW,
        summary: () => summary,
      }, [...reading(10), { text: "All done." }]);
      await using server = await modelServer(script);
      const args = [...asking(server), `--context-window=${WINDOW}`, `--output-format=${format}`];
      const run = await world.run([...args, TASK]);
      strictEqual(run.code, 0, run.stderr);
      ok(run.stdout.includes("All done."));
      match(run.stderr, reason);
      match(run.stderr, /^\d+ older results are left out to fit the model's window$/m);
      ok(server.requests.filter(isSummaryRequest).length <= 4);
      const [session] = (await world.run(["sessions"])).stdout.split(" ");
      const { stdout } = await world.run(["export", session ?? ""]);
      ok(stdout.includes("All done.") && !/^#.*summ/im.test(stdout), stdout);
    });
  }
});
