import { join } from "node:path";
import { ObjectStore, type Pack, removeUnfinished } from "./object_store.ts";
import { objectsOf, SnapshotGone } from "./trees.ts";

/** What is to be kept of a store, and where it lies. */
export interface RetentionOptions {
  readonly objects: string;
  /** A file for each session, named by its id, holding the trees that it needs, one a line. */
  readonly roots: string;
  /** The folder of the logs: a session whose log was deleted needs nothing any more. */
  readonly logs: string;
  /** It keeps its snapshots, whatever room they take. */
  readonly session: string;
  /** Sessions whose worktrees are kept: these are merged from what they began with, log or no log. */
  readonly inWorktrees: ReadonlySet<string>;
  readonly maxBytes: number;
}

/** After a cleaning, the store is so full at the most: the next one is not due at once. */
const SHARE_AFTER = 0.75;

/** From so many packs on, small ones are joined. */
const MAX_PACKS = 64;

/** Packs of this size are left as they are while all in them is needed, in bytes. */
const LARGE_PACK_BYTES = 4 * 1024 * 1024;

/**
 * Brings a store that nobody uses under its limit: whole sessions go, those first whose last
 * snapshot is the oldest. Answers whether anything was lost.
 */
export function retain(options: RetentionOptions): boolean {
  removeUnfinished(options.objects);
  const store = new ObjectStore(options.objects);
  const isFull = store.sizeOnDisk() > options.maxBytes;
  const deleted = removeDeleted(options);
  if (!isFull && !deleted && store.packs().length <= MAX_PACKS) return false;
  const { live, dropped } = choose(store, options, isFull);
  const old = store.packs().filter((pack) => isWorthRewriting(pack, live));
  const lost = old.some(({ slots }) => [...slots.keys()].some((hash) => !live.has(hash)));
  for (const pack of old) store.rewrite(pack, live);
  store.flush();
  store.drop(old);
  for (const session of dropped) Deno.removeSync(join(options.roots, session));
  return lost;
}

function removeDeleted({ roots, logs, session, inWorktrees }: RetentionOptions): boolean {
  const deleted = [...Deno.readDirSync(roots)].map(({ name }) => name)
    .filter((name) => name !== session && !inWorktrees.has(name))
    .filter((name) => !isThere(join(logs, `${name}.jsonl`)));
  for (const name of deleted) Deno.removeSync(join(roots, name));
  return deleted.length > 0;
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** The objects that stay, newest sessions first until there is no room, and the sessions that go. */
function choose(
  store: ObjectStore,
  { roots, session, maxBytes }: RetentionOptions,
  isFull: boolean,
): { live: ReadonlySet<string>; dropped: readonly string[] } {
  const live = new Set<string>();
  const dropped: string[] = [];
  const sizes = storedSizes(store);
  let room = isFull ? maxBytes * SHARE_AFTER : Infinity;
  for (const name of byAge(roots, session)) {
    const added = objectsNeeded(store, readTrees(join(roots, name)), live);
    const bytes = added.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0);
    if (bytes > room && name !== session) {
      dropped.push(name);
      // Whatever is older goes, too: what a person still has is then one stretch of time.
      room = -1;
      continue;
    }
    room -= bytes;
    for (const hash of added) live.add(hash);
  }
  return { live, dropped };
}

function objectsNeeded(
  store: ObjectStore,
  trees: readonly string[],
  live: ReadonlySet<string>,
): string[] {
  const seen = new Set(live);
  const added: string[] = [];
  for (const tree of trees) {
    try {
      for (const hash of objectsOf(tree, (hash) => store.load(hash), seen)) added.push(hash);
    } catch (error) {
      // It cannot be put back any more; what is left of it needs no room.
      if (!(error instanceof SnapshotGone)) throw error;
    }
  }
  return added;
}

function storedSizes(store: ObjectStore): Map<string, number> {
  return new Map(
    store.packs().flatMap(({ slots }) =>
      [...slots].map(([hash, { length }]): [string, number] => [hash, length])
    ),
  );
}

/** The sessions, the running one first, then those whose last snapshot is the newest. */
function byAge(roots: string, running: string): string[] {
  const sessions = [...Deno.readDirSync(roots)].map(({ name }) => ({
    name,
    age: name === running ? Infinity : Deno.statSync(join(roots, name)).mtime?.getTime() ?? 0,
  }));
  return sessions.sort((a, b) => b.age - a.age).map(({ name }) => name);
}

function readTrees(path: string): string[] {
  return [...new Set(Deno.readTextFileSync(path).split("\n").filter((line) => line !== ""))];
}

function isWorthRewriting({ slots, size }: Pack, live: ReadonlySet<string>): boolean {
  return size < LARGE_PACK_BYTES || [...slots.keys()].some((hash) => !live.has(hash));
}
