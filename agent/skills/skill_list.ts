import type { SkillSummary } from "../../tools/tool.ts";
import { clipped } from "../clipped.ts";

/** What the list in the system prompt may take, in UTF-16 units. */
const MAX_LIST_CHARS = 4_000;

/** What of one description is shown there. */
const MAX_DESCRIPTION_CHARS = 300;

/** The lines that tell the model which skills there are; what has no room is found by a search. */
export function skillList(skills: readonly SkillSummary[]): string[] {
  const lines: string[] = [];
  let chars = 0;
  for (const { name, description } of skills) {
    const line = `- ${name}: ${clipped(description, MAX_DESCRIPTION_CHARS)}`;
    chars += line.length + 1;
    if (chars > MAX_LIST_CHARS) break;
    lines.push(line);
  }
  const more = skills.length - lines.length;
  return [
    "When a task fits one of these, load its instructions by the tool skill first:",
    ...lines,
    ...(more > 0 ? [`and ${more} more, which skill finds by query.`] : []),
  ];
}
