import { isAbsolute, join, resolve } from "node:path";
import { covers, type Extent, isInside } from "../../sandbox/rights/grants.ts";
import type { Profile } from "../../sandbox/rights/tier.ts";
import type { StdioServer } from "./server_schema.ts";

/** What a server's program may do in its view. */
export interface ServerRights {
  /** Folders and files outside the workspace, absolute. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly writesWorkspace: boolean;
  /** Hosts, as in `--allow-net`. */
  readonly network: readonly string[];
  /** Half sentences on what it was given and does not get here. */
  readonly withheld: readonly string[];
  /** Paths in its arguments that it does not see. */
  readonly unseen: readonly string[];
}

/** What bounds the rights of every server of a run. */
export interface RightBounds {
  readonly workspace: string;
  readonly home: string | undefined;
  readonly profile: Profile;
  /** What flags deny. */
  readonly denied: (kind: "read" | "write" | "net") => Extent;
}

/** What every view shows, or has of its own. */
const SYSTEM = ["/usr", "/bin", "/lib", "/etc", "/dev", "/proc"];

/**
 * The rights that a person gave a server, less what a flag denies or the profile does not have: the
 * workspace to look at, what `read`, `write` and `network` name, and its own program. Pure.
 */
export function serverRights(
  { command, args = [], read = [], write = [], network = [] }: StdioServer,
  { workspace, home, profile, denied }: RightBounds,
): ServerRights {
  const withheld: string[] = [];
  const plan = profile === "plan";
  function permitted(kind: "read" | "write", names: readonly string[]): string[] {
    const folders = names.map((name) => placeOf(name, workspace, home));
    const kept = folders.filter((folder) => !covers(kind, denied(kind), folder));
    const lost = folders.filter((folder) => !kept.includes(folder));
    withheld.push(...lost.map((folder) => `a flag denies it to ${kind} ${folder}`));
    return kept;
  }
  const writes = permitted("write", write);
  if (plan && writes.length > 0) withheld.push("it may not write in profile plan");
  if (plan && network.length > 0) withheld.push("it has no network in profile plan");
  const own = isAbsolute(command) && !isIn([...SYSTEM, workspace], command) ? [command] : [];
  const canWrite = plan ? [] : writes;
  const reads = [...permitted("read", read), ...own].filter((folder) => folder !== workspace);
  const seen = [...reads, ...canWrite, workspace, ...SYSTEM];
  const paths = args.filter((arg) => isAbsolute(arg));
  return {
    read: reads,
    unseen: paths.filter((path) => !isIn(seen, path)),
    write: canWrite.filter((folder) => folder !== workspace),
    writesWorkspace: canWrite.includes(workspace),
    network: plan || denied("net") === "all" ? [] : network,
    withheld,
  };
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isInside(path, folder));
}

/** A folder as a person writes it: `~` is their home, and what is relative begins at the workspace. */
function placeOf(name: string, workspace: string, home: string | undefined): string {
  if (home !== undefined && (name === "~" || name.startsWith("~/"))) {
    return join(home, name.slice(1));
  }
  return resolve(workspace, name);
}
