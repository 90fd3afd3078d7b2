import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { calling, newWorld, type RunningCordon, type Turn, type World } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { hasTerminal } from "../helpers/terminal.ts";

const ignore = !await hasTerminal();

const CTRL_D = "\x04";
const QUESTION = "Run this? [y/N] ";

/** The most that the first request with the default tools may take, in bytes. */
const FIRST_REQUEST_BYTES = 8_000;

function touch(name: string): Turn {
  return calling("bash", { command: `touch ${name}` });
}

/** A conversation in lines, where nothing confines commands unless a flag says so. */
async function talk(world: World, model: readonly string[], more: readonly string[] = []) {
  const args = [...model, "--profile=off", ...more, "do it"];
  const env = { TERM: "dumb", NO_COLOR: "1" };
  return await world.start(args, { terminal: true, env });
}

/** Waits for the question and answers it. */
async function answer(running: RunningCordon, line: string, question = QUESTION): Promise<void> {
  await running.saw(question);
  await running.write(`${line}\r`);
}

/** Leaves once the model has said its last, and resolves to all that was shown. */
async function leave(running: RunningCordon, last: string): Promise<string> {
  await running.saw(last);
  await running.saw("\n> ");
  await running.write(CTRL_D);
  const { code, stdout } = await running.ended;
  strictEqual(code, 0, stdout);
  return stdout.replaceAll("\r", "");
}

function filesIn(world: World): string[] {
  return [...Deno.readDirSync(world.work)].map(({ name }) => name).sort();
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

Deno.test(
  "an answer for the session holds until it ends, also when it is resumed",
  { ignore },
  async () => {
    await using world = await newWorld();
    const model = await world.script(
      ...[touch("a"), touch("a"), touch("b"), touch("b")],
      { text: "First end" },
    );
    const running = await talk(world, ["-m", model]);
    await answer(running, "s");
    await answer(running, "v");
    await running.saw("First end");
    await running.saw("\n> ");
    await running.write("/rights\r");
    const shown = await leave(running, "answered for this session:");
    match(shown, /^ {2}"touch a" by bash in \S+ is allowed\n {2}"touch b" is refused$/m);
    strictEqual(count(shown, QUESTION), 2, shown);
    match(shown, /^ {2}s yes, exactly this command this session$/m);
    match(shown, /^ {2}allow: "touch a" by bash in .* is allowed$/m);
    match(shown, /^ {2}deny: "touch b" is refused$/m);
    deepStrictEqual(filesIn(world), ["a"]);

    const again = await world.script(touch("a"), touch("b"), touch("c"), { text: "Last end" });
    await Deno.remove(world.join("work/a"));
    const resumed = await talk(world, ["-m", again, "-c"]);
    await answer(resumed, "");
    const more = await leave(resumed, "Last end");
    strictEqual(count(more, QUESTION), 1, more);
    deepStrictEqual(filesIn(world), ["a"]);
  },
);

Deno.test(
  "an edited command is judged again, and a forbidden one refused by default",
  { ignore },
  async () => {
    await using world = await newWorld();
    const model = await world.script(touch("a"), touch("c"), { text: "The end" });
    const running = await talk(world, ["-m", model]);
    await answer(running, "e");
    await answer(running, " b", "command: touch a");
    await answer(running, "y");
    await answer(running, "e");
    await answer(running, "; git push --force origin main", "command: touch c");
    await running.saw("bash asks: refused in every mode: ");
    await answer(running, "");
    const shown = await leave(running, "The end");
    match(shown, /^ +\[the person changed the call before it ran: \{"command":"touch a b"\}\]/m);
    deepStrictEqual(filesIn(world), ["a", "b"]);
  },
);

Deno.test("arguments are edited in the person's editor", { ignore }, async () => {
  await using world = await newWorld();
  const write = calling("write_file", { path: "a.txt", content: "one\nline\n" });
  const model = await world.script(write, { text: "The end" });
  const args = ["-m", model, "--approval=ask", "--profile=off", "do it"];
  const env = { TERM: "dumb", NO_COLOR: "1", EDITOR: "sed -i s/one/two/" };
  const running = await world.start(args, { terminal: true, env });
  await answer(running, "e");
  await running.saw("1 + two");
  await answer(running, "y");
  await leave(running, "The end");
  strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "two\nline\n");
});

