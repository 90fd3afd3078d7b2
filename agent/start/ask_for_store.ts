import { keepGitStore } from "../agreements.ts";
import type { Approver } from "../gate/approver.ts";

/**
 * Asks a person once whether commands may use the git store of their workspace, which lies outside of
 * it as that of a linked worktree does; yes and no are both kept.
 */
export async function askForStore(
  state: string,
  store: string,
  approve: Approver,
): Promise<boolean> {
  const { decision, by } = await approve({
    callId: "",
    tool: "The git store of this workspace",
    arguments: JSON.stringify({ store }),
    reason: "it lies outside the workspace, and without it git has no history here; " +
      "commands could change its branches, stashes and other worktrees' history",
    ask: "Let commands use it?",
    once: "from now on; cordon untrust takes it back",
  }, new AbortController().signal);
  // Who left without an answer is asked again.
  if (by === "person") keepGitStore(state, store, decision === "allow");
  return decision === "allow";
}
