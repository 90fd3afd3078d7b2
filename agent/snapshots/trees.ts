import { isSameState, type PathState, type TreeEntry } from "../../sandbox/snapshots/entry.ts";
import { decodeTree } from "../../sandbox/snapshots/tree_object.ts";

/** A path that two snapshots tell differently; undefined stands for nothing. */
export interface Change {
  /** From the workspace. */
  readonly path: string;
  readonly before: PathState | undefined;
  readonly after: PathState | undefined;
}

/** A snapshot that is not, or no longer, in the store. */
export class SnapshotGone extends Error {
  override readonly name = "SnapshotGone";
}

type Load = (hash: string) => Uint8Array | undefined;

/**
 * What differs between two snapshots, each path before those below it. Folders that are the same
 * are not read.
 * @throws {SnapshotGone} where a part of them is not in the store.
 */
export function diffTrees(before: string, after: string, load: Load): Change[] {
  const changes: Change[] = [];
  compare("", before, after, load, changes);
  return changes;
}

/** The hashes of all objects that a snapshot is made of; those in `seen` are passed over. */
export function* objectsOf(tree: string, load: Load, seen: Set<string>): Generator<string> {
  if (seen.has(tree)) return;
  seen.add(tree);
  yield tree;
  for (const entry of entriesOf(tree, load).values()) {
    if (entry.kind === "folder") yield* objectsOf(entry.tree, load, seen);
    if (entry.kind !== "file" || seen.has(entry.hash)) continue;
    seen.add(entry.hash);
    yield entry.hash;
  }
}

function compare(
  folder: string,
  before: string | undefined,
  after: string | undefined,
  load: Load,
  changes: Change[],
): void {
  if (before === after) return;
  const old = entriesOf(before, load);
  const now = entriesOf(after, load);
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const path = folder === "" ? name : `${folder}/${name}`;
    compareEntry(path, old.get(name), now.get(name), load, changes);
  }
}

function compareEntry(
  path: string,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
  load: Load,
  changes: Change[],
): void {
  const isLeftOut = before?.kind === "left_out" || after?.kind === "left_out";
  if (before?.kind === "left_out" && after?.kind === "left_out") return;
  if (!isSameState(before, after)) {
    changes.push({ path, before: withoutTree(before), after: withoutTree(after) });
  }
  // What became of the content of a folder that was left out at one time is not known.
  if (isLeftOut) return;
  const old = before?.kind === "folder" ? before.tree : undefined;
  const now = after?.kind === "folder" ? after.tree : undefined;
  compare(path, old, now, load, changes);
}

function withoutTree(entry: TreeEntry | undefined): PathState | undefined {
  return entry?.kind === "folder" ? { kind: "folder", mode: entry.mode } : entry;
}

function entriesOf(tree: string | undefined, load: Load): Map<string, TreeEntry> {
  if (tree === undefined) return new Map();
  const bytes = load(tree);
  if (!bytes) throw new SnapshotGone("a part of the snapshot is no longer kept");
  return decodeTree(bytes);
}
