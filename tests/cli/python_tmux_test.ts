import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { canConfine } from "../helpers/confined.ts";
import { calling, eventsOf, newWorld } from "../helpers/cordon.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { gone, processesWith } from "../helpers/processes.ts";
import { linkPrograms } from "../helpers/programs.ts";

const confines = await canConfine();
const ignore = !confines || !await hasProgram("python3") || !await hasProgram("tmux", "-V");
const ON = "--tools=+python,+tmux";

Deno.test({ name: "python and tmux in a run, from the program to its end", ignore }, async (t) => {
  await using world = await newWorld({ "a.txt": "needle\n" });
  const run = await world.play([
    calling("python", { code: "x = read_file(path='a.txt')['text']\nlen(x)" }),
    calling("python", { code: "grep(pattern=x.strip())['total'], len(list_dir()['entries'])" }),
    calling("tmux", { action: "new", command: "read -r -p 'Name? ' n; echo got $n" }),
    calling("tmux", { action: "send", text: "Ada", enter: true }),
    calling("tmux", { action: "wait", exit: true }),
    calling("python", { code: "import subprocess, os; subprocess.Popen(['sleep', '31415'])" }),
    { text: "done" },
  ], [ON]);
  strictEqual(run.code, 0, run.stderr);
  const texts = new Map(eventsOf(run, "tool_result").map(({ call_id, text }) => [call_id, text]));

  await t.step("the interpreter keeps its variables, and tools are functions", () => {
    strictEqual(texts.get("call_1"), "6");
    strictEqual(texts.get("call_2"), "(1, 1)");
    deepStrictEqual(
      eventsOf(run, "tool_call").map(({ call_id, name }) => `${call_id} ${name}`).slice(0, 5),
      [
        "call_1 python",
        "call_1/1 read_file",
        "call_2 python",
        "call_2/1 grep",
        "call_2/2 list_dir",
      ],
    );
  });
  await t.step("a window answers", () => {
    strictEqual(texts.get("call_5"), "Name? Ada\ngot Ada\n[exit]\n[exit code: 0]");
  });
  await t.step("nothing is left", async () => {
    await gone(await processesWith("sleep 31415"));
    await gone(await processesWith(world.work));
  });
});

Deno.test({ name: "python and tmux that are not installed", ignore: !confines }, async () => {
  await using world = await newWorld();
  const programs = ["bash", "sh", "env", "cat", "find", "cp", "mkdir", "rm", "chmod"];
  await linkPrograms(world.join("bin"), programs);
  const { stdout } = await world.run(["tools", ON], {
    env: { PATH: world.join("bin") },
  });
  const missing = stdout.split("\n").filter((line) => /^(python|tmux) /.test(line));
  strictEqual(missing.length, 2, stdout);
  for (const [index, name] of ["python3", "tmux"].entries()) {
    match(missing[index] ?? "", new RegExp(`not offered: ${name} is not installed`));
  }
});

Deno.test(
  { name: "python without a view asks, and its code is what is shown", ignore },
  async () => {
    await using world = await newWorld();
    const turns = [calling("python", { code: "open('made', 'w')" }), { text: "done" }];
    const run = await world.play(turns, [ON, "--profile=off"]);
    strictEqual(run.code, 4);
    match(String(eventsOf(run, "tool_result")[0]?.text), /needs a person's approval/);
    ok(
      !await Array.fromAsync(Deno.readDir(world.work)).then((all) =>
        all.some(({ name }) => name === "made")
      ),
    );
  },
);
