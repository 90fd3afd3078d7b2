import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import {
  calling,
  type CordonEvent,
  type CordonRun,
  newWorld,
  type Turn,
  type World,
} from "../helpers/cordon.ts";
import { type ModelServer, modelServer, type Reply } from "../helpers/model_server.ts";
import { EXIT_CODES } from "./exit_codes.ts";

/** A way out of the program, and how it tells it. */
interface Ending {
  readonly name: string;
  readonly code: number;
  readonly reason: string;
  /** What a person reads on stderr; absent where all went well. */
  readonly says?: RegExp;
  /** The answer on stdout. */
  readonly text?: string;
  /** What the model does: a script, or replies of a server. */
  readonly turns?: readonly Turn[];
  readonly replies?: readonly Reply[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: string;
  /** In the folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly signal?: Deno.Signal;
  /** Over before a session began. */
  readonly early?: true;
}

const HELLO: readonly Turn[] = [{ text: "Hello" }];
const FOREVER: Reply = { raw: [": silence\n\n"], then: "hang" };
const REFUSED = { error: { message: "No" } };
const PRICES = '{"prices": {"input": 1000000, "output": 1000000}}';

const ENDINGS: readonly Ending[] = [
  { name: "an answer", code: 0, reason: "done", text: "Hello", turns: HELLO },
  {
    name: "a command that --approval=deny refuses",
    code: 0,
    reason: "done",
    text: "Refused",
    turns: [calling("bash", { command: "touch made" }), { text: "Refused" }],
    args: ["--approval=deny", "--profile=off"],
  },
  {
    name: "the same failure again and again",
    code: 1,
    reason: "repeated_failure",
    turns: Array.from({ length: 9 }, () => calling("no_such_tool", {})),
  },
  {
    name: "a request that the server finds wrong",
    code: 1,
    reason: "model_error",
    says: /^error: .*No$/m,
    replies: [{ status: 400, body: REFUSED }],
  },
  {
    name: "an answer cut off by the token limit",
    code: 1,
    reason: "model_error",
    text: "Half",
    says: /^error: The answer was cut off by the token limit/m,
    replies: [{ text: "Half", finish: "length" }],
  },
  {
    name: "an answer that fits no schema, asked for twice",
    code: 1,
    reason: "failed",
    text: "Twice",
    says: /^error: The answer does not fit --output-schema: it is not JSON/m,
    turns: [{ text: "Once" }, { text: "Twice" }],
    args: ["--output-schema=schema.json"],
    files: { "schema.json": "{}" },
  },
  {
    name: "an answer whose file cannot be written",
    code: 1,
    reason: "failed",
    text: "Hello",
    says: /^error: Cannot write ".*last": it is a folder$/m,
    turns: [calling("write_file", { path: "last/a.txt", content: "x" }), ...HELLO],
    args: ["-o", "last"],
  },
  {
    name: "a file to attach that is not there",
    code: 2,
    reason: "usage",
    early: true,
    says: /^error: Cannot attach "nowhere": there is no such file, @@ means a plain @$/m,
    turns: HELLO,
    args: ["@nowhere"],
  },
  {
    name: "a file for the answer in no folder",
    code: 2,
    reason: "usage",
    early: true,
    says: /^error: Cannot write ".*nowhere\/last\.txt": there is no such folder$/m,
    turns: HELLO,
    args: ["-o", "nowhere/last.txt"],
  },
  {
    name: "an unknown option",
    code: 2,
    reason: "usage",
    early: true,
    says: /^error: Unknown option "--aproval", did you mean --approval; see cordon --help$/m,
    args: ["--aproval=all"],
  },
  {
    name: "a session that is not there",
    code: 2,
    reason: "usage",
    early: true,
    says: /^error: There is no session "1999"; see cordon sessions$/m,
    turns: HELLO,
    args: ["--resume=1999"],
  },
  {
    name: "--max-turns",
    code: 3,
    reason: "turn_limit",
    turns: [calling("list_dir", {}), ...HELLO],
    args: ["--max-turns=1"],
  },
  {
    name: "--timeout",
    code: 3,
    reason: "time_limit",
    replies: [FOREVER],
    args: ["--timeout=0.5"],
  },
  {
    name: "--max-budget-usd",
    code: 3,
    reason: "budget",
    replies: [{ toolCalls: [{ name: "list_dir", arguments: {} }] }],
    args: ["--max-budget-usd=1"],
    config: PRICES,
  },
  {
    name: "a command that nobody can approve",
    code: 4,
    reason: "approval_unavailable",
    text: "Not done",
    turns: [calling("bash", { command: "touch made" }), { text: "Not done" }],
    args: ["--profile=off"],
  },
  {
    name: "a server that wants an hour of patience",
    code: 75,
    reason: "model_error",
    says: /^error: /m,
    replies: [{ status: 429, body: REFUSED, headers: { "retry-after": "3600" } }],
  },
  {
    name: "no server at all",
    code: 75,
    reason: "model_error",
    says: /^error: .*127\.0\.0\.1:1\b/m,
    args: ["-m", "m", "--base-url=http://127.0.0.1:1/v1"],
  },
  {
    name: "no key where one is needed",
    code: 76,
    reason: "model_error",
    early: true,
    says: /^error: .*OPENAI_API_KEY/m,
    args: ["-m", "m"],
  },
  {
    name: "a wrong key",
    code: 76,
    reason: "model_error",
    says: /^error: /m,
    replies: [{ status: 401, body: REFUSED }],
    env: { OPENAI_API_KEY: "wrong" },
  },
  {
    name: "a model that is not there",
    code: 77,
    reason: "model_error",
    says: /^error: .*"m"/m,
    replies: [{ status: 404, body: { error: { message: "No", code: "model_not_found" } } }],
  },
  {
    name: "a configuration that is no JSON",
    code: 78,
    reason: "config",
    early: true,
    says: /^error: .*config\.jsonc": .* at line 2, column 12$/m,
    turns: HELLO,
    config: '{\n  "model": }',
  },
  {
    name: "a schema that is none",
    code: 78,
    reason: "config",
    early: true,
    says: /^error: Cannot use ".*schema\.json": schema is invalid: /m,
    turns: HELLO,
    args: ["--output-schema=schema.json"],
    files: { "schema.json": '{ "type": "strin" }' },
  },
  {
    name: "a schema that is not there",
    code: 78,
    reason: "config",
    early: true,
    says: /^error: Cannot read ".*schema\.json": there is no such file$/m,
    turns: HELLO,
    args: ["--output-schema=schema.json"],
  },
  {
    name: "no model",
    code: 78,
    reason: "config",
    early: true,
    says: /^error: No model is set: name one by --model, CORDON_MODEL or "model" in config.jsonc$/m,
  },
  { name: "SIGINT", code: 130, reason: "interrupted", replies: [FOREVER], signal: "SIGINT" },
  { name: "SIGTERM", code: 143, reason: "interrupted", replies: [FOREVER], signal: "SIGTERM" },
  { name: "SIGHUP", code: 129, reason: "interrupted", replies: [FOREVER], signal: "SIGHUP" },
];

/** Nobody waits longer for a server that is not there, in milliseconds. */
const MAX_WAIT_MS = 20_000;

const FORMATS = ["text", "json", "stream-json"] as const;

Deno.test("every way out tells its exit code in every output format", async (t) => {
  for (const ending of ENDINGS) {
    await t.step(`${ending.name}: ${ending.code}`, async () => {
      await Promise.all(FORMATS.map(async (format) => {
        const run = await reach(ending, format);
        const place = `${format}\n${run.stdout}${run.stderr}`;
        deepStrictEqual([run.code, run.signal], [ending.code, null], place);
        check[format](run, ending);
        if (ending.says) match(run.stderr + errorsIn(run.events), ending.says);
        ok(!run.stderr.includes("    at "), `a stack trace: ${run.stderr}`);
      }));
    });
  }
});

Deno.test("the endings tried here are those that are published", async (t) => {
  const published = EXIT_CODES.map(([code]) => code);
  const tried = new Set(ENDINGS.map(({ code }) => code));
  deepStrictEqual(published.filter((code) => !tried.has(code)), []);
  await t.step("by cordon --help", async () => {
    await using world = await newWorld();
    const { stdout } = await world.run(["--help"]);
    const paragraph = stdout.slice(stdout.indexOf("Exit codes:")).replaceAll(/\s+/g, " ");
    for (const [code, meaning] of EXIT_CODES) ok(paragraph.includes(`${code} ${meaning}`), meaning);
  });
});

const check: Record<typeof FORMATS[number], (run: CordonRun, ending: Ending) => void> = {
  text({ stdout }, { text }) {
    strictEqual(stdout, text === undefined ? "" : `${text}\n`);
  },
  json({ events }, ending) {
    strictEqual(events.length, 1);
    checkResult(events[0], ending);
  },
  "stream-json"({ events }, ending) {
    const types: string[] = events.map(({ type }) => type);
    strictEqual(types.at(0), ending.early ? "error" : "session");
    strictEqual(types.filter((type) => type === "session").length, ending.early ? 0 : 1);
    strictEqual(types.indexOf("result"), types.length - 1);
    strictEqual(types.includes("error"), ending.says !== undefined);
    checkResult(events.at(-1), ending);
    const waits: number[] = events.filter(({ type }) => type === "retry").map((e) => e.delay_ms);
    ok(waits.reduce((sum, wait) => sum + wait, 0) < MAX_WAIT_MS, `waits of ${waits} ms`);
  },
};

function checkResult(result: CordonEvent | undefined, { code, reason, text = "" }: Ending): void {
  deepStrictEqual(
    { ...result, turns: 0, usage: {}, duration_ms: 0 },
    { type: "result", reason, exit_code: code, text, turns: 0, usage: {}, duration_ms: 0 },
  );
}

/** In stream-json what went wrong is told on stdout, in the other formats on stderr. */
function errorsIn(events: readonly CordonEvent[]): string {
  return events.filter(({ type }) => type === "error").map(({ message }) => `error: ${message}`)
    .join("\n");
}

async function reach(ending: Ending, format: string): Promise<CordonRun> {
  await using world = await newWorld(ending.files);
  await using server = ending.replies ? await modelServer(ending.replies) : undefined;
  await writeConfig(world, ending.config);
  const running = await world.start([
    "-p",
    `--output-format=${format}`,
    ...await modelArguments(world, ending, server),
    ...ending.args ?? [],
    "do it",
  ], { env: ending.env ?? {} });
  if (ending.signal) {
    await server?.request(1);
    running.kill(ending.signal);
  }
  return await running.ended;
}

async function modelArguments(
  world: World,
  { turns }: Ending,
  server: ModelServer | undefined,
): Promise<string[]> {
  if (server) return ["-m", "m", `--base-url=${server.url}`];
  return turns ? ["-m", await world.script(...turns)] : [];
}

async function writeConfig(world: World, text: string | undefined): Promise<void> {
  if (text === undefined) return;
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), text);
}
