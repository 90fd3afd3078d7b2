import { deepStrictEqual } from "node:assert/strict";
import { findSkills, projectSkillFiles } from "../../../agent/skills/find_skills.ts";
import { skillFolders } from "../../../agent/skills/skill_folders.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const skill = (name: string, description = "what for", body = "Do it\n") =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

Deno.test("skillFolders() goes from the workspace up to the project's root, then to the person's", async () => {
  await using dir = await tempDir({ "repo/.git/": "", "repo/pkg/": "" });
  const places = { workspace: dir.join("repo/pkg"), home: dir.join("home"), config: "/config" };
  const inside = (folder: string, origin: string) =>
    [".agents/skills", ".cordon/skills", ".claude/skills"].map((name) =>
      `${origin} ${dir.join(folder, name)}`
    );
  deepStrictEqual(skillFolders(places).map(({ origin, folder }) => `${origin} ${folder}`), [
    ...inside("repo/pkg", "project"),
    ...inside("repo", "project"),
    ...inside("home", "user"),
    "user /config/skills",
  ]);
});

Deno.test("a home that is a repository is the person's, and no project", async () => {
  await using dir = await tempDir({ "home/.git/": "", "home/work/": "" });
  const places = { workspace: dir.join("home/work"), home: dir.join("home"), config: undefined };
  const origins = skillFolders(places).map(({ origin }) => origin);
  deepStrictEqual(origins, ["project", "project", "project", "user", "user", "user"]);
});

Deno.test("findSkills() takes the nearest of a name, a project's before the person's", async () => {
  await using dir = await tempDir({
    "repo/.git/": "",
    "repo/.agents/skills/a/SKILL.md": skill("a", "above"),
    "repo/.claude/skills/b/SKILL.md": skill("b", "above"),
    "repo/pkg/.cordon/skills/a/SKILL.md": skill("a", "here"),
    "repo/pkg/.cordon/skills/README.md": "no skill",
    "repo/pkg/.cordon/skills/empty/notes.md": "no skill",
    "home/.claude/skills/a/SKILL.md": skill("a", "home"),
    "home/.agents/skills/c/SKILL.md": skill("c", "home"),
    "config/skills/c/SKILL.md": skill("c", "config"),
    "config/skills/d/SKILL.md": skill("d", "config"),
    ".agents/skills/e/SKILL.md": skill("e", "outside of the project"),
  });
  const places = {
    workspace: dir.join("repo/pkg"),
    home: dir.join("home"),
    config: dir.join("config"),
  };
  const told = async (trust: "trusted" | "refused" | "unasked") => {
    const { skills, warnings, waiting } = await findSkills(places, trust);
    const found = skills.map(({ name, description }) => `${name} ${description}`);
    return { found, warnings, waiting };
  };
  deepStrictEqual(await told("trusted"), {
    found: ["a here", "b above", "c home", "d config"],
    warnings: [],
    waiting: [],
  });
  const waiting = await projectSkillFiles(places);
  const own = ["c home", "a home", "d config"];
  deepStrictEqual(await told("unasked"), { found: own, warnings: [], waiting });
  deepStrictEqual(await told("refused"), { found: own, warnings: [], waiting });
  deepStrictEqual(await projectSkillFiles(places), [
    dir.join("repo/pkg/.cordon/skills/a/SKILL.md"),
    dir.join("repo/.agents/skills/a/SKILL.md"),
    dir.join("repo/.claude/skills/b/SKILL.md"),
  ]);
});

Deno.test("links: a person's are followed, a project's only inside the project", async () => {
  await using dir = await tempDir({
    "repo/.agents/skills/": "",
    "repo/lib/in/SKILL.md": skill("in"),
    "secret/out/SKILL.md": skill("out"),
    "home/.agents/skills/": "",
  });
  const skills = dir.join("repo/.agents/skills");
  await Deno.symlink(dir.join("repo/lib/in"), `${skills}/in`);
  await Deno.symlink(dir.join("secret/out"), `${skills}/out`);
  await Deno.symlink(dir.join("repo/nowhere"), `${skills}/gone`);
  await Deno.symlink(`${skills}/loop`, `${skills}/loop`);
  await Deno.symlink(dir.join("secret/out"), dir.join("home/.agents/skills/out"));
  const places = { workspace: dir.join("repo"), home: dir.join("home"), config: undefined };
  const { skills: found, warnings } = await findSkills(places, "trusted");
  deepStrictEqual(found.map(({ name, folder }) => `${name} ${folder}`), [
    `in ${dir.join("repo/lib/in")}`,
    `out ${dir.join("secret/out")}`,
  ]);
  const [loop = "", out] = warnings;
  deepStrictEqual(loop.startsWith(`Cannot read skill "${skills}/loop/SKILL.md": `), true, loop);
  deepStrictEqual(
    out,
    `Cannot use skill "${skills}/out/SKILL.md": it leads to "${
      dir.join("secret/out/SKILL.md")
    }", outside the project`,
  );
});
