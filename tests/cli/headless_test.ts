import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { calling, type CordonRun, eventsOf, newWorld, type World } from "../helpers/cordon.ts";
import { type ModelServer, modelServer, type Reply } from "../helpers/model_server.ts";
import { PIXEL } from "../helpers/pixel.ts";
import { hasTerminal } from "../helpers/terminal.ts";

const FORMATS = ["text", "json", "stream-json"] as const;
type Format = typeof FORMATS[number];

/** Runs every case in every format, each in a world of its own. */
async function inEveryFormat(
  t: Deno.TestContext,
  files: Readonly<Record<string, string | Uint8Array>>,
  replies: readonly Reply[],
  args: readonly string[],
  check: (
    run: CordonRun,
    server: ModelServer,
    world: World,
    format: Format,
  ) => Promise<void> | void,
): Promise<void> {
  for (const format of FORMATS) {
    await t.step(format, async () => {
      await using world = await newWorld(files);
      await using server = await modelServer(replies);
      const model = ["-m", "m", `--base-url=${server.url}`];
      const run = await world.run(["-p", `--output-format=${format}`, ...model, ...args]);
      await check(run, server, world, format);
    });
  }
}

const SCHEMA = JSON.stringify({
  type: "object",
  properties: { a: { type: "integer" } },
  required: ["a"],
});

Deno.test("--output-schema: the model is told, and a good answer is JSON alone", async (t) => {
  await inEveryFormat(
    t,
    { "schema.json": SCHEMA },
    [{ text: '```json\n{"a": 1}\n```' }],
    ["--output-schema=schema.json", "go"],
    (run, server, _, format) => {
      strictEqual(run.code, 0, run.stderr);
      strictEqual(answerOf(run, format), '{"a": 1}');
      const [system] = server.requests[0]?.body.messages ?? [];
      ok(system.content.includes(SCHEMA));
    },
  );
});

Deno.test("--output-schema: one turn repairs an answer that does not fit", async (t) => {
  await inEveryFormat(
    t,
    { "schema.json": SCHEMA },
    [{ text: '{"a": "one"}' }, { text: '{"a": 1}' }],
    ["--output-schema=schema.json", "go"],
    (run, server, _, format) => {
      strictEqual(run.code, 0, run.stderr);
      strictEqual(answerOf(run, format), '{"a": 1}');
      const said = server.requests[1]?.body.messages.at(-1);
      strictEqual(said.role, "user");
      match(said.content, /does not fit the JSON Schema: \/a must be integer\. Answer again/);
      if (format !== "text") strictEqual(run.events.at(-1)?.turns, 2);
    },
  );
});

Deno.test("--output-schema: what is no answer is not repaired, and limits hold", async (t) => {
  const call = { toolCalls: [{ name: "list_dir", arguments: {} }] };
  const cases: [name: string, replies: Reply[], args: string[], want: unknown[]][] = [
    ["no turn is left", [{ text: "no" }], ["--max-turns=1"], [1, "failed", 1]],
    ["stopped by a limit", [call], ["--max-turns=1"], [3, "turn_limit", 1]],
    ["tools instead of an answer", [{ text: "no" }, call], [], [1, "failed", 2]],
    ["a model that is gone", [{ text: "no" }, { status: 401 }], [], [76, "model_error", 1]],
  ];
  for (const [name, replies, args, want] of cases) {
    await t.step(name, async () => {
      await using world = await newWorld({ "schema.json": SCHEMA });
      await using server = await modelServer(replies);
      const model = ["-m", "m", `--base-url=${server.url}`, "--output-schema=schema.json"];
      const run = await world.run(["-p", "--output-format=json", ...model, ...args, "go"]);
      const result = run.events.at(-1);
      deepStrictEqual([run.code, result?.reason, result?.turns], want, run.stderr);
    });
  }
});

