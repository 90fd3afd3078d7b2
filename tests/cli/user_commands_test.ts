import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { modelServer } from "../helpers/model_server.ts";
import { calling, eventsOf, HEADLESS, newWorld } from "../helpers/cordon.ts";
import { hasTerminal } from "../helpers/terminal.ts";

const COMMANDS = "home/.config/cordon/commands";

Deno.test("a command of a file runs headless: -p '/name args'", async (t) => {
  await using world = await newWorld();
  const [folder, model] = [world.join(COMMANDS), await world.script({ text: "done" })];
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    `${folder}/fix.md`,
    `---\nmodel: "${model}"\nallowed-tools: read_file, nonsense\n---\nFix $1 of $2`,
  );
  await t.step("its model, its tools, its text", async () => {
    const run = await world.run([...HEADLESS, "/fix", "bug", "'the parser'"]);
    strictEqual(run.code, 0, run.stderr);
    strictEqual(eventsOf(run, "session")[0]?.model, model);
    match(run.stderr, /warning: .*fix\.md: "allowed-tools" names nonsense/);
    const id = String(eventsOf(run, "session")[0]?.session_id);
    match((await world.run(["export", id])).stdout, /^Fix bug of the parser$/m);
  });
  await t.step("its tools alone are offered", async () => {
    const asked = await world.script(calling("bash", { command: "true" }), { text: "done" });
    const text = `---\nmodel: "${asked}"\nallowed-tools: read_file\n---\nTry`;
    await Deno.writeTextFile(`${folder}/try.md`, text);
    const run = await world.run([...HEADLESS, "/try"]);
    match(String(eventsOf(run, "tool_result")[0]?.text), /the tools are: read_file$/);
  });
});

Deno.test("what begins with a slash and is no command of a file, headless", async (t) => {
  await using world = await newWorld();
  const refused: [name: string, prompt: string, told: RegExp][] = [
    ["a near name", "/fxi it", /There is no command \/fxi: did you mean \/fix/],
    ["no name at all", "/zzzzzz", /There is no command \/zzzzzz: a text that begins/],
    ["a built-in one", "/model x", /Cannot run \/model here: it belongs to a conversation/],
  ];
  const sent: [name: string, prompt: string, text: string][] = [
    ["a path", "/etc/hosts is odd", "/etc/hosts is odd"],
    ["a path of one name", "/tmp is full", "/tmp is full"],
    ["two slashes", "//fxi it", "/fxi it"],
  ];
  await Deno.mkdir(world.join(COMMANDS), { recursive: true });
  await Deno.writeTextFile(world.join(COMMANDS, "fix.md"), "Fix it");
  for (const [name, prompt, told] of refused) {
    await t.step(`${name} is refused`, async () => {
      await using server = await modelServer([]);
      const run = await world.run(["-p", "-m", "m", `--base-url=${server.url}`, prompt]);
      strictEqual(run.code, 2, run.stderr);
      match(run.stderr, told);
    });
  }
  for (const [name, prompt, text] of sent) {
    await t.step(`${name} is a prompt`, async () => {
      await using server = await modelServer([{ text: "done" }]);
      const run = await world.run(["-p", "-m", "m", `--base-url=${server.url}`, prompt]);
      strictEqual(run.code, 0, run.stderr);
      const { messages } = server.requests[0]?.body ?? {};
      match(JSON.stringify(messages.at(-1)), new RegExp(`"${text}"`));
    });
  }
});

Deno.test("cordon trust trusts a project's commands", async () => {
  await using world = await newWorld({ ".cordon/commands/go.md": "Go" });
  const model = await world.script({ text: "gone" });
  const before = await world.run(["-p", "-m", model, "/go"]);
  strictEqual(before.code, 2);
  match(before.stderr, /no command \/go.*This project has a command in \.cordon\/commands/);
  match((await world.run(["trust"])).stdout, /^Trusted: [^]*\n {2}\/go: .*go\.md\n$/);
  deepStrictEqual((await world.run(["-p", "-m", model, "/go"])).stdout, "gone\n");
});

Deno.test("a conversation of plain lines takes commands", {
  ignore: !await hasTerminal(),
}, async () => {
  await using world = await newWorld({ "a.txt": "one" });
  const model = await world.script({ text: "First answer" }, { text: "Second answer" });
  const running = await world.start(["-m", model], { terminal: true, env: { TERM: "dumb" } });
  await running.saw("> ");
  await running.write("/cots\r");
  await running.saw("did you mean /cost?");
  await running.saw("> ");
  await running.write("!cat a.txt; echo\r");
  await running.saw("one");
  await running.saw("> ");
  await running.write("see @a.txt\r");
  await running.saw("First answer");
  await running.saw("> ");
  await running.write("/new\r");
  await running.saw("session ");
  await running.saw("> ");
  await running.write("again\r");
  await running.saw("First answer");
  await running.saw("> ");
  await running.write("/resume\r");
  await running.saw("1. ");
  await running.saw("[1-1] ");
  await running.write("1\r");
  await running.saw("goes on, after 1 turn");
  await running.saw("> ");
  await running.write("/quit\r");
  const { code, stdout } = await running.ended;
  strictEqual(code, 0, stdout);
});
