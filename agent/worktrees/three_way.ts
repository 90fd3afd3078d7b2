import { dirname } from "node:path";
import { decodeText, encodeText } from "../../edit/encoding.ts";
import { mergeTexts } from "../../edit/merge_texts.ts";
import { type FileState, isSameState, type PathState } from "../../sandbox/snapshots/entry.ts";
import type { Wish } from "../snapshots/plan.ts";
import type { LeftBehind, PatchedFile } from "./worktree.ts";

/** A workspace into which changes are brought, and the store of contents. */
export interface MergePlace {
  /** What lies at a path of the workspace now. */
  state(path: string): PathState | undefined;
  /** The names in a folder of the workspace; none where it is none. */
  names(path: string): readonly string[];
  /** Content by its hash, also of what lies in the workspace. */
  content(path: string, state: FileState): Uint8Array | undefined;
  /** Takes content, and answers its hash. */
  keep(bytes: Uint8Array): string;
  /** Where a file that the workspace no longer has lies by now, unchanged; undefined: nowhere. */
  movedTo(path: string, was: FileState): string | undefined;
}

/** What each path is to become, or why both sides cannot be had. */
export interface MergePlan {
  readonly wishes: readonly Wish[];
  readonly conflicts: readonly LeftBehind[];
}

/** Plans how changes come into a workspace that may have changed itself. Changes nothing. */
export function planMerge(files: readonly PatchedFile[], place: MergePlace): MergePlan {
  const wishes = new Map<string, Wish>();
  const conflicts: LeftBehind[] = [];
  // From below: whether a folder can go depends on what stays in it.
  for (const file of files.toSorted((a, b) => b.path.length - a.path.length)) {
    const merged = mergePath(file, place);
    if (merged === "nothing") continue;
    if ("why" in merged) conflicts.push({ path: file.path, why: merged.why });
    else if (!isFullFolder(merged, wishes, place)) wishes.set(merged.path, merged);
  }
  for (const { path, to } of [...wishes.values()]) if (to) wishFolders(path, wishes, place);
  return { wishes: [...wishes.values()], conflicts: conflicts.reverse() };
}

/** A folder that was removed stays where the workspace has something in it that stays. */
function isFullFolder(
  { path, from, to }: Wish,
  wishes: ReadonlyMap<string, Wish>,
  place: MergePlace,
): boolean {
  if (from?.kind !== "folder" || to !== undefined) return false;
  return place.names(path).some((name) => {
    const wish = wishes.get(`${path}/${name}`);
    return wish === undefined || wish.to !== undefined;
  });
}

/** Mode of a folder that has to be made again. */
const FOLDER_MODE = 0o755;

/** What comes into a folder that the workspace removed meanwhile brings the folder with it. */
function wishFolders(path: string, wishes: Map<string, Wish>, place: MergePlace): void {
  const folder = dirname(path);
  if (folder === "." || wishes.has(folder) || place.state(folder) !== undefined) return;
  wishes.set(folder, { path: folder, from: undefined, to: { kind: "folder", mode: FOLDER_MODE } });
  wishFolders(folder, wishes, place);
}

type Merged = Wish | { readonly why: string } | "nothing";

function mergePath(file: PatchedFile, place: MergePlace): Merged {
  const { path, from, to } = file;
  const now = place.state(path);
  if (isSameState(now, to)) return "nothing";
  if (isSameState(now, from)) return { path, from: now, to };
  if (now === undefined) return mergeMoved(file, place);
  if (from === undefined) return mergeAdded(file, now);
  if (to === undefined) {
    return { why: "it was changed in the workspace and removed in the worktree" };
  }
  if (now.kind === "folder" && to.kind === "folder") {
    // Only the modes can differ, and the workspace's own is as good.
    return "nothing";
  }
  if (now.kind === "file" && from.kind === "file" && to.kind === "file") {
    return mergeFiles(path, { base: from, ours: now, theirs: to }, place);
  }
  return { why: "both sides made something else of it" };
}

function mergeAdded({ path, to }: PatchedFile, now: PathState): Merged {
  // Two who make the same folder agree, whatever its mode is.
  if (now.kind === "folder" && to?.kind === "folder") return "nothing";
  if (now.kind === "file" && to?.kind === "file" && now.hash === to.hash) {
    return { path, from: now, to };
  }
  return { why: "both sides added it, each in its own way" };
}

/** The workspace does not have it any more: it was removed, or carried elsewhere. */
function mergeMoved({ from, to, path }: PatchedFile, place: MergePlace): Merged {
  if (from?.kind !== "file" || to?.kind !== "file") {
    return { why: "it was removed in the workspace and changed in the worktree" };
  }
  const elsewhere = place.movedTo(path, from);
  const now = elsewhere === undefined ? undefined : place.state(elsewhere);
  if (elsewhere === undefined || now?.kind !== "file") {
    return { why: "it was removed in the workspace and changed in the worktree" };
  }
  return { path: elsewhere, from: now, to: { ...to, mode: mergedMode(from, now, to) } };
}

interface Sides {
  readonly base: FileState;
  readonly ours: FileState;
  readonly theirs: FileState;
}

function mergeFiles(path: string, { base, ours, theirs }: Sides, place: MergePlace): Merged {
  const mode = mergedMode(base, ours, theirs);
  if (theirs.hash === base.hash || theirs.hash === ours.hash) {
    return { path, from: ours, to: { ...ours, mode } };
  }
  if (ours.hash === base.hash) return { path, from: ours, to: { ...theirs, mode } };
  const [old, own, other] = [base, ours, theirs].map((state) => {
    const bytes = place.content(path, state);
    return bytes && decodeText(bytes);
  });
  if (!old?.ok || !own?.ok || !other?.ok) {
    return { why: "both sides changed it, and it is no text that could be merged" };
  }
  const merged = mergeTexts(old.text, own.text, other.text);
  if (!merged.ok) return { why: `both sides changed the same lines (${lineList(merged.lines)})` };
  const bytes = encodeText(merged.text, own.bom);
  const to = { kind: "file" as const, mode, size: bytes.length, hash: place.keep(bytes) };
  return { path, from: ours, to };
}

/** Who changed the mode decides; two who did so differently leave it as the workspace has it. */
function mergedMode(base: FileState, ours: FileState, theirs: FileState): number {
  return ours.mode === base.mode ? theirs.mode : ours.mode;
}

/** How many places are named in one reason. */
const MAX_LINES = 5;

function lineList(lines: readonly number[]): string {
  const shown = lines.slice(0, MAX_LINES).join(", ");
  return `line${lines.length === 1 ? "" : "s"} ${shown}${lines.length > MAX_LINES ? ", …" : ""}`;
}
