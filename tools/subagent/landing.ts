import * as z from "zod";

const pathWithReason = z.object({ path: z.string(), why: z.string() });

/** The `Landing` of a sub-agent as a part of results. */
export const landingValue = z.object({
  landed: z.number(),
  paths: z.array(z.string()).readonly(),
  problem: z.string().optional(),
  conflicts: z.array(pathWithReason).readonly().optional(),
  kept: pathWithReason.optional(),
  branch: z.string().optional(),
  diff: z.string().optional(),
});

/** What became of a worktree, as the model reads it. */
export function landingText(landing: z.infer<typeof landingValue>): string {
  const { problem, conflicts = [], kept, branch, diff } = landing;
  const where = branch === undefined ? "" : `, branch ${branch}`;
  return [
    landedText(landing),
    ...(problem === undefined ? [] : [`[changes not brought into the workspace: ${problem}]`]),
    ...conflicts.map(({ path, why }) => `- ${path}: ${why}`),
    ...(kept ? [`[worktree kept: ${kept.path}${where}; ${kept.why}]`] : []),
    ...(!kept && branch !== undefined ? [`[its commits are on branch ${branch}]`] : []),
    ...(diff === undefined ? [] : ["Make what is wanted of it yourself, by its diff:", diff]),
  ].filter((line) => line !== "").join("\n");
}

function landedText({ landed, paths, problem }: z.infer<typeof landingValue>): string {
  if (landed === 0) return problem === undefined ? "[its worktree has no changes to bring]" : "";
  const more = landed > paths.length ? ` and ${landed - paths.length} more` : "";
  return `[brought into the workspace: ${paths.join(", ")}${more}]`;
}
