import { doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { calling, eventsOf, HEADLESS, newWorld, type World } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";

const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\nBody of ${name}, $1 $ARGUMENTS\n`;

/** Writes a file of the world, its folders too. */
async function put(world: World, path: string, text: string): Promise<void> {
  await Deno.mkdir(world.join(path, ".."), { recursive: true });
  await Deno.writeTextFile(world.join(path), text);
}

/** The texts of all results of a run. */
async function results(world: World, ...calls: [string, Record<string, unknown>][]) {
  const turns = calls.map(([name, args]) => calling(name, args));
  const run = await world.play([...turns, { text: "done" }]);
  strictEqual(run.code, 0, run.stderr);
  return eventsOf(run, "tool_result").map(({ text }) => String(text));
}

Deno.test("a person's skill is named in the system prompt, taken, and its files are read", async (t) => {
  await using world = await newWorld();
  await put(world, "home/.claude/skills/forms/SKILL.md", skill("forms"));
  await put(world, "home/.claude/skills/forms/ref.md", "the reference");
  await put(world, "home/.claude/secret.md", "not for anybody");
  const folder = world.join("home/.claude/skills/forms");
  await t.step("the prompt names it, and does not hold its body", async () => {
    await using server = await modelServer([{ text: "done" }]);
    await world.run(["-p", "-m", "m", `--base-url=${server.url}`, "do it"]);
    const asked = JSON.stringify(server.requests[0]?.body);
    ok(asked.includes("- forms: About forms"), asked);
    ok(!asked.includes("Body of forms"), asked);
  });
  await t.step("its body, its other files, and nothing beside them", async () => {
    const [taken = "", file = "", shown = "", beside = ""] = await results(
      world,
      ["skill", { name: "forms" }],
      ["read_file", { path: `${folder}/ref.md` }],
      ["bash", { command: `cat ${folder}/ref.md` }],
      ["read_file", { path: `${world.join("home/.claude/secret.md")}` }],
    );
    match(taken, /^Skill forms, in .*\nIts files: ref.md\n\nBody of forms/);
    match(file, /the reference/);
    match(shown, /the reference/);
    doesNotMatch(beside, /not for anybody/);
  });
  await t.step("its folder cannot be written", async () => {
    const args = { path: `${folder}/ref.md`, content: "changed" };
    const [text = ""] = await results(world, ["write_file", args]);
    match(text, /\[not edited: denied\]/);
    strictEqual(await Deno.readTextFile(`${folder}/ref.md`), "the reference");
  });
  await t.step("as a command, its shell left as it is", async () => {
    const run = await world.run([
      ...HEADLESS,
      "-m",
      await world.script({ text: "done" }),
      "/forms now please",
    ]);
    const id = String(eventsOf(run, "session")[0]?.session_id);
    const { stdout } = await world.run(["export", id]);
    match(
      stdout,
      /Follow the skill forms; paths in it are relative to .*\n\nBody of forms, \$1 now please/,
    );
  });
});

Deno.test("a skill that is written while the run works is found at the next use", async (t) => {
  await using world = await newWorld();
  await put(world, "work/.agents/skills/early/SKILL.md", skill("early"));
  strictEqual((await world.run(["trust"])).code, 0);
  const writing = calling("write_file", {
    path: ".agents/skills/late/SKILL.md",
    content: skill("late"),
  });
  const taking = calling("skill", { name: "late" });
  const turns = [taking, writing, taking, { text: "done" }];
  await t.step("not where nobody said yes to it: an agent would obey it", async () => {
    const run = await world.play(turns);
    match(
      String(eventsOf(run, "tool_result")[1]?.text),
      /needs a person's approval.*an agent obeys/,
    );
  });
  const run = await world.play(turns, ["--approval=all"]);
  const [none = "", , late = ""] = eventsOf(run, "tool_result").map(({ text }) => String(text));
  match(none, /\[no such skill\]/);
  match(late, /Body of late/);
});

Deno.test("a project's skills wait for trust", async () => {
  await using world = await newWorld();
  await put(world, "work/.agents/skills/build/SKILL.md", skill("build"));
  const before = await world.play([calling("skill", { name: "build" }), { text: "done" }]);
  match(before.stderr, /This project has a skill \(.*SKILL\.md\), not used before you trust/);
  match(String(eventsOf(before, "tool_result")[0]?.text), /There is no tool "skill"/);
  const trusted = await world.run(["trust"]);
  strictEqual(trusted.code, 0, trusted.stderr);
  match(trusted.stdout, /Skills that can be used there:\n {2}.*build\/SKILL\.md\n/);
  const after = await world.play([calling("skill", { name: "build" }), { text: "done" }]);
  doesNotMatch(after.stderr, /trust/);
  match(String(eventsOf(after, "tool_result")[0]?.text), /Body of build/);
});

Deno.test("a skill that allows few tools leaves no others until the task ends", async () => {
  await using world = await newWorld({ "a.txt": "one" });
  const lines = "allowed-tools: Read\n";
  await put(world, "home/.agents/skills/look/SKILL.md", skill("look", lines));
  const [taken = "", read = "", written = ""] = await results(
    world,
    ["skill", { name: "look" }],
    ["read_file", { path: "a.txt" }],
    ["write_file", { path: "a.txt", content: "two" }],
  );
  match(taken, /Until the task ends only these tools are left: read_file\n/);
  match(read, /one/);
  match(written, /^Error: The skill look leaves only read_file until the task ends/);
  strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "one");
});

Deno.test("cordon tools tells why there is no skill", async () => {
  await using world = await newWorld();
  match((await world.run(["tools"])).stdout, /skill .*there are no skills here/);
  await put(world, "home/.agents/skills/a/SKILL.md", skill("a"));
  doesNotMatch((await world.run(["tools"])).stdout, /there are no skills here/);
});
