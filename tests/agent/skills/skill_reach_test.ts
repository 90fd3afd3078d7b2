import { deepStrictEqual } from "node:assert/strict";
import { findPlaces, type Places } from "../../../agent/places.ts";
import { skillReach } from "../../../agent/skills/skill_reach.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const SKILL = "---\ndescription: what for\n---\n";

/** The places of a run in `repo/pkg`. */
function placesIn(dir: { join(...names: string[]): string }): Places {
  const home = dir.join("home");
  const env = (name: string) => name === "HOME" ? home : undefined;
  return findPlaces({}, env, dir.join("repo/pkg"));
}

Deno.test("skillReach() names the folders outside the workspace that are read for skills", async () => {
  await using dir = await tempDir({
    "repo/.git/": "",
    "repo/pkg/.agents/skills/a/SKILL.md": SKILL,
    "repo/.claude/skills/b/SKILL.md": SKILL,
    "home/.agents/skills/": "",
    "dotfiles/c/SKILL.md": SKILL,
  });
  await Deno.symlink(dir.join("dotfiles/c"), dir.join("home/.agents/skills/c"));
  const places = placesIn(dir);
  const own = [dir.join("home/.agents/skills"), dir.join("dotfiles/c")];
  deepStrictEqual(await skillReach(places, "unasked"), { any: true, folders: own });
  deepStrictEqual(await skillReach(places, "trusted"), {
    any: true,
    folders: [dir.join("repo/.claude/skills"), ...own],
  });
});

Deno.test("skillReach() hands out no folder that a link makes of another", async () => {
  await using dir = await tempDir({
    "repo/.git/": "",
    "repo/pkg/": "",
    "repo/.agents/": "",
    "secret/key/SKILL.md": SKILL,
    "home/.agents/": "",
    "home/.claude/": "",
    "home/.cordon/skills": "a file",
  });
  // A project's leads out of the project, a person's to their whole home, and in a circle.
  await Deno.symlink(dir.join("secret"), dir.join("repo/.agents/skills"));
  await Deno.symlink(dir.join("home"), dir.join("home/.agents/skills"));
  await Deno.symlink(dir.join("home/.claude/skills"), dir.join("home/.claude/skills"));
  deepStrictEqual(await skillReach(placesIn(dir), "trusted"), { any: false, folders: [] });
});

Deno.test("skillReach() of a machine without skills is nothing", async () => {
  await using dir = await tempDir({ "repo/pkg/": "", "home/": "" });
  deepStrictEqual(await skillReach(placesIn(dir), "trusted"), { any: false, folders: [] });
});
