import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { canConfine } from "../helpers/confined.ts";
import { calling, eventsOf, HEADLESS, newWorld, resultText } from "../helpers/cordon.ts";
import { hasProgram } from "../helpers/has_program.ts";

const ON = "--tools=+rag_search,+rag_index,+rag_status";
const TREE = { "src/parser.ts": "export function parseHtml() {}\n", "other.md": "# Other\n" };

/** The row of a tool in what `cordon tools` prints. */
function rowOf(report: string, tool: string): string {
  return report.split("\n").find((line) => line.startsWith(`${tool} `)) ?? "";
}

Deno.test("retrieval is offered where it is switched on and something may be kept", async (t) => {
  await using world = await newWorld();
  const cases: [name: string, args: string[], want: RegExp][] = [
    ["named, in plan", [ON, "--profile=plan"], /^rag_search +offered/],
    ["without a log", [ON, "--no-session"], /^rag_search +not offered: nothing may be kept/],
    [
      "where only the workspace is granted",
      [
        ...[ON, "--profile=off", `--allow-read=${world.work}`],
      ],
      /^rag_search +not offered: nothing may be kept: --state=DIR, with --allow-read and --allow-wr/,
    ],
  ];
  for (const [name, args, want] of cases) {
    await t.step(name, async () => {
      const { stdout } = await world.run(["tools", ...args]);
      match(rowOf(stdout, "rag_search"), want);
    });
  }
});

const WANT = /^src\/parser\.ts:1-2 \(1\.00\) export function parseHtml\(\) \{\}\n {5}1\texport/;

Deno.test("a place is found by the whole program, and what it said by the next run", async (t) => {
  await using world = await newWorld(TREE);
  const call = calling("rag_search", { query: "parse html" });
  await t.step("in the view", async () => {
    const run = await world.play([call, { text: "the okapi lives in the forest" }], [ON]);
    strictEqual(run.code, 0, run.stderr);
    match(resultText(run), WANT);
  });
  await t.step("by the next run, without a view", async () => {
    const turns = [
      ...[calling("rag_index", {}), call],
      ...[calling("rag_search", { query: "okapi", sessions: true }), { text: "ok" }],
    ];
    const run = await world.play(turns, [ON, "--profile=off"]);
    const [index, place, session] = eventsOf(run, "tool_result").map(({ text }) => text);
    strictEqual(index, "Index updated: 0 files read, 0 gone");
    match(place, WANT);
    match(
      session,
      /\nsession [\w-]+, [^\n]+, assistant \(1\.00\)\nthe okapi lives in the forest\n/,
    );
  });
});

Deno.test("the smallest line names what an index needs, and it works under it", async (t) => {
  for (const args of [[], ["--tier=3"]]) {
    await t.step(args.join(" ") || "this machine's tier", async () => {
      await using world = await newWorld(TREE);
      const call = calling("rag_search", { query: "parse html" });
      const model = await world.script(call, { text: "ok" });
      const named = ["--tools=rag_search", "-m", model];
      const { stdout } = await world.run(["rights", "--flags", ...named, ...args]);
      const words = stdout.trim().split(" ");
      const flags = words.filter((word) => word.startsWith("--allow-"));
      const state = words.filter((word) => word.startsWith("--state="));
      const run = await world.run([...HEADLESS, ...named, ...state, "go"], { flags });
      match(resultText(run), /^src\/parser\.ts:1-2/);
    });
  }
});

Deno.test("a run without a log keeps no index", async () => {
  await using world = await newWorld(TREE);
  const call = calling("rag_search", { query: "parse html" });
  const run = await world.play([call, { text: "ok" }], [ON, "--no-session"]);
  match(resultText(run), /^Error: .*rag_search/);
  const state = world.join("home", ".local", "state", "cordon", "index");
  strictEqual(await Deno.stat(state).catch(() => undefined), undefined);
});

const ignore = !await canConfine() || !await hasProgram("python3");
Deno.test({ name: "python calls retrieval as a function", ignore }, async () => {
  await using world = await newWorld(TREE);
  const code = "[h['path'] for h in rag_search(query='parse html')['hits']]";
  const run = await world.play([calling("python", { code }), { text: "ok" }], [`${ON},+python`]);
  const [result] = eventsOf(run, "tool_result").filter(({ call_id }) => call_id === "call_1");
  deepStrictEqual(result?.text, "['src/parser.ts']");
});

Deno.test("vectors are asked of the configured server", async () => {
  const asked: string[] = [];
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      const { input } = await request.json();
      asked.push(...input);
      return Response.json({ data: input.map((_: string) => ({ embedding: [1, 0.5] })) });
    },
  );
  await using world = await newWorld(TREE);
  const embeddings = { model: "small", base_url: `http://127.0.0.1:${server.addr.port}/v1` };
  const folder = world.join("home", ".config", "cordon");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/config.jsonc`, JSON.stringify({ embeddings }));
  const call = calling("rag_search", { query: "parse html" });
  match(
    resultText(await world.play([call, { text: "ok" }], [ON])),
    /^src\/parser\.ts/,
  );
  strictEqual(asked.length, 3);
  ok(asked.includes("parse html"));
});
