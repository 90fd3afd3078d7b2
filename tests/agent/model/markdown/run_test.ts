import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import {
  type CordonRun,
  eventsOf,
  HEADLESS,
  newWorld,
  resultText,
} from "../../../helpers/cordon.ts";
import { type BehaviourCase, readCases } from "../../../helpers/edit_cases.ts";
import { modelServer } from "../../../helpers/model_server.ts";

const MARKDOWN = ["--tool-format=markdown", "--approval=all", "--no-session"] as const;

const EDIT = `I change it and look.

\`\`\`patch greet.sh
<<<<<<< ORIGINAL
echo helo
=======
echo hello
>>>>>>> UPDATED
\`\`\`

\`\`\`bash
bash greet.sh
\`\`\`
`;

/** Name and arguments of every call of a run. */
function callsOf(run: CordonRun): unknown[] {
  return eventsOf(run, "tool_call").map(({ name, arguments: args }) => [name, args]);
}

Deno.test("a run in the markdown format edits a file and runs a command, against a server", async () => {
  await using world = await newWorld({ "greet.sh": "#!/bin/sh\necho helo\n" });
  await using server = await modelServer([{ text: EDIT }, { text: "It says hello now." }]);
  const run = await world.run(
    [...HEADLESS, ...MARKDOWN, "-m", "m1", `--base-url=${server.url}`, "mend greet.sh"],
    { env: { OPENAI_API_KEY: "k" } },
  );
  strictEqual(run.code, 0, run.stderr);
  strictEqual(await Deno.readTextFile(world.join("work", "greet.sh")), "#!/bin/sh\necho hello\n");
  strictEqual(eventsOf(run, "tool_result")[1]?.text, "hello");
  strictEqual(run.events.at(-1)?.text, "It says hello now.");
  const [first, second] = server.requests.map(({ body }) => body);
  for (const body of [first, second]) ok(!("tools" in body));
  match(first.messages[0].content, /\n## patch\n/);
  const [, , said, results] = second.messages;
  deepStrictEqual(said, { role: "assistant", content: EDIT });
  strictEqual(results.role, "user");
  match(results.content, /^<tool_result call="1" tool="patch">\nEdited greet\.sh/);
  match(results.content, /\n<tool_result call="2" tool="bash">\nhello\n<\/tool_result>$/);
});

Deno.test("a run in the markdown format plays a script of texts, and goes on from its log", async () => {
  await using world = await newWorld();
  const format = MARKDOWN.filter((option) => option !== "--no-session");
  const first = await world.play([
    { text: "````save a.md\n# A\n```sh\nls\n```\n````\nand\n```bash\nwc -l < a.md\n```" },
    { text: "Four lines." },
  ], format);
  strictEqual(first.code, 0, first.stderr);
  deepStrictEqual(callsOf(first), [
    ["write_file", { path: "a.md", content: "# A\n```sh\nls\n```\n" }],
    ["bash", { command: "wc -l < a.md" }],
  ]);
  match(String(eventsOf(first, "tool_result")[1]?.text), /^\s*4\s*$/);
  // The same conversation goes on in either format.
  for (const again of [format, ["--approval=all"]]) {
    const run = await world.play([{ text: "Still four." }], [...again, "--continue"]);
    strictEqual(run.code, 0, run.stderr);
  }
});

Deno.test("a block that is cut off is answered and never run; the run goes on", async (t) => {
  await t.step("by a stop without a closing fence", async () => {
    await using world = await newWorld({ "a.txt": "x\n" });
    const run = await world.play([
      { text: "```bash\ntouch made\n```\n```bash\nrm a.txt\n" },
      { text: "ok" },
    ], MARKDOWN);
    strictEqual(run.code, 0, run.stderr);
    const [first, second] = eventsOf(run, "tool_result");
    strictEqual(first?.is_error, false);
    strictEqual(second?.is_error, true);
    match(String(second?.text), /^Error: The block bash was cut off/);
    strictEqual(await Deno.readTextFile(world.join("work", "a.txt")), "x\n");
    ok(await Deno.stat(world.join("work", "made")));
  });
  await t.step("by the token limit, with all calls of its answer", async () => {
    await using world = await newWorld({ "a.txt": "x\n" });
    await using server = await modelServer([
      { text: "```bash\nrm a.txt\n```\n```bash\nls", finish: "length" },
      { text: "ok" },
    ]);
    const run = await world.run(
      [...HEADLESS, ...MARKDOWN, "-m", "m1", `--base-url=${server.url}`, "do it"],
      { env: { OPENAI_API_KEY: "k" } },
    );
    strictEqual(run.code, 0, run.stderr);
    const results = eventsOf(run, "tool_result");
    deepStrictEqual(results.map(({ is_error }) => is_error), [true, true]);
    match(String(results[0]?.text), /cut off by the token limit/);
    strictEqual(await Deno.readTextFile(world.join("work", "a.txt")), "x\n");
  });
});

Deno.test("calls of the markdown format pass the gate and the checks of their arguments", async () => {
  await using world = await newWorld();
  const run = await world.play([
    { text: '```bash\ngit push --force\n```\n```save\nx\n```\n```bash\n{"command": "l\n```' },
    { text: "ok" },
  ], MARKDOWN);
  const [gate, path, json] = eventsOf(run, "tool_result").map(({ text }) => String(text));
  match(gate ?? "", /^Error: /);
  match(path ?? "", /path/);
  match(json ?? "", /not JSON/);
});

Deno.test("a configuration file chooses the format, and a flag beats it", async () => {
  await using world = await newWorld();
  await Deno.mkdir(world.join("home", ".config", "cordon"), { recursive: true });
  const config = world.join("home", ".config", "cordon", "config.jsonc");
  await Deno.writeTextFile(config, '{ "tool_format": "markdown" }');
  const turns = [{ text: "```list_dir\n```" }, { text: "ok" }];
  const configured = await world.play(turns);
  deepStrictEqual(callsOf(configured), [["list_dir", { path: "." }]]);
  const native = await world.play(turns, ["--tool-format=native"]);
  deepStrictEqual(callsOf(native), []);
});

Deno.test("the text form of patch_many plays the published cases", async (t) => {
  const cases = (await readCases<BehaviourCase & { do: { paths?: string[] } }>("behaviour-a"))
    .filter(({ tool, do: { body } }) => tool === "patch_many" && body !== undefined);
  ok(cases.length > 0);
  for (const { id, given, do: { body, paths = [] }, expect } of cases) {
    await t.step(id, async () => {
      await using world = await newWorld(given.files);
      const text = `\`\`\`patch_many ${paths.join(" ")}\n${body}\n\`\`\``;
      const run = await world.play([{ text }, { text: "ok" }], MARKDOWN);
      strictEqual(run.code, 0, run.stderr);
      for (const [path, content] of Object.entries(expect.files ?? {})) {
        strictEqual(await Deno.readTextFile(world.join("work", path)), content);
      }
      if (expect.ok) ok(!eventsOf(run, "tool_result")[0]?.is_error, resultText(run));
      else match(resultText(run), /=== PATH: p ===.*\n\[not edited: malformed\]$/);
    });
  }
});
