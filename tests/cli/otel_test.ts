import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { programBinary } from "../helpers/binary.ts";
import {
  type Collector,
  collector,
  type CollectorReply,
  type SeenSpan,
  treeOf,
} from "../helpers/collector.ts";
import { calling, type CordonOptions, HEADLESS, newWorld, resultText } from "../helpers/cordon.ts";
import { FAMILY_KEY, newFamily, says } from "../helpers/family.ts";
import { modelServer } from "../helpers/model_server.ts";
import { hasTerminal } from "../helpers/terminal.ts";

/** Commands that say something can be run where nothing has to be asked. */
const ALL = "--approval=all";

function variables({ url }: Pick<Collector, "url">, more: Record<string, string> = {}) {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    // A machine with much to do may need it; who is answered waits for nothing.
    OTEL_BSP_EXPORT_TIMEOUT: "20000",
    ...more,
  };
}

function named(spans: readonly SeenSpan[], name: string): SeenSpan {
  const span = spans.find((one) => one.name === name);
  ok(span, `${name} is not among ${spans.map((one) => one.name).join(", ")}`);
  return span;
}

/** The lines on stderr that tell of traces. */
function warnings(stderr: string): string[] {
  return stderr.split("\n").filter((line) => line.includes("Cannot send traces"));
}

Deno.test("a run is a tree of spans, its sub-agents' below the calls that started them", async () => {
  await using seen = collector();
  await using family = await newFamily({
    parent: [
      says("bash", { command: "echo marker-of-output; exit 3" }),
      says("read_file", { path: "missing.txt", limit: -1 }),
      says("subagent", { prompt: "prompt-of-child", role: "explore" }),
      says("subagent_wait", {}),
      { text: "words-of-answer", usage: { input: 70, cached: 20, output: 3 } },
    ],
    child: () => ({ text: "found" }),
  });
  const run = await family.run([ALL], {
    env: variables(seen, {
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20secret-of-collector",
      OTEL_SERVICE_NAME: "agents",
      OTEL_RESOURCE_ATTRIBUTES: "team=core,service.name=other",
      TRACEPARENT: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    }),
  });
  deepStrictEqual([run.code, warnings(run.stderr)], [0, []], run.stderr);
  const root = "invoke_agent cordon";
  const child = `${root} > execute_tool subagent > invoke_agent explore`;
  deepStrictEqual(treeOf(seen.spans), [
    root,
    ...Array.from({ length: 5 }, () => `${root} > chat m1`),
    `${root} > execute_tool bash`,
    `${root} > execute_tool read_file`,
    `${root} > execute_tool subagent`,
    child,
    `${child} > invoke_agent explore`,
    `${child} > invoke_agent explore > chat m1`,
    `${root} > execute_tool subagent_wait`,
  ]);
  const task = named(seen.spans, root);
  strictEqual(task.parentSpanId, "b7ad6b7169203331");
  deepStrictEqual(
    [...new Set(seen.spans.map(({ traceId }) => traceId))],
    ["0af7651916cd43dd8448eb211c80319c"],
  );
  deepStrictEqual(
    { ...task.resource, "telemetry.sdk.version": "" },
    {
      "service.name": "agents",
      "service.version": "0.1.0",
      "team": "core",
      "telemetry.sdk.language": "nodejs",
      "telemetry.sdk.name": "opentelemetry",
      "telemetry.sdk.version": "",
    },
  );
  const session = run.events[0]?.session_id;
  deepStrictEqual(task.attributes, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": family.server.host,
    "gen_ai.request.model": "m1",
    "gen_ai.conversation.id": session,
    "gen_ai.agent.name": "cordon",
    "gen_ai.agent.version": "0.1.0",
    "cordon.end_reason": "done",
    "cordon.turns": 5,
    "gen_ai.usage.input_tokens": 110,
    "gen_ai.usage.output_tokens": 23,
  });
  const [address, port] = family.server.host.split(":");
  const last = seen.spans.filter(({ name, attributes }) =>
    name === "chat m1" && attributes["gen_ai.usage.input_tokens"] === 70
  );
  const { "gen_ai.response.time_to_first_chunk": first, ...said } = last[0]?.attributes ?? {};
  ok(Number(first) >= 0);
  deepStrictEqual([last[0]?.kind, last[0]?.status.code], [3, 0]);
  deepStrictEqual(said, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": family.server.host,
    "gen_ai.request.model": "m1",
    "gen_ai.conversation.id": session,
    "gen_ai.request.stream": true,
    "server.address": address,
    "server.port": Number(port),
    "cordon.retries": 0,
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.response.model": "m1",
    "gen_ai.usage.input_tokens": 70,
    "gen_ai.usage.cache_read.input_tokens": 20,
    "gen_ai.usage.output_tokens": 3,
    "gen_ai.usage.reasoning.output_tokens": 0,
  });
  const bash = named(seen.spans, "execute_tool bash");
  const { "gen_ai.tool.call.id": id, ...called } = bash.attributes;
  match(String(id), /^call_/);
  deepStrictEqual(called, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.conversation.id": session,
    "gen_ai.tool.name": "bash",
    "gen_ai.tool.type": "function",
    "cordon.tool.read_only": false,
    "cordon.gate.verdict": "unasked",
    "process.exit.code": 3,
  });
  const failed = named(seen.spans, "execute_tool read_file");
  deepStrictEqual([failed.status.code, failed.attributes["error.type"]], [2, "tool_error"]);
  // Nothing of what was said, asked for or answered, and no key.
  for (const { headers } of seen.requests) {
    strictEqual(headers.get("authorization"), "Bearer secret-of-collector");
  }
  for (const word of ["marker-of-output", "prompt-of-child", "words-of-answer", "do it"]) {
    ok(!seen.text().includes(word), word);
  }
  doesNotMatch(seen.text(), new RegExp(`secret-of-collector|${FAMILY_KEY}`));
});

