import { queryRuntime } from "../sandbox/rights/runtime.ts";
import { egressRules } from "./egress.ts";
import type { Launch } from "./launch.ts";

/** How tools may reach hosts: by a grant, by asking a person for each, or not at all. */
export type NetReach = "granted" | "asked" | "none";

/**
 * What tools may reach in a run; the servers of its models alone are no grant. A person can allow
 * nothing that Deno's own flags keep from this process.
 */
export function netReach(
  launch: Pick<Launch, "grants" | "settings">,
  asksForHosts: boolean,
): NetReach {
  if (launch.grants.denied("net") === "all") return "none";
  const { allow } = egressRules(launch);
  if (allow === "all" || allow.length > 0) return "granted";
  const asks = asksForHosts && launch.settings.approval !== "deny";
  return asks && queryRuntime("net") ? "asked" : "none";
}
