import type { ChildStanding } from "../children/messages.ts";
import type { Enclosure } from "../enclosure.ts";
import { ConfigurationError } from "../json_file.ts";
import type { Session } from "../session/log.ts";

/**
 * Makes sure that a sub-agent has no more than its parent, and lets hold what was refused there.
 * @throws {ConfigurationError} where nothing confines it as its parent is confined.
 */
export async function takeStanding(
  { confined, rules }: ChildStanding,
  { view, rights }: Enclosure,
  session: Session,
): Promise<void> {
  if (confined && !view) {
    const why = rights.confinement.tierReason;
    throw new ConfigurationError(`Cannot confine the sub-agent as its parent is confined: ${why}`);
  }
  if (rules.length === 0) return;
  const decision = { decision: "deny", by: "parent", scope: "session" } as const;
  await session.append({ type: "approval", call_id: "", ...decision, rules: [...rules] });
}
