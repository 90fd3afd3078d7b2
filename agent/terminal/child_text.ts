import type { ChildEvent } from "../events.ts";

/** A line on what a sub-agent has come to, for people. */
export function childText({ child_id, role, description, state, reason }: ChildEvent): string {
  const title = description === "" ? role : `${role}: ${description}`;
  const why = reason === undefined || state === "success" ? "" : ` (${reason})`;
  return `sub-agent ${child_id} (${title}): ${state}${why}`;
}
