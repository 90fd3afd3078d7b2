import { isInert } from "./inert.ts";
import { isSame, type Scan, type Seen, SET_IDS } from "./scan.ts";
import { readSeen } from "./tree_actions.ts";
import { type WalkOptions, walkTree } from "./walk_tree.ts";

/** What the files that are obeyed were before a command. */
export interface Snapshot {
  readonly scan: Scan;
  /** Of those that fit; for the others a look without reading has to do. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** What a command did to files that are obeyed unasked; nothing of it has been undone yet. */
export interface Findings {
  readonly files: readonly Finding[];
  /** Programs that got set-id bits. */
  readonly setIds: readonly Seen[];
  /** New FIFOs, sockets and devices; nothing is done about them. */
  readonly special: readonly Seen[];
  /** Folders that cannot be looked into and could before, or were not there. */
  readonly unreadable: readonly string[];
  /** The tree is too large: there may be more. */
  readonly stopped: boolean;
}

/** A new or changed file. */
export interface Finding {
  readonly seen: Seen;
  /** Its content, or a link's target; absent of what is larger than {@linkcode MAX_KEPT_BYTES}. */
  readonly bytes?: Uint8Array;
  /** What it was, where it was there and its content is known. */
  readonly before?: {
    readonly bytes: Uint8Array;
    readonly mode: number;
    readonly kind: "file" | "link";
  };
}

/** Files that are obeyed have some kilobytes; in bytes. */
export const MAX_KEPT_BYTES = 4 * 1024 * 1024;

/** All that a snapshot keeps in memory, in bytes. */
const MAX_SNAPSHOT_BYTES = 16 * 1024 * 1024;

/** Looks at the tree below a real folder before a command. */
export function takeSnapshot(root: string, options?: WalkOptions): Snapshot {
  const scan = walkTree(root, options);
  const contents = new Map<string, Uint8Array>();
  let left = MAX_SNAPSHOT_BYTES;
  for (const seen of scan.seen.values()) {
    if (seen.reason === undefined || seen.size > left) continue;
    const bytes = readSeen(root, seen, MAX_KEPT_BYTES);
    if (!bytes) continue;
    contents.set(seen.path, bytes);
    left -= bytes.length;
  }
  return { scan, contents };
}

/** Compares the tree with what it was; call it once every process of the command is dead. */
export function findChanges(root: string, before: Snapshot, options?: WalkOptions): Findings {
  return compareScan(root, before, walkTree(root, options));
}

/** The same of a tree that was looked at just now. */
export function compareScan(root: string, before: Snapshot, after: Scan): Findings {
  const all = [...after.seen.values()].sort((a, b) => a.path < b.path ? -1 : 1);
  const isNew = ({ path, kind }: Seen) => before.scan.seen.get(path)?.kind !== kind;
  return {
    files: all.flatMap((seen) => changed(root, seen, before) ?? []),
    setIds: all.filter((seen) => gotSetIds(seen, before.scan)),
    special: all.filter((seen) => seen.kind !== "file" && seen.kind !== "link" && isNew(seen)),
    unreadable: after.unreadable.filter((path) => !before.scan.unreadable.includes(path)),
    stopped: after.stopped,
  };
}

/** Undefined for what is as it was, or inert. */
function changed(root: string, seen: Seen, before: Snapshot): Finding | undefined {
  if (seen.reason === undefined || (seen.kind !== "file" && seen.kind !== "link")) return undefined;
  const old = before.scan.seen.get(seen.path);
  const known = before.contents.get(seen.path);
  const bytes = readSeen(root, seen, MAX_KEPT_BYTES);
  // Times and sizes can be forged by the command; bytes cannot.
  const same = old !== undefined && isSame(old, seen) &&
    (known === undefined || bytes === undefined || equalBytes(known, bytes));
  if (same) return undefined;
  if (bytes && seen.kind === "file" && isInert(root, seen.path, bytes)) return undefined;
  const kind = old?.kind;
  const restorable = known && (kind === "file" || kind === "link");
  return {
    seen,
    ...(bytes && { bytes }),
    ...(restorable && { before: { bytes: known, mode: old?.mode ?? 0, kind } }),
  };
}

function gotSetIds(seen: Seen, before: Scan): boolean {
  if (seen.kind !== "file" || (seen.mode & SET_IDS) === 0) return false;
  const old = before.seen.get(seen.path);
  return !old || old.inode !== seen.inode || (seen.mode & SET_IDS & ~old.mode) !== 0;
}

function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
