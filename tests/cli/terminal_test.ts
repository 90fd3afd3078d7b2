import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { calling, newWorld, type RunningCordon, type Turn } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { hasTerminal } from "../helpers/terminal.ts";

const CTRL_C = "\x03";
const CTRL_D = "\x04";
/** The line is cleared, and a prompt stands there: keys are taken from here on. */
const READY = "\x1b[0J> ";
const QUESTION = "\x1b[0JRun this? [y/N] ";

const ignore = !await hasTerminal();

/** A command that asks, and what its run leaves behind. */
const TOUCH: Turn = calling("bash", { command: "touch made" });

Deno.test("a conversation goes on until Ctrl-D", { ignore }, async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "First answer" }, { text: "Second answer" });
  const running = await world.start(["-m", model, "hello"], { terminal: true });
  await running.saw("sandbox: tier ");
  await running.saw("First answer");
  await running.saw(READY);
  await running.write("and more\r");
  await running.saw("Second answer");
  await running.saw(READY);
  await running.write(CTRL_D);
  strictEqual((await running.ended).code, 0);
  match((await world.run(["sessions"])).stdout, / done +hello\n$/);
});

Deno.test(
  "an answer is not shown again before the first call of the next turn",
  { ignore },
  async () => {
    await using world = await newWorld();
    const model = await world.script(
      { text: "First answer" },
      calling("list_dir", { path: "." }),
      { text: "Second answer" },
    );
    const running = await world.start(["-m", model, "hello"], { terminal: true });
    await running.saw(READY);
    await running.write("and more\r");
    await running.saw("Second answer");
    await running.saw(READY);
    await running.write(CTRL_D);
    const { code, stdout } = await running.ended;
    deepStrictEqual([code, stdout.split("First answer").length - 1], [0, 1], stdout);
  },
);

Deno.test("a call that asks waits for a yes; anything else is a no", { ignore }, async (t) => {
  const cases: [name: string, keys: string, runs: boolean][] = [
    ["y", "y\r", true],
    ["yes", "YES\r", true],
    ["Return alone", "\r", false],
    ["n", "n\r", false],
    ["another word", "yep\r", false],
    ["a letter of the default", "N\r", false],
    ["Ctrl-D", CTRL_D, false],
  ];
  for (const [name, keys, runs] of cases) {
    await t.step(name, async () => {
      await using world = await newWorld();
      const model = await world.script(TOUCH, { text: "Went on" });
      const running = await world.start(["-m", model, "--profile=off", "do it"], {
        terminal: true,
      });
      await running.saw(QUESTION);
      await running.write(keys);
      await running.saw("Went on");
      await running.saw(READY);
      await running.write(CTRL_D);
      const { code, stdout } = await running.ended;
      strictEqual(code, 0, stdout);
      match(
        stripVTControlCharacters(stdout),
        /bash asks: nothing confines it[^]*\r\n +command: touch made\r\n/,
      );
      const files = [...Deno.readDirSync(world.work)].map((entry) => entry.name);
      deepStrictEqual(files, runs ? ["made"] : []);
    });
  }
});

Deno.test("what was typed before a question is no answer to it", { ignore }, async (t) => {
  const cases: [name: string, early: string][] = [["a line", "y\r"], ["a letter", "y"]];
  for (const [name, early] of cases) {
    await t.step(name, async () => {
      await using world = await newWorld();
      const wait = "touch begun; until [ -e go ]; do sleep 0.05; done";
      const model = await world.script(calling("bash", { command: wait }), TOUCH, {
        text: "Went on",
      });
      const args = ["-m", model, "--plain", "--profile=off", "do it"];
      const running = await world.start(args, { terminal: true });
      await running.saw(QUESTION);
      await running.write("y\r");
      await made(world.join("work/begun"));
      await running.write(early);
      await Deno.writeTextFile(world.join("work/go"), "");
      await running.saw(QUESTION);
      await running.write("\r");
      await running.saw("Went on");
      await running.saw(READY);
      await running.write(CTRL_D);
      await running.ended;
      const names = [...Deno.readDirSync(world.work)].map(({ name }) => name).sort();
      deepStrictEqual(names, ["begun", "go"]);
    });
  }
});

/** Resolves when a file is there. */
async function made(path: string): Promise<void> {
  for (;;) {
    try {
      await Deno.stat(path);
      return;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

Deno.test("--approval=ask shows the change of an edit before it asks", { ignore }, async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const edit = calling("edit_file", { path: "a.txt", old_string: "one", new_string: "two" });
  const model = await world.script(edit, { text: "Went on" });
  const running = await world.start(["-m", model, "--approval=ask", "do it"], {
    terminal: true,
    env: { NO_COLOR: "1" },
  });
  await running.saw(QUESTION);
  await running.write("y\r");
  await running.saw("Went on");
  await running.saw(READY);
  await running.write(CTRL_D);
  const { stdout } = await running.ended;
  match(stdout, /^1 {3}- one\r?$/m);
  match(stdout, /^ {2}1 \+ two\r?$/m);
  strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "two\n");
});

Deno.test("Ctrl-C", { ignore }, async (t) => {
  await t.step("at a question stops the turn, and the conversation goes on", async () => {
    await using world = await newWorld();
    const model = await world.script(TOUCH, { text: "After it" });
    const running = await world.start(["-m", model, "--profile=off", "do it"], { terminal: true });
    await running.saw(QUESTION);
    await running.write(CTRL_C);
    await running.saw("interrupted: 1 turn");
    await running.saw(READY);
    await running.write("go on\r");
    await running.saw("After it");
    await running.saw(READY);
    await running.write(CTRL_D);
    strictEqual((await running.ended).code, 0);
    deepStrictEqual([...Deno.readDirSync(world.work)], []);
  });
  await t.step("while the model is silent stops the turn", async () => {
    await using world = await newWorld();
    await using server = await modelServer([{ raw: [": silence\n\n"], then: "hang" }]);
    const args = ["-m", "m", `--base-url=${server.url}`, "do it"];
    const running = await world.start(args, { terminal: true });
    await server.request(1);
    await running.write(CTRL_C);
    await server.left(1);
    await running.saw(READY);
    await running.write(CTRL_D);
    strictEqual((await running.ended).code, 0);
  });
  await t.step("while nothing happens leaves", async () => {
    const running = await idle();
    await running.write(CTRL_C);
    strictEqual((await running.ended).code, 130);
  });
});

Deno.test("SIGTERM ends a conversation that waits for words", { ignore }, async () => {
  const running = await idle();
  const children = await Deno.readTextFile(`/proc/${running.pid}/task/${running.pid}/children`);
  Deno.kill(Number(children), "SIGTERM");
  strictEqual((await running.ended).code, 143);
});

/** A conversation that waits for words. */
async function idle(): Promise<RunningCordon> {
  const world = await newWorld();
  const running = await world.start(["-m", await world.script({ text: "ok" })], { terminal: true });
  await running.saw(READY);
  void running.ended.then(() => world[Symbol.asyncDispose]());
  return running;
}
