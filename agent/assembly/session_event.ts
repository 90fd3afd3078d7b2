import type { SessionEvent } from "../events.ts";
import { VERSION } from "../version.ts";
import type { AgentParts } from "./agent_parts.ts";

/** The first event of a run: who works where, and what confines it. */
export function sessionEvent(
  { enclosure, session, model }: {
    readonly enclosure: AgentParts["enclosure"];
    readonly session: Pick<AgentParts["session"], "id">;
    readonly model: Pick<AgentParts["model"], "name">;
  },
): SessionEvent {
  const { confinement, workspace } = enclosure.rights;
  return {
    type: "session",
    session_id: session.id,
    version: VERSION,
    cwd: workspace,
    model: model.name,
    tier: confinement.tier,
    tier_reason: confinement.tierReason,
    profile: confinement.profile,
  };
}
