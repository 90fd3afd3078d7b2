import type { Instructions } from "../instructions.ts";
import type { SkillShelf } from "../skills/skill_shelf.ts";
import {
  type ConfiguredParts,
  type ConfiguredPartsNeeds,
  openConfiguredParts,
} from "./configured_parts.ts";
import { instructionsFor } from "./instructions_for.ts";
import { openSkills } from "./open_skills.ts";

/** What a folder and its person give an agent along. */
export interface Equipment extends ConfiguredParts {
  readonly instructions: Instructions;
  readonly skills: SkillShelf;
}

/** Reads instructions and skills, and opens what is configured; `held` owns what runs then. */
export async function openEquipment(
  needs: ConfiguredPartsNeeds,
  held: AsyncDisposableStack,
): Promise<Equipment> {
  const { launch, enclosure, backing, audience } = needs;
  const instructions = await instructionsFor(launch, enclosure, backing, audience.note);
  const configured = await openConfiguredParts(needs);
  if (configured.foreign) held.use(configured.foreign);
  const skills = openSkills(launch, enclosure, audience);
  await skills.look();
  return { instructions, ...configured, skills };
}
