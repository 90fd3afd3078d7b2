import { decodeText } from "../../edit/encoding.ts";
import { unifiedDiff } from "../../edit/diff.ts";
import { isRegenerable, isTaggedCache } from "../../sandbox/snapshots/coverage.ts";
import type { PathState } from "../../sandbox/snapshots/entry.ts";
import type { SeenEntry, SeenFolder } from "../../sandbox/snapshots/seen.ts";
import { type Change, diffTrees } from "../snapshots/trees.ts";
import { type LeftBehind, MAX_PATCH_CHARS, type PatchedFile } from "./worktree.ts";

type Load = (hash: string) => Uint8Array | undefined;

/** What differs between a worktree as it was made and as it is, sorted by what may become of it. */
export interface Differences {
  readonly files: readonly PatchedFile[];
  readonly aside: readonly LeftBehind[];
}

/** A worktree as it is. */
export interface SeenWorktree {
  /** Absolute. */
  readonly path: string;
  readonly seen: SeenFolder;
  /** Paths that count as work although ignore rules hide them. */
  readonly tracked: ReadonlySet<string>;
}

/**
 * Compares the tree that a worktree began with to what a scan of it saw. Ignored files are not work
 * that lands, and caches that any command makes again are nothing at all.
 * @throws {SnapshotGone} where the first tree is no longer kept.
 */
export function differences(
  base: string,
  { path, seen, tracked }: SeenWorktree,
  load: Load,
): Differences {
  const files: PatchedFile[] = [];
  const aside: LeftBehind[] = [];
  for (const change of diffTrees(base, seen.tree, load)) {
    const { before, after } = change;
    if (after?.kind === "left_out" && isCache(`${path}/${change.path}`)) continue;
    const why = asideReason(change, seen, tracked);
    if (why !== undefined) aside.push({ path: change.path, why });
    else if (after?.kind !== "left_out") files.push(patched(change.path, before, after));
  }
  return { files, aside };
}

function isCache(absolute: string): boolean {
  return isRegenerable(absolute.slice(absolute.lastIndexOf("/") + 1)) || isTaggedCache(absolute);
}

function asideReason(
  { path, before, after }: Change,
  seen: SeenFolder,
  tracked: ReadonlySet<string>,
): string | undefined {
  if (after?.kind === "left_out") return after.why;
  if (before?.kind === "left_out") return before.why;
  if (after === undefined || tracked.has(path)) return undefined;
  return entryAt(seen, path)?.ignored ? "ignore rules hide it" : undefined;
}

function entryAt(folder: SeenFolder, path: string): SeenEntry | undefined {
  let entry: SeenEntry | undefined = folder;
  for (const name of path.split("/")) {
    entry = entry?.kind === "folder" ? entry.entries.get(name) : undefined;
  }
  return entry;
}

function patched(
  path: string,
  from: PathState | undefined,
  to: PatchedFile["to"],
): PatchedFile {
  const change = from === undefined ? "added" : to === undefined ? "removed" : "changed";
  return { path, change, from, to };
}

/** Where files are that a second tree has and a first one has not, by the hash of their content. */
export function placesOfNew(first: string, second: string, load: Load): Map<string, string> {
  const places = new Map<string, string | undefined>();
  for (const { path, before, after } of diffTrees(first, second, load)) {
    if (before !== undefined || after?.kind !== "file") continue;
    // Of two that are alike nobody knows which one it is.
    places.set(after.hash, places.has(after.hash) ? undefined : path);
  }
  return new Map([...places].flatMap(([hash, path]) => path === undefined ? [] : [[hash, path]]));
}

/** The changes as a diff to read, cut where it gets too long. */
export function patchText(files: readonly PatchedFile[], load: Load): string {
  let text = "";
  for (const file of files) {
    if (text.length > MAX_PATCH_CHARS) break;
    text += fileText(file, load);
  }
  if (text.length <= MAX_PATCH_CHARS) return text;
  const whole = text.lastIndexOf("\n", MAX_PATCH_CHARS) + 1;
  return `${text.slice(0, whole)}[the rest of the diff is not shown]\n`;
}

function fileText({ path, change, from, to }: PatchedFile, load: Load): string {
  const old = textOf(from, load);
  const fresh = textOf(to, load);
  const modes = from?.kind === "file" && to?.kind === "file" && from.mode !== to.mode
    ? `mode of ${path}: ${octal(from.mode)} is now ${octal(to.mode)}\n`
    : "";
  if (old === undefined || fresh === undefined) return `${change}: ${path}${described(to)}\n`;
  const names = {
    old: from === undefined ? undefined : path,
    fresh: to === undefined ? undefined : path,
  };
  const diff = unifiedDiff(names, old, fresh);
  return modes + (diff || (change === "changed" ? "" : `${change}: ${path} (empty)\n`));
}

/** The text of a file, "" where there is none; undefined for what is no text. */
function textOf(state: PathState | undefined, load: Load): string | undefined {
  if (state === undefined) return "";
  if (state.kind !== "file") return undefined;
  const bytes = load(state.hash);
  const decoded = bytes && decodeText(bytes);
  return decoded?.ok ? decoded.text : undefined;
}

function described(state: PathState | undefined): string {
  switch (state?.kind) {
    case undefined:
      return "";
    case "file":
      return ` (binary, ${state.size} bytes)`;
    case "link":
      return ` (a link to ${JSON.stringify(state.target)})`;
    case "folder":
      return ` (a folder, mode ${octal(state.mode)})`;
    case "left_out":
      return ` (${state.why})`;
  }
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}

/** How many paths are named in one reason. */
const MAX_NAMED = 5;

/** The first of the paths, and how many more there are. */
export function namedPaths(paths: readonly { readonly path: string }[]): string {
  const shown = paths.slice(0, MAX_NAMED).map(({ path }) => path).join(", ");
  return paths.length > MAX_NAMED ? `${shown} and ${paths.length - MAX_NAMED} more` : shown;
}
