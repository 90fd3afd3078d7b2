import type { SessionModeState } from "@agentclientprotocol/sdk";
import type { Profile } from "../../sandbox/rights/tier.ts";
import type { ApprovalMode } from "../gate/gate.ts";
import { PROFILES, widens } from "../terminal/slash/built_in/profile.ts";

/** What a mode settles: what commands may do, and what asks first. */
export interface Standing {
  readonly profile: Profile;
  readonly approval: ApprovalMode;
}

/** A way to work that an editor offers its person. */
export interface Mode {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly standing: Standing;
}

/**
 * The modes of a session that began like this, the strictest first. None lets commands do more than
 * the process was started for: each profile up to its own, and its own with a question before every
 * change. Pure.
 */
export function modesUpTo(began: Standing): Mode[] {
  const { profile, approval } = began;
  const modes = namesOf(PROFILES).filter((name) => !widens(profile, name)).map((name): Mode => ({
    id: name,
    name: titled(name),
    description: `Commands: ${PROFILES[name]}`,
    standing: { profile: name, approval },
  }));
  // Where nothing can be changed there is nothing to ask about.
  if (profile === "plan" || approval === "ask" || approval === "deny") return modes;
  const own = modes.length - 1;
  return [...modes.slice(0, own), {
    id: "ask",
    name: "Ask",
    description: `As ${profile}, and ask before every call that is not read-only`,
    standing: { profile, approval: "ask" },
  }, ...modes.slice(own)];
}

/** Whether the second standing lets anything happen that the first does not, or not unasked. Pure. */
export function widensStanding(from: Standing, to: Standing): boolean {
  return widens(from.profile, to.profile) || (from.approval === "ask" && to.approval !== "ask");
}

/** The modes with the present one, as the protocol has them. Pure. */
export function modeState(modes: readonly Mode[], now: Standing): SessionModeState {
  return {
    currentModeId: modeOf(modes, now),
    availableModes: modes.map(({ id, name, description }) => ({ id, name, description })),
  };
}

/** The id of the mode that a session is in; of one that is in none, its profile. Pure. */
export function modeOf(modes: readonly Mode[], now: Standing): string {
  const mode = modes.find(({ standing }) =>
    standing.profile === now.profile && standing.approval === now.approval
  );
  return mode?.id ?? now.profile;
}

function namesOf(profiles: Readonly<Record<Profile, string>>): Profile[] {
  // The keys of a record are those of its type.
  return Object.keys(profiles) as Profile[];
}

function titled(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
