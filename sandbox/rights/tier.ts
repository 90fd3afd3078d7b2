/** How commands are confined here; design: "1" bubblewrap, "1b" without a fresh /proc, "3" none. */
export type Tier = "1" | "1b" | "3";

/** What is mounted and reachable for a confined process. */
export type Profile = "plan" | "workspace" | "egress" | "container" | "off";

/** The confinement that this run has, and why no better one. */
export interface Confinement {
  readonly tier: Tier;
  /** Half a sentence, as `bubblewrap is not installed`. */
  readonly tierReason: string;
  readonly profile: Profile;
}

/** Whether something other than our own checks holds a command: only then may it run unasked. */
export function isConfined({ tier, profile }: Confinement): boolean {
  return profile === "container" || (tier !== "3" && profile !== "off");
}

/** The first line of `rights`, of interactive mode and of a report. */
export function confinementLine({ tier, tierReason, profile }: Confinement): string {
  return `sandbox: tier ${tier} (${tierReason}) - profile ${profile}`;
}