Deno.test("--output-schema reads schemas of draft-07 and 2020-12", async (t) => {
  const cases: [name: string, schema: unknown, good: string, bad: string][] = [
    ["no version", { prefixItems: [{ type: "string" }] }, '["a"]', "[1]"],
    [
      "draft-07",
      { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] },
      '["a"]',
      "[1]",
    ],
    ["a reference inside", { $ref: "#/$defs/n", $defs: { n: { type: "null" } } }, "null", "1"],
  ];
  for (const [name, schema, good, bad] of cases) {
    await t.step(name, async () => {
      await using world = await newWorld({ "s.json": JSON.stringify(schema) });
      const ask = async (text: string) =>
        (await world.play([{ text }, { text }], ["--output-schema=s.json"])).code;
      deepStrictEqual([await ask(good), await ask(bad)], [0, 1]);
    });
  }
});

Deno.test("-o writes the last message to a file", async (t) => {
  await inEveryFormat(
    t,
    { "last.txt": "of another run" },
    [{ text: "Looking", toolCalls: [{ name: "list_dir", arguments: {} }] }, { text: "Found it" }],
    ["-o", "last.txt", "go"],
    async (run, _server, world) => {
      strictEqual(run.code, 0, run.stderr);
      strictEqual(await Deno.readTextFile(world.join("work/last.txt")), "Found it\n");
      deepStrictEqual([...Deno.readDirSync(world.work)].map(({ name }) => name), ["last.txt"]);
    },
  );
  await t.step("- is stdout, where it is anyway", async () => {
    await using world = await newWorld();
    const run = await world.run([
      "-p",
      "-m",
      await world.script({ text: "Hello" }),
      "-o",
      "-",
      "x",
    ]);
    deepStrictEqual([run.code, run.stdout, [...Deno.readDirSync(world.work)]], [0, "Hello\n", []]);
  });
  await t.step("a run without an answer leaves an empty file", async () => {
    await using world = await newWorld({ "last.txt": "of another run" });
    const run = await world.play([calling("list_dir", {})], ["-o", "last.txt", "--max-turns=1"]);
    strictEqual(run.code, 3);
    strictEqual(await Deno.readTextFile(world.join("work/last.txt")), "");
  });
  await t.step({
    name: "a link keeps leading to its file, which keeps its mode",
    ignore: Deno.build.os === "windows",
    fn: async () => {
      await using world = await newWorld({ "real.txt": "" });
      await Deno.chmod(world.join("work/real.txt"), 0o640);
      await Deno.symlink("real.txt", world.join("work/link.txt"));
      await world.play([{ text: "Hello" }], ["-o", "link.txt"]);
      ok((await Deno.lstat(world.join("work/link.txt"))).isSymlink);
      strictEqual(await Deno.readTextFile(world.join("work/real.txt")), "Hello\n");
      strictEqual(((await Deno.stat(world.join("work/real.txt"))).mode ?? 0) & 0o777, 0o640);
    },
  });
  await t.step({
    name: "a device is written to, and stays one",
    ignore: Deno.build.os === "windows",
    fn: async () => {
      await using world = await newWorld();
      strictEqual((await world.play([{ text: "Hello" }], ["-o", "/dev/null"])).code, 0);
      strictEqual((await Deno.stat("/dev/null")).isFile, false);
    },
  });
  await t.step({
    name: "what Deno keeps from us is refused before the task",
    ignore: Deno.build.os === "windows",
    fn: async () => {
      await using world = await newWorld();
      for (const device of ["/dev/stdout", "/dev/full", "/proc/self/fd/1"]) {
        const run = await world.play([{ text: "Hello" }], ["-o", device]);
        strictEqual(run.code, 2);
        match(run.stdout, /no device but \/dev\/null; \\"-\\" is standard output.*\n.*"turns":0/);
      }
    },
  });
  await t.step("it works where the model may only read", async () => {
    await using world = await newWorld();
    const run = await world.play([{ text: "Hello" }], ["-o", "last.txt", "--allow-read=."]);
    strictEqual(run.code, 0, run.stderr);
    strictEqual(await Deno.readTextFile(world.join("work/last.txt")), "Hello\n");
  });
});

