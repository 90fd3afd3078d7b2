import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { calling, eventsOf, HEADLESS, newWorld } from "../helpers/cordon.ts";

/** What holds for commands that no view confines, wherever the test runs. */
const UNCONFINED = ["--profile=off"];

type Call = readonly [name: string, args: Readonly<Record<string, unknown>>];

const TOUCH: Call = ["bash", { command: "touch made" }];
const LIST: Call = ["bash", { command: "ls" }];
const REMOVE: Call = ["bash", { command: "rm -rf sub" }];
/** There is no remote: were it run, git would fail with another sentence. */
const FORCE_PUSH: Call = ["bash", { command: "git push --force origin main" }];
const WRITE: Call = ["write_file", { path: "made", content: "x" }];
const EDIT: Call = ["edit_file", { path: "a.txt", old_string: "one", new_string: "two" }];
const READ: Call = ["read_file", { path: "a.txt" }];

/** What became of a call, and the exit code; `allow` where nobody was asked. */
type Outcome = readonly [decision: "allow" | "deny" | "unavailable", code: number];

Deno.test("headless, a call that would ask is refused, and the run goes on", async (t) => {
  const cases: [mode: string | undefined, name: string, call: Call, outcome: Outcome][] = [
    [undefined, "a command", TOUCH, ["unavailable", 4]],
    [undefined, "a reading command", LIST, ["allow", 0]],
    [undefined, "a new file", WRITE, ["allow", 0]],
    [undefined, "a forced push", FORCE_PUSH, ["deny", 0]],
    ["on-escape", "a command", TOUCH, ["unavailable", 4]],
    ["ask", "a command", TOUCH, ["unavailable", 4]],
    ["ask", "a new file", WRITE, ["unavailable", 4]],
    ["ask", "an edit", EDIT, ["unavailable", 4]],
    ["ask", "reading a file", READ, ["allow", 0]],
    ["ask", "a reading command", LIST, ["allow", 0]],
    ["deny", "a command", TOUCH, ["deny", 0]],
    ["deny", "a new file", WRITE, ["allow", 0]],
    ["deny", "a reading command", LIST, ["allow", 0]],
    ["all", "a command", TOUCH, ["allow", 0]],
    ["all", "a command that destroys", REMOVE, ["allow", 0]],
    ["all", "a forced push", FORCE_PUSH, ["deny", 0]],
  ];
  for (const [mode, name, call, [decision, code]] of cases) {
    await t.step(`${mode ?? "default"}: ${name}: ${decision}, ${code}`, async () => {
      await using world = await newWorld({ "a.txt": "one\n", "sub/b.txt": "two\n" });
      const before = await treeOf(world.work);
      const args = mode === undefined ? [] : [`--approval=${mode}`];
      const turns = [calling(...call), { text: "Said" }];
      const run = await world.play(turns, [...UNCONFINED, ...args]);
      strictEqual(run.code, code, run.stderr);
      const [result] = eventsOf(run, "tool_result");
      const decisions = eventsOf(run, "approval").map((event) => event.decision);
      deepStrictEqual(decisions, decision === "allow" ? [] : [decision]);
      strictEqual(result?.is_error, decision !== "allow", result?.text);
      if (decision !== "allow") match(result?.text, /^Error: Not run: /);
      const changes = decision === "allow" && call !== LIST && call !== READ;
      strictEqual(await treeOf(world.work) !== before, changes);
      deepStrictEqual([run.events.at(-1)?.text, run.events.at(-1)?.turns], ["Said", 2]);
    });
  }
});

Deno.test("--approval=all without any confinement says so in red, where commands are offered", async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "ok" });
  const args = ["-p", "-m", model, "--approval=all", "--color=always", ...UNCONFINED];
  const red = "\x1b[31mwarning: --approval=all without any confinement";
  ok((await world.run([...args, "hi"])).stderr.includes(red));
  ok(!(await world.run([...args, "--tools=-bash", "hi"])).stderr.includes(red));
});

Deno.test("no variable and no configuration widens what is asked for", async (t) => {
  await using world = await newWorld();
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  const model = await world.script(calling(...TOUCH), { text: "ok" });
  // With a view the command would run unasked in it; without one it shows what the gate goes by.
  const args = [...HEADLESS, ...UNCONFINED, "-m", model, "hi"];
  await t.step("variables", async () => {
    const env = {
      CORDON_APPROVAL: "all",
      CORDON_PROFILE: "container",
      CORDON_ALLOW_READ: "/",
      CORDON_ALLOW_RUN: "touch",
      CORDON_PRINT: "1",
    };
    const run = await world.run(args, { env });
    deepStrictEqual([run.code, run.events[0]?.profile], [4, "off"]);
    const { stdout } = await world.run(["rights"], { env });
    const plain = await world.run(["rights"]);
    strictEqual(stdout, plain.stdout);
  });
  await t.step("a variable that does not widen is taken", async () => {
    const run = await world.run(args, { env: { CORDON_MAX_TURNS: "1" } });
    deepStrictEqual([run.code, run.events.at(-1)?.reason], [3, "turn_limit"]);
  });
  await t.step("the configuration file", async () => {
    const path = world.join("home/.config/cordon/config.jsonc");
    await Deno.writeTextFile(path, '{ "approval": "all" }');
    const run = await world.run(args);
    strictEqual(run.code, 78);
    match(run.events[0]?.message, /approval is wrong \(line 1, column 15\)/);
    await Deno.writeTextFile(path, '{ "approval": "deny" }');
    strictEqual((await world.run(args)).code, 0);
  });
  strictEqual(await treeOf(world.work), "");
});

/** Names and contents of a folder's files. */
async function treeOf(folder: string): Promise<string> {
  const parts: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    parts.push(`${name}: ${isDirectory ? await treeOf(path) : await Deno.readTextFile(path)}`);
  }
  return parts.sort().join("\n");
}
