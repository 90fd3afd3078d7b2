import type { Enclosure } from "../enclosure.ts";
import type { Launch } from "../launch.ts";
import { SkillShelf } from "../skills/skill_shelf.ts";
import type { Audience } from "./audience.ts";

/** The skills of a run, none looked for yet. */
export function openSkills(
  { places, configuration }: Launch,
  { offered }: Enclosure,
  audience: Audience,
): SkillShelf {
  const { trust } = configuration.project;
  return new SkillShelf({
    async find() {
      const { findSkills } = await import("../skills/find_skills.ts");
      return await findSkills(places, trust);
    },
    tools: offered,
    warn: (line) => audience.note(`warning: ${line}`),
  });
}