Deno.test("@file brings a text in a marked block, and an image", async (t) => {
  await inEveryFormat(
    t,
    { "notes/a b.txt": "\uFEFFone\ntwo\n", "pixel.png": PIXEL },
    [{ text: "ok" }],
    ["sum", "up", "@notes/a b.txt", "@pixel.png", "for", "@@me", "@"],
    (run, server) => {
      strictEqual(run.code, 0, run.stderr);
      const content = server.requests[0]?.body.messages.at(-1).content;
      strictEqual(
        content[0].text,
        'sum up for @me @\n\n<file path="notes/a b.txt">\none\ntwo\n</file>',
      );
      strictEqual(content[1].image_url.url, `data:image/png;base64,${PIXEL.toBase64()}`);
    },
  );
  await t.step("alone it is the prompt", async () => {
    await using world = await newWorld({ "task.md": "Mend it" });
    await using server = await modelServer([{ text: "ok" }]);
    const run = await world.run(["-p", "-m", "m", `--base-url=${server.url}`, "@task.md"], {
      stdin: "more",
    });
    strictEqual(run.code, 0, run.stderr);
    strictEqual(
      server.requests[0]?.body.messages.at(-1).content,
      '<file path="task.md">\nMend it\n</file>\n\n<stdin>\nmore\n</stdin>',
    );
  });
});

Deno.test("@file comes with the first prompt of a conversation", {
  ignore: !await hasTerminal(),
}, async () => {
  await using world = await newWorld({ "a.txt": "one" });
  await using server = await modelServer([{ text: "Read it" }]);
  const args = ["-m", "m", `--base-url=${server.url}`, "read", "@a.txt"];
  const running = await world.start(args, { terminal: true });
  await running.saw("Read it");
  await running.saw("> ");
  await running.write("\x04");
  strictEqual((await running.ended).code, 0);
  strictEqual(
    server.requests[0]?.body.messages.at(-1).content,
    'read\n\n<file path="a.txt">\none\n</file>',
  );
});

Deno.test(
  "-o and --output-schema are for -p alone",
  { ignore: !await hasTerminal() },
  async (t) => {
    await using world = await newWorld({ "s.json": "{}" });
    for (const option of ["-o=last.txt", "--output-schema=s.json"]) {
      await t.step(option, async () => {
        const model = await world.script({ text: "ok" });
        const { code, stdout } =
          await (await world.start(["-m", model, ...option.split("="), "hi"], {
            terminal: true,
          })).ended;
        strictEqual(code, 2);
        match(
          stdout,
          /Cannot use -o or --output-schema in a conversation: use cordon -p PROMPT/,
        );
      });
    }
  },
);

Deno.test("@file refuses", async (t) => {
  const cases: [name: string, word: string, says: RegExp][] = [
    ["a folder", "@.", /^error: Cannot attach "\.": it is no file$/m],
    ["bytes that are no text", "@data.bin", /: it is neither UTF-8 text nor an image$/m],
    ["NUL", "@nul.txt", /: it is neither UTF-8 text nor an image$/m],
    ["too much", "@large.txt", /: it is over 1 MB, /m],
  ];
  for (const [name, word, says] of cases) {
    await t.step(name, async () => {
      await using world = await newWorld({
        "data.bin": new Uint8Array([0xff, 0xfe, 0xfd, 1]),
        "nul.txt": "a\0b",
        "large.txt": "x".repeat(1024 * 1024 + 1),
      });
      const run = await world.run(["-p", "-m", "scripted:x", word]);
      deepStrictEqual([run.code, run.stdout], [2, ""]);
      match(run.stderr, says);
      doesNotMatch(run.stderr, / {4}at /);
    });
  }
});

function answerOf(run: CordonRun, format: Format): string {
  if (format === "text") return run.stdout.trimEnd();
  return String((format === "json" ? run.events : eventsOf(run, "result"))[0]?.text);
}
