import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { readSkill } from "../../../agent/skills/read_skill.ts";
import { hasProgram } from "../../helpers/has_program.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

/** Reads a SKILL.md of the folder `pdf-forms`. */
async function read(text: string | Uint8Array) {
  await using dir = await tempDir({ "pdf-forms/SKILL.md": text });
  const path = dir.join("pdf-forms/SKILL.md");
  const { skill, warnings } = await readSkill(path, path);
  const told = warnings.map((line) => line.replaceAll(`${path}: `, "").replaceAll(path, "PATH"));
  if (!skill) return { skill, warnings: told };
  const { path: _path, folder: _folder, ...rest } = skill;
  return { skill: rest, warnings: told };
}

const PLAIN = {
  name: "pdf-forms",
  description: "Fill forms",
  body: "Body\n",
  forModel: true,
  forPerson: true,
};

Deno.test("readSkill() reads what agentskills.io says, leniently", async (t) => {
  const cases: [name: string, text: string, skill: object, warnings: string[]][] = [
    ["a plain one", "---\nname: pdf-forms\ndescription: Fill forms\n---\nBody\n", PLAIN, []],
    [
      "every field",
      "---\nname: pdf-forms\ndescription: >\n  Fill\n  forms\nlicense: MIT\ncompatibility: any\n" +
      "metadata:\n  author: me\nallowed-tools: Read bash(git *), Grep\n" +
      "disable-model-invocation: true\nuser-invocable: 'false'\n---\nBody\n",
      { ...PLAIN, tools: ["Read", "bash", "Grep"], forModel: false, forPerson: false },
      [],
    ],
    [
      "a byte order mark and line ends of Windows",
      "\uFEFF---\r\nname: pdf-forms\r\ndescription: Fill forms\r\n---\r\nBody\n",
      PLAIN,
      [],
    ],
    [
      "a colon without quotes",
      "---\nname: pdf-forms\ndescription: Use when: forms\n---\nBody\n",
      { ...PLAIN, description: "Use when: forms" },
      [],
    ],
    [
      "another name than the folder's",
      "---\nname: forms\ndescription: Fill forms\n---\nBody\n",
      { ...PLAIN, name: "forms" },
      ["its name is forms, but its folder's is pdf-forms"],
    ],
    [
      "a name that is none",
      "---\nname: PDF Forms\ndescription: Fill forms\n---\nBody\n",
      PLAIN,
      ["its name is not of a-z, 0-9 and single hyphens, so its folder's is taken: pdf-forms"],
    ],
    [
      "no name",
      "---\ndescription: Fill forms\n---\nBody\n",
      PLAIN,
      ["it has no name, so its folder's is taken: pdf-forms"],
    ],
    [
      "a list of tools that is none leaves no tool",
      "---\nname: pdf-forms\ndescription: Fill forms\nallowed-tools: {a: b}\n---\nBody\n",
      { ...PLAIN, tools: [] },
      ['"allowed-tools" cannot be used: it is no list of names, so none are offered'],
    ],
    [
      "a flag that is none",
      "---\nname: pdf-forms\ndescription: Fill forms\nuser-invocable: maybe\n---\nBody\n",
      PLAIN,
      ['"user-invocable" is neither true nor false, and is passed over'],
    ],
    [
      "a long description",
      `---\nname: pdf-forms\ndescription: ${"x".repeat(1025)}\n---\nBody\n`,
      { ...PLAIN, description: "x".repeat(1024) },
      ["its description is cut at 1024 characters"],
    ],
  ];
  for (const [name, text, skill, warnings] of cases) {
    await t.step(name, async () => deepStrictEqual(await read(text), { skill, warnings }));
  }
});

Deno.test("readSkill() leaves out what nobody could choose or read, and says why", async (t) => {
  const nothing = "this skill is left out, since it has no description";
  const cases: [name: string, text: string | Uint8Array, warnings: RegExp[]][] = [
    ["no front matter", "# Forms\n", [new RegExp(nothing)]],
    ["no description", "---\nname: pdf-forms\n---\n", [new RegExp(nothing)]],
    ["an empty one", "---\ndescription: '  '\n---\n", [new RegExp(nothing)]],
    ["one that is no text", "---\ndescription: [a]\n---\n", [new RegExp(nothing)]],
    ["broken YAML", "---\nname: [\n---\n", [
      /line \d+: the front matter is passed over/,
      /left out/,
    ]],
    ["no end of it", "---\nname: x\n", [/no second --- line/, /left out/]],
    ["other bytes than text", new Uint8Array([0xff, 0xfe, 0]), [/it is not UTF-8 text/]],
    ["too much", "x".repeat(256 * 1024 + 1), [/it is over 256 KB/]],
  ];
  for (const [name, text, told] of cases) {
    await t.step(name, async () => {
      const { skill, warnings } = await read(text);
      strictEqual(skill, undefined);
      strictEqual(warnings.length, told.length, warnings.join("\n"));
      told.forEach((pattern, index) => match(warnings[index] ?? "", pattern));
    });
  }
});

Deno.test({
  name: "readSkill() does not wait for a pipe",
  ignore: !await hasProgram("mkfifo"),
  async fn() {
    await using dir = await tempDir({ "a/": "" });
    const path = dir.join("a/SKILL.md");
    await new Deno.Command("mkfifo", { args: [path] }).spawn().status;
    const { skill, warnings } = await readSkill(path, path);
    deepStrictEqual([skill, warnings], [
      undefined,
      [`Cannot read skill "${path}": it is no regular file`],
    ]);
  },
});
