import { morph } from "../../tools/morph.ts";
import { agreeToApplyHost } from "../agreements.ts";
import type { Approver } from "../gate/approver.ts";
import { keepsState, type Launch } from "../launch.ts";
import { hostOf } from "../settings.ts";

/**
 * Asks once whether files may go to a model that merges edits, where its tool is switched on and
 * nothing but a key stands for it; true where the answer changed what is offered.
 */
export async function agreesToMerge(launch: Launch, approve: Approver): Promise<boolean> {
  const { settings, places, selected } = launch;
  const wanted = selected.has(morph.name);
  if (!wanted || launch.applyModel || !settings.applyModel || !keepsState(launch)) return false;
  const host = hostOf(settings.applyModel.provider);
  const { decision } = await approve({
    callId: "",
    tool: morph.name,
    arguments: JSON.stringify({ host, model: settings.applyModel.model }),
    reason: `files that it edits are sent to ${host}, from now on`,
    once: "in all later sessions, too",
  }, new AbortController().signal);
  if (decision !== "allow" || places.state === undefined) return false;
  agreeToApplyHost(places.state, host);
  return true;
}
