import type { Launch } from "../launch.ts";

/** Where snapshots are kept, or why none are. */
export function snapshotPlace({ places: { state, workspace }, grants }: Launch, unlogged?: string) {
  if (unlogged !== undefined || state === undefined) return { nothing: "no log is kept" };
  if (grants.allows("read", workspace) && grants.allows("write", workspace)) return { state };
  return { nothing: `--allow-read and --allow-write of ${workspace} are not granted` };
}