Deno.test("what a terminal would obey is shown in a question", { ignore }, async () => {
  const name = "a\x1b[2Kb\u202ec\u200b";
  await using world = await newWorld({ [name]: "one\n" });
  const write = calling("append_file", { path: name, content: "\x1b]0;title\x07\n" });
  const model = await world.script(write, { text: "The end" });
  const running = await talk(world, ["-m", model], ["--approval=ask"]);
  await answer(running, "n");
  const shown = await leave(running, "The end");
  ok(shown.includes("  path: a<U+001B>[2Kb<U+202E>c<U+200B>\n"), shown);
  ok(shown.includes("+ <U+001B>]0;title<U+0007>\n"), shown);
  const obeyed = ["\x1b[2Kb", "\x1b]0;", "\u202e", "\u200b"];
  deepStrictEqual(obeyed.filter((text) => shown.includes(text)), [], shown);
  strictEqual(await Deno.readTextFile(world.join("work", name)), "one\n");
});

Deno.test("the model is told what a person says, to a question of its own and with a no", {
  ignore,
}, async () => {
  await using world = await newWorld();
  const question = { question: "Which port?", options: ["80", "8080"] };
  await using server = await modelServer([
    { toolCalls: [{ name: "ask_user", arguments: JSON.stringify(question) }] },
    { toolCalls: [{ name: "bash", arguments: '{"command":"touch a"}' }] },
    { text: "The end" },
  ]);
  const running = await talk(world, ["-m", "m", `--base-url=${server.url}`]);
  await running.saw("  2 8080");
  await answer(running, "2", "? ");
  await answer(running, "no, use make");
  await leave(running, "The end");
  const [first, second, third] = server.requests.map(({ body }) => body);
  const bytes = new TextEncoder().encode(JSON.stringify(first)).length;
  ok(bytes < FIRST_REQUEST_BYTES, `${bytes} bytes`);
  strictEqual(second.messages.at(-1).content, "8080");
  match(
    third.messages.at(-1).content,
    /^Error: Not run: The person said no \(.*\), and: use make$/,
  );
  deepStrictEqual(filesIn(world), []);
});

Deno.test("the question of trust is asked until it is answered", { ignore }, async () => {
  await using world = await newWorld({
    ".cordon/config.jsonc": '{ "approval": "ask", "model": "x" }',
  });
  const model = await world.script({ text: "The end" });
  const trust = `Trust ${world.work}? [y/N] `;
  const gone = await talk(world, ["-m", model]);
  await gone.saw(trust);
  await gone.write(CTRL_D);
  await leave(gone, "The end");
  const asked = await talk(world, ["-m", model]);
  await answer(asked, "n", trust);
  const shown = await leave(asked, "The end");
  match(shown, /^ {2}y yes, until these files change$/m);
  match(shown, /^ {2}\/\S+config\.jsonc: \{.*"model":"x"/m);
  const settled = await talk(world, ["-m", model]);
  strictEqual(count(await leave(settled, "The end"), "Trust "), 0);
});

Deno.test("ask_user is not offered where nobody can be asked", async () => {
  await using world = await newWorld();
  await using server = await modelServer([{ text: "ok" }]);
  const run = await world.run(["-p", "-m", "m", `--base-url=${server.url}`, "hi"]);
  strictEqual(run.code, 0, run.stderr);
  // deno-lint-ignore no-explicit-any -- the request's body is looked into by hand
  const names = server.requests[0]?.body.tools.map((tool: any) => tool.function.name);
  deepStrictEqual([names.includes("todo_write"), names.includes("ask_user")], [true, false]);
  match((await world.run(["tools"])).stdout, /^ask_user +not offered: nobody can be asked/m);
});

Deno.test("Ctrl-C at a question of the model stops the turn", { ignore }, async () => {
  await using world = await newWorld();
  const ask = calling("ask_user", { question: "Which port?" });
  const model = await world.script(ask, { text: "After it" });
  const running = await talk(world, ["-m", model]);
  await running.saw("Which port?");
  await running.saw("? ");
  await running.write("\x03");
  await running.saw("interrupted: 1 turn");
  await running.saw("\n> ");
  await running.write("go on\r");
  await leave(running, "After it");
});
