import { type Kind, KINDS } from "../../sandbox/rights/grants.ts";
import { hasWhole } from "../../sandbox/rights/runtime.ts";
import type { Enclosure } from "../enclosure.ts";
import type { Launch } from "../launch.ts";
import type { RightsFixed } from "./observation.ts";

/** What was decided of the rights of a run, for a record of it. */
export function rightsFixed(
  { settings, grants, places }: Launch,
  { rights: { confinement }, offered, tools }: Enclosure,
): RightsFixed {
  const byKind = <T>(of: (kind: Kind) => T) =>
    Object.fromEntries(KINDS.map((kind) => [kind, of(kind)]));
  const missing = tools.filter((status) => status.selected && status.missing.length > 0);
  return {
    type: "rights",
    tier: confinement.tier,
    tier_reason: confinement.tierReason,
    profile: confinement.profile,
    approval: settings.approval,
    workspace: places.workspace,
    granted: byKind((kind) => grants.extent(kind)),
    denied: byKind((kind) => grants.denied(kind)),
    whole: KINDS.filter(hasWhole),
    offered: offered.map(({ name }) => name),
    missing: Object.fromEntries(missing.map((it) => [it.tool.name, it.missing.join("; ")])),
  };
}
