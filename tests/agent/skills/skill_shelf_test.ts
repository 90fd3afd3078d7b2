import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { findSkills } from "../../../agent/skills/find_skills.ts";
import { skillList } from "../../../agent/skills/skill_list.ts";
import { SkillShelf } from "../../../agent/skills/skill_shelf.ts";
import { builtinTools } from "../../../tools/mod.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: what for\n${more}---\nBody of ${name}\n`;

/** A shelf over the skills of a home, whose files are `a/SKILL.md` and so on. */
async function shelfOf(files: Readonly<Record<string, string>>) {
  const placed = Object.entries(files).map(([name, text]) => [`home/.agents/skills/${name}`, text]);
  const dir = await tempDir({ "work/": "", ...Object.fromEntries(placed) });
  const places = { workspace: dir.join("work"), home: dir.join("home"), config: undefined };
  const warned: string[] = [];
  const shelf = new SkillShelf({
    find: () => findSkills(places, "unasked"),
    tools: builtinTools({ bashTimeoutMs: undefined }),
    warn: (line) => warned.push(line),
  });
  const folder = (...names: string[]) => dir.join("home/.agents/skills", ...names);
  return { shelf, warned, folder, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

Deno.test("a shelf knows what was written meanwhile, and gives a skill with its files", async () => {
  await using world = await shelfOf({
    "a/SKILL.md": skill("a"),
    "a/scripts/run.sh": "",
    "a/.git/config": "",
    "a/deep/er/and/deeper/x": "",
    "hidden/SKILL.md": skill("hidden", "disable-model-invocation: true\n"),
  });
  const { shelf, folder } = world;
  deepStrictEqual(await shelf.list().then((all) => all.map(({ name }) => name)), ["a"]);
  deepStrictEqual(await shelf.take("a"), {
    name: "a",
    description: "what for",
    body: "Body of a\n",
    folder: folder("a"),
    files: ["scripts/run.sh"],
  });
  strictEqual(await shelf.take("hidden"), undefined);
  strictEqual(await shelf.take("b"), undefined);
  await Deno.mkdir(folder("b"));
  await Deno.writeTextFile(folder("b/SKILL.md"), skill("b"));
  strictEqual((await shelf.take("b"))?.body, "Body of b\n");
  deepStrictEqual(shelf.known.map(({ name }) => name), ["a", "b"]);
});

Deno.test("allowed-tools only makes tools fewer, until the task ends", async () => {
  await using world = await shelfOf({
    "look/SKILL.md": skill("look", "allowed-tools: Read, Grep, bash(git *), Nonsense\n"),
    "read/SKILL.md": skill("read", "allowed-tools: read_file write_file\n"),
    "free/SKILL.md": skill("free"),
  });
  const { shelf, warned, folder } = world;
  await shelf.take("free");
  strictEqual(shelf.refusal("write_file"), undefined);
  const look = await shelf.take("look");
  deepStrictEqual(look?.allowedTools, ["read_file", "grep", "bash"]);
  strictEqual(
    shelf.refusal("write_file"),
    "The skill look leaves only read_file, grep, bash until the task ends, and not write_file",
  );
  await shelf.take("read");
  await shelf.take("free");
  const left = ["read_file", "write_file", "grep", "bash", "skill"];
  deepStrictEqual(left.filter((tool) => shelf.refusal(tool) === undefined), ["read_file", "skill"]);
  shelf.endTask();
  strictEqual(shelf.refusal("write_file"), undefined);
  // What is wrong with a file is told once.
  const told = `${folder("look/SKILL.md")}: "allowed-tools" names Nonsense, which is no tool ` +
    "that is offered here";
  deepStrictEqual(warned, [told]);
  await shelf.take("look");
  deepStrictEqual(warned, [told]);
});

Deno.test("the list for the system prompt is bounded, and says what is not in it", () => {
  const few = skillList([{ name: "a", description: "what for" }]);
  deepStrictEqual(few.slice(1), ["- a: what for"]);
  const many = Array.from({ length: 100 }, (_, index) => ({
    name: `skill-${index}`,
    description: "x".repeat(1024),
  }));
  const lines = skillList(many);
  ok(lines.join("\n").length < 4_400);
  strictEqual(lines.at(-1), `and ${100 - (lines.length - 2)} more, which skill finds by query.`);
});
