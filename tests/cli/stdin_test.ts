import { match, strictEqual } from "node:assert/strict";
import { newWorld } from "../helpers/cordon.ts";
import { modelServer, type Reply } from "../helpers/model_server.ts";

const OK: Reply = { text: "ok" };

Deno.test("a prompt comes from the command line, from stdin, or from both", async (t) => {
  const block = "look\n\n<stdin>\npiped\n</stdin>";
  const cases: [name: string, args: string[], stdin: string | undefined, prompt: string][] = [
    ["words", ["-p", "do", "it"], undefined, "do it"],
    ["run", ["run", "do it"], undefined, "do it"],
    ["words after --", ["-p", "--", "-x", "run"], undefined, "-x run"],
    ["a word that is a command elsewhere", ["-p", "please", "run"], undefined, "please run"],
    ["an empty stdin adds nothing", ["-p", "look"], "", "look"],
    ["blank stdin adds nothing", ["-p", "look"], " \n\n", "look"],
    ["piped text follows the words", ["-p", "look"], "piped\n", block],
    ["- reads stdin alone", ["-p", "-"], "piped\n", "piped"],
    ["- beside words appends", ["-p", "look", "-"], "piped", block],
    ["stdin alone", ["-p"], "piped\n\nand more\n", "piped\n\nand more"],
    ["odd letters", ["-p"], "日本 🙂\r\nx", "日本 🙂\r\nx"],
  ];
  await using world = await newWorld();
  await using server = await modelServer(cases.map(() => OK));
  const model = ["-m", "m", `--base-url=${server.url}`];
  for (const [i, [name, args, stdin, prompt]] of cases.entries()) {
    await t.step(name, async () => {
      const [first = "", ...rest] = args;
      const options = stdin === undefined ? {} : { stdin };
      const run = await world.run([first, ...model, ...rest], options);
      strictEqual(run.stdout, "ok\n", run.stderr);
      const { messages } = server.requests[i]?.body ?? {};
      strictEqual(messages.at(-1).content, prompt);
    });
  }
});

Deno.test("a silent open stdin does not hold up a prompt, and is told", async () => {
  await using world = await newWorld();
  const args = ["-p", "-m", await world.script({ text: "ok" }), "do it"];
  // The pipe is closed when the run has ended, and not before.
  const { code, stdout, stderr } = await world.run(args, { stdin: "open" });
  strictEqual(code, 0, stderr);
  strictEqual(stdout, "ok\n");
  match(stderr, /^stdin is silent, so the prompt goes without it; - waits for it$/m);
});

Deno.test("no prompt in an empty stdin, and too much of one, are refused", async (t) => {
  await using world = await newWorld();
  const model = await world.script({ text: "ok" });
  const cases: [name: string, stdin: string, says: RegExp][] = [
    ["empty", "", /^error: Nothing to do: the prompt on the command line and on stdin is empty$/m],
    [
      "over 1 MB",
      "x".repeat(2 ** 20 + 1),
      /^error: Cannot take stdin as prompt: it is over 1048576/m,
    ],
  ];
  for (const [name, stdin, says] of cases) {
    await t.step(name, async () => {
      const run = await world.run(["-p", "-m", model, "-"], { stdin });
      strictEqual(run.code, 2);
      match(run.stderr, says);
    });
  }
});

Deno.test("SIGINT ends a run that waits for stdin, with its result", async () => {
  await using world = await newWorld();
  const args = ["-p", "--output-format=json", "-"];
  const running = await world.start(args, { stdin: "open" });
  // More than a pipe holds: when it has gone, the program has begun to read.
  await running.write("x".repeat(512 * 1024));
  running.kill("SIGINT");
  const run = await running.ended;
  strictEqual(run.code, 130, run.stderr);
  strictEqual(run.events.at(-1)?.reason, "interrupted");
});
