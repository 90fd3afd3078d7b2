import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { skillTool } from "../../tools/skill.ts";
import type { Skills, SkillText, ToolContext } from "../../tools/tool.ts";

const FORMS: SkillText = {
  name: "pdf-forms",
  description: "Fill forms in PDF",
  body: "Run scripts/fill.py\n",
  folder: "/skills/pdf-forms",
  files: ["scripts/fill.py"],
};

/** What the model reads when it asks about the skills given. */
async function ask(args: Record<string, unknown>, skills: readonly SkillText[] = [FORMS]) {
  const parsed = skillTool.parameters.parse(args);
  if (!parsed.ok) throw new TypeError(parsed.problems.join());
  const shelf: Skills = {
    list: () => Promise.resolve(skills),
    take: (name) => Promise.resolve(skills.find((skill) => skill.name === name)),
  };
  const context: ToolContext<typeof skillTool.needs> = {
    callId: "1",
    signal: new AbortController().signal,
    progress() {},
    skills: shelf,
  };
  const value = await skillTool.run(parsed.value, context, { touches: [] });
  deepStrictEqual(skillTool.result.parse(value).ok, true);
  const [content] = skillTool.render(value);
  return content?.type === "text" ? content.text : "";
}

Deno.test("skill", async (t) => {
  await t.step("gives the instructions, and where their files are", async () => {
    strictEqual(
      await ask({ name: "pdf-forms" }),
      "Skill pdf-forms, in /skills/pdf-forms: paths in it are relative to this folder.\n" +
        "Its files: scripts/fill.py\n\nRun scripts/fill.py\n",
    );
  });
  await t.step("says which tools are left", async () => {
    const text = await ask({ name: "pdf-forms" }, [{ ...FORMS, allowedTools: ["bash", "grep"] }]);
    ok(text.includes("\nUntil the task ends only these tools are left: bash, grep\n"), text);
  });
  await t.step("cuts what is too long, and says where the rest is", async () => {
    const body = `${"a".repeat(50 * 1024 - 1)}\u{1f600}${"b".repeat(10)}`;
    const text = await ask({ name: "pdf-forms" }, [{ ...FORMS, body }]);
    ok(
      text.endsWith("aaa\n[cut at 50 KB: read on in /skills/pdf-forms/SKILL.md]"),
      text.slice(-80),
    );
    ok(text.isWellFormed());
  });
  await t.step("proposes the names that are near", async () => {
    strictEqual(
      await ask({ name: "pdf-form" }),
      'There is no skill "pdf-form": did you mean pdf-forms?\n[no such skill]',
    );
    strictEqual(
      await ask({ name: "zzz" }),
      'There is no skill "zzz"; find one by query\n[no such skill]',
    );
  });
  await t.step("finds by every word, in whatever case, names first", async () => {
    const word = { ...FORMS, name: "word", description: "Like pdf, fill in forms" };
    strictEqual(
      await ask({ query: "PDF fill" }, [word, FORMS]),
      "pdf-forms: Fill forms in PDF\nword: Like pdf, fill in forms",
    );
    strictEqual(await ask({ query: "fill teeth" }), "[no match]");
  });
  await t.step("shows twenty at once", async () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ ...FORMS, name: `pdf-${index}` }));
    ok((await ask({ query: "pdf" }, many)).endsWith("\n[20 of 25 matches shown]"));
  });
  for (const args of [{}, { name: "a", query: "b" }, { name: "" }, { name: "a", body: "b" }]) {
    await t.step(`refuses ${JSON.stringify(args)}`, () => {
      strictEqual(skillTool.parameters.parse(args).ok, false);
    });
  }
});