Deno.test("content goes along where it is asked for, and never a secret", async () => {
  await using seen = collector();
  await using family = await newFamily({
    parent: [
      says("bash", { command: `echo marker-of-output ${FAMILY_KEY} secret-of-collector` }),
      { text: "words-of-answer" },
    ],
    child: () => ({ text: "" }),
  });
  const run = await family.run([ALL], {
    env: variables(seen, {
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
      // Also without the word before it.
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20secret-of-collector",
    }),
  });
  strictEqual(run.code, 0, run.stderr);
  const { attributes } = named(seen.spans, "execute_tool bash");
  match(String(attributes["gen_ai.tool.call.arguments"]), /"command":"echo marker-of-output \[/);
  match(String(attributes["gen_ai.tool.call.result"]), /^marker-of-output \[/);
  deepStrictEqual(
    JSON.parse(
      String(named(seen.spans, "invoke_agent cordon").attributes["gen_ai.input.messages"]),
    ),
    [{ role: "user", parts: [{ type: "text", content: "do it" }] }],
  );
  match(seen.text(), /words-of-answer/);
  doesNotMatch(seen.text(), new RegExp(`secret-of-collector|${FAMILY_KEY}`));
});

Deno.test("commands get neither the trace nor where it goes", async () => {
  await using seen = collector();
  await using world = await newWorld();
  const model = await world.script(
    calling("bash", { command: "env | grep -E '^(OTEL_|TRACE)' || echo none" }),
    { text: "done" },
  );
  const run = await world.run([...HEADLESS, "-m", model, ALL, "look"], {
    env: variables(seen, {
      TRACEPARENT: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    }),
  });
  strictEqual(resultText(run), "none", run.stderr);
  ok(seen.spans.length > 0);
});

Deno.test("what failed is told by its span", async (t) => {
  await t.step("a request that had to be made again", async () => {
    await using seen = collector();
    await using server = await modelServer([{ status: 503, body: "busy" }, { text: "hello" }]);
    await using world = await newWorld();
    const run = await world.run(
      [...HEADLESS, "-m", "m", `--base-url=${server.url}`, "--wire=chat", "hi"],
      { env: variables(seen) },
    );
    strictEqual(run.code, 0, run.stderr);
    const chat = named(seen.spans, "chat m");
    deepStrictEqual([chat.attributes["cordon.retries"], chat.status.code], [1, 0]);
    deepStrictEqual(chat.events.map(({ name }) => name), ["cordon.retry"]);
  });
  await t.step("a request without an answer", async () => {
    await using seen = collector();
    await using server = await modelServer([{ status: 401, body: { error: { message: "no" } } }]);
    await using world = await newWorld();
    const run = await world.run(
      [...HEADLESS, "-m", "m", `--base-url=${server.url}`, "--wire=chat", "hi"],
      { env: variables(seen) },
    );
    strictEqual(run.code, 76, run.stderr);
    const [chat, task] = [named(seen.spans, "chat m"), named(seen.spans, "invoke_agent cordon")];
    deepStrictEqual([chat.status.code, chat.attributes["error.type"]], [2, "401"]);
    deepStrictEqual([task.status.code, task.attributes["error.type"]], [2, "model_error"]);
  });
  await t.step("a call that nobody could allow", async () => {
    await using seen = collector();
    await using world = await newWorld({ "a.txt": "a" });
    const model = await world.script(
      calling("bash", { command: "rm -r a.txt" }),
      { text: "done" },
    );
    const run = await world.run([...HEADLESS, "-m", model, "--approval=ask", "go"], {
      env: variables(seen),
    });
    strictEqual(run.code, 4, run.stderr);
    const { attributes } = named(seen.spans, "execute_tool bash");
    deepStrictEqual(
      [attributes["cordon.gate.verdict"], attributes["error.type"]],
      ["unavailable", "approval_unavailable"],
    );
  });
});

Deno.test("a run that is stopped still sends its spans", async () => {
  await using seen = collector();
  await using server = await modelServer([{ raw: [": wait\n\n"], then: "hang" }]);
  await using world = await newWorld();
  const running = await world.start(
    [...HEADLESS, "-m", "m", `--base-url=${server.url}`, "--wire=chat", "hi"],
    { env: variables(seen) },
  );
  await server.request(1);
  running.kill("SIGTERM");
  const run = await running.ended;
  strictEqual(run.code, 143, run.stderr);
  deepStrictEqual(treeOf(seen.spans), ["invoke_agent cordon", "invoke_agent cordon > chat m"]);
  strictEqual(named(seen.spans, "chat m").attributes["error.type"], "interrupted");
});

Deno.test("a collector that does not take spans is told of once, and changes nothing else", async (t) => {
  const cases: [what: string, reply: CollectorReply, said: RegExp][] = [
    ["refuses", 400, /it answers 400/],
    ["redirects", 307, /it answers 307/],
    ["never answers", "silence", /it did not answer before the run had ended/],
  ];
  for (const [what, reply, said] of cases) {
    await t.step(what, async () => {
      await using seen = collector(reply);
      await using world = await newWorld();
      const model = await world.script(
        calling("bash", { command: "echo one" }),
        calling("bash", { command: "echo two" }),
        { text: "the answer" },
      );
      const run = await world.run(["-p", "-m", model, ALL, "go"], {
        env: variables(seen, {
          OTEL_EXPORTER_OTLP_HEADERS: "x-key=secret-of-collector",
          ...(reply === "silence" && { OTEL_BSP_EXPORT_TIMEOUT: "500" }),
        }),
      });
      deepStrictEqual([run.code, run.stdout], [0, "the answer\n"], run.stderr);
      const [warning = "", ...more] = warnings(run.stderr);
      match(warning, said);
      deepStrictEqual(more, []);
      doesNotMatch(run.stderr, /secret-of-collector/);
      // Where nobody answers, nobody waits until it has come.
      ok(reply === "silence" || seen.requests.length > 0);
    });
  }
  await t.step("is not there", async () => {
    await using world = await newWorld();
    const model = await world.script({ text: "the answer" });
    const run = await world.run(["-p", "-m", model, "go"], { env: variables(freeAddress()) });
    deepStrictEqual([run.code, run.stdout], [0, "the answer\n"], run.stderr);
    strictEqual(warnings(run.stderr).length, 1, run.stderr);
  });
});

/** An address where nobody listens. */
function freeAddress(): { readonly url: string } {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return { url: `http://127.0.0.1:${listener.addr.port}` };
}

Deno.test("spans go over protobuf by default, packed where that is asked for", async () => {
  await using seen = collector();
  await using world = await newWorld();
  const model = await world.script({ text: "hello" });
  const run = await world.run(["-p", "-m", model, "go"], {
    env: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${seen.url}/own/path`,
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    },
  });
  strictEqual(run.code, 0, run.stderr);
  const [request] = seen.requests;
  strictEqual(request?.path, "/own/path");
  strictEqual(request?.headers.get("content-type"), "application/x-protobuf");
  strictEqual(request?.headers.get("content-encoding"), "gzip");
  // Texts stand in protobuf as they are.
  match(seen.text(), /invoke_agent cordon/);
});

Deno.test("rights go before traces", async (t) => {
  const sent: [what: string, args: string[], env: Record<string, string>, granted: boolean][] = [
    ["by default the variable is a grant", [], {}, true],
    ["flags for hosts leave it out", ["--allow-net=a.example", "--allow-read"], {}, false],
    ["flags for hosts name it", ["--allow-net=COLLECTOR", "--allow-read"], {}, true],
    ["flags for other things leave it out", ["--allow-read"], {}, false],
    ["no host may be reached", ["--deny-net"], {}, false],
    ["this one may not", ["--deny-net=COLLECTOR"], {}, false],
    ["it was switched off", [], { OTEL_SDK_DISABLED: "true" }, false],
  ];
  for (const [what, args, env, granted] of sent) {
    await t.step(what, async () => {
      await using seen = collector();
      await using world = await newWorld();
      const model = await world.script({ text: "hello" });
      const given = args.map((arg) => arg.replace("COLLECTOR", seen.host));
      const run = await world.run(["-p", "-m", model, ...given, "go"], {
        env: variables(seen, env),
      });
      strictEqual(run.code, 0, run.stderr);
      strictEqual(seen.requests.length > 0, granted);
      const refused = !granted && env["OTEL_SDK_DISABLED"] === undefined;
      strictEqual(warnings(run.stderr).length, refused ? 1 : 0, run.stderr);
    });
  }
});

Deno.test("cordon rights tells where traces go", async () => {
  await using world = await newWorld();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  const asked = await world.run(["rights"], { env });
  match(asked.stdout, /^traces +http:\/\/127\.0\.0\.1:4318\/v1\/traces$/m);
  doesNotMatch((await world.run(["rights"])).stdout, /^traces/m);
});

Deno.test("Deno's own rights may be as narrow as the run", async () => {
  await using seen = collector();
  await using world = await newWorld();
  const model = await world.script({ text: "hello" });
  const script = model.slice("scripted:".length);
  const run = await world.run(["-p", "-m", model, "go"], {
    env: variables(seen),
    flags: [`--allow-net=${seen.host}`, "--allow-env=OTEL_*", `--allow-read=${script}`],
  });
  strictEqual(run.code, 0, run.stderr);
  deepStrictEqual(treeOf(seen.spans).length, 2, run.stderr);
});

Deno.test("a conversation is a trace for each task", { ignore: !await hasTerminal() }, async () => {
  await using seen = collector();
  await using world = await newWorld();
  const model = await world.script({ text: "first" }, { text: "second" });
  const running = await world.start(["--plain", "-m", model], {
    env: variables(seen, { TERM: "xterm" }),
    terminal: true,
  });
  await running.saw("> ");
  await running.write("one\r");
  await running.saw("first");
  await running.saw("> ");
  await running.write("two\r");
  await running.saw("second");
  await running.saw("> ");
  await running.write("\x04");
  const run = await running.ended;
  strictEqual(run.code, 0, run.stdout);
  const roots = seen.spans.filter(({ name }) => name === "invoke_agent cordon");
  strictEqual(new Set(roots.map(({ traceId }) => traceId)).size, 2);
});

Deno.test("the binary sends them, too, also where it may not read any more", async (t) => {
  const binary = await programBinary();
  const cases: [what: string, more: Partial<CordonOptions>, args: string[]][] = [
    ["with its own rights", {}, []],
    ["without the right to read", {}, ["--allow-net=COLLECTOR", "--no-session"]],
  ];
  for (const [what, more, args] of cases) {
    await t.step(what, async () => {
      await using seen = collector();
      await using server = await modelServer([{ text: "hello" }]);
      await using world = await newWorld();
      const given = args.map((arg) => arg.replace("COLLECTOR", `${seen.host},${server.host}`));
      const run = await world.run(
        ["-p", "-m", "m", `--base-url=${server.url}`, "--wire=chat", ...given, "go"],
        { ...more, binary, env: variables(seen, { OTEL_DENO: "true" }) },
      );
      deepStrictEqual([run.code, run.stdout], [0, "hello\n"], run.stderr);
      deepStrictEqual(treeOf(seen.spans), ["invoke_agent cordon", "invoke_agent cordon > chat m"]);
      // Deno's own exporter would send its own spans and what is written to stderr.
      deepStrictEqual([...new Set(seen.requests.map(({ path }) => path))], ["/v1/traces"]);
      strictEqual(server.requests[0]?.headers.get("traceparent"), null);
    });
  }
});

Deno.test("sub-agents with narrow rights send theirs", async () => {
  await using seen = collector();
  await using family = await newFamily({
    parent: [says("subagent", { prompt: "go" }), says("subagent_wait", {}), { text: "done" }],
    child: () => ({ text: "found" }),
  });
  const run = await family.run([
    `--allow-net=${family.server.host},${seen.host}`,
    "--allow-run",
    "--allow-env",
  ], {
    env: variables(seen),
  });
  strictEqual(run.code, 0, run.stderr);
  strictEqual(seen.spans.filter(({ name }) => name === "invoke_agent explore").length, 2);
});
