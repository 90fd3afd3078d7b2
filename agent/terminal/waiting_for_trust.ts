import { projectRoleFiles } from "../children/role_files.ts";
import type { Launch } from "../launch.ts";
import { projectSkillFiles } from "../skills/find_skills.ts";
import { type Waiting, waitingText } from "../waiting_text.ts";
import { projectCommandFiles } from "./slash/user/load.ts";

/**
 * What a project has that waits for its folder to be trusted, all of it in one sentence; undefined
 * where that is nothing, or a person has said yes or no. Commands count where they can be given, and
 * agents where a tool starts them.
 */
export async function waitingForTrust(
  { places, configuration, selected }: Pick<Launch, "places" | "configuration" | "selected">,
  takesCommands: boolean,
): Promise<string | undefined> {
  if (configuration.project.trust !== "unasked") return undefined;
  const startsAgents = selected.has("subagent") || selected.has("subagent_batch");
  const none: Required<Waiting> = { commands: [], skills: [], agents: [] };
  const [commands, skills, agents] = await Promise.all([
    takesCommands ? projectCommandFiles(places.workspace) : none.commands,
    projectSkillFiles(places),
    startsAgents ? projectRoleFiles(places.workspace) : none.agents,
  ]);
  return waitingText({ commands, skills, agents });
}
