import { isInside } from "../../sandbox/rights/grants.ts";
import type { House, Isolation } from "./house.ts";
import type { BatchTask } from "./task.ts";

/** How a task is kept apart from the others. */
export function isolationOf(
  { isolation }: Pick<House, "isolation">,
  { cwd }: Pick<BatchTask, "cwd">,
): Isolation {
  return isolation ?? (cwd === undefined ? "worktree" : "none");
}

/** Why no copy of a folder can be had, in half a sentence; undefined where one can, as far as is known. */
export function whyNoCopy(
  { launch: { places: { state }, grants } }: Pick<House, "launch">,
  folder: string,
): string | undefined {
  if (state === undefined) return "no folder is known for the state, name one by --state";
  if (isInside(state, folder)) {
    return `the state folder "${state}" lies in "${folder}", keep it elsewhere by --state`;
  }
  if (grants.allows("read", folder) && grants.allows("write", folder)) return undefined;
  return `--allow-read and --allow-write of "${folder}" are not granted`;
}
