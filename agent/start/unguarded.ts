import { isConfined } from "../../sandbox/rights/tier.ts";
import type { Enclosure } from "../enclosure.ts";
import type { Launch } from "../launch.ts";

/** What a person must know of a run that is unguarded. */
export const UNGUARDED =
  "warning: --approval=all without any confinement: commands run unasked, with all your rights";

/** Whether commands run that nothing confines and nobody is asked for. */
export function isUnguarded({ settings }: Launch, { rights, offered }: Enclosure): boolean {
  return settings.approval === "all" && !isConfined(rights.confinement) &&
    offered.some(({ needs }) => needs.run);
}
