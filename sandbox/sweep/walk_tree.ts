import { secretFileKind } from "../redact/secret_values.ts";
import { isForbidden, isMissing } from "../files/system_errors.ts";
import {
  fileReason,
  folderReason,
  gitFileReason,
  gitFolder,
  hookReason,
  looksLikeRepository,
  todoReason,
  UNPACKED_FOLDER,
} from "./names.ts";
import { type EntryKind, type Scan, type Seen, SET_IDS } from "./scan.ts";

/** How a tree is walked. */
export interface WalkOptions {
  /**
   * Whether to look for set-id bits, which takes a look at every single file and trebles the time;
   * or the paths at which {@linkcode findSetIds} has found some. Default true.
   */
  readonly setIds?: boolean | readonly string[];
  /** Default {@linkcode MAX_SWEEP_ENTRIES}. */
  readonly maxEntries?: number;
}

/** Some seconds of walking; a tree of that size is a build gone mad or an attack. */
export const MAX_SWEEP_ENTRIES = 1_000_000;

/** A folder still to be read, and what its place says about its content. */
interface Folder {
  readonly path: string;
  readonly name: string;
  readonly place: Place;
}

type Place =
  | { readonly kind: "ordinary" }
  /** Below {@linkcode UNPACKED_FOLDER}. */
  | { readonly kind: "unpacked" }
  /** Everything in it is obeyed. */
  | { readonly kind: "obeyed"; readonly reason: string }
  /** A repository's own folder, by its name. */
  | { readonly kind: "git" }
  | { readonly kind: "hooks" }
  | { readonly kind: "todo" };

/** Finds what a sweep must know of, below a real folder. Synchronous: a third of the time of waiting. */
export function walkTree(root: string, options: WalkOptions = {}): Scan {
  const { setIds = true, maxEntries = MAX_SWEEP_ENTRIES } = options;
  const seen = new Map<string, Seen>();
  const unreadable: string[] = [];
  const secretFiles: string[] = [];
  let entriesLeft = maxEntries;
  const folders: Folder[] = [{ path: "", name: "", place: { kind: "ordinary" } }];

  function look(path: string, reason: string | undefined): void {
    const found = lookAt(root, path, reason);
    if (!found) return;
    const matters = reason !== undefined || (found.kind !== "file" && found.kind !== "link") ||
      (found.kind === "file" && (found.mode & SET_IDS) !== 0);
    if (matters) seen.set(path, found);
  }

  for (let folder = folders.pop(); folder && entriesLeft > 0; folder = folders.pop()) {
    const entries = readFolder(root, folder.path);
    if (!entries) {
      unreadable.push(folder.path);
      continue;
    }
    const git = folder.place.kind === "git" || isRepository(folder, entries);
    for (const { name, isFile, isDirectory, isSymlink } of entries) {
      if (entriesLeft-- <= 0) break;
      const path = folder.path === "" ? name : `${folder.path}/${name}`;
      if (isDirectory) {
        const place = placeOf(folder, name, git);
        if (place) folders.push({ path, name, place });
        continue;
      }
      const reason = reasonOf(folder, name, git, isSymlink);
      if (isFile && folder.place.kind === "ordinary" && secretFileKind(name)) {
        secretFiles.push(path);
      }
      if (reason !== undefined || (isFile ? setIds === true : !isSymlink)) look(path, reason);
    }
  }
  if (typeof setIds !== "boolean") setIds.forEach((path) => look(path, seen.get(path)?.reason));
  return { seen, secretFiles, unreadable, stopped: entriesLeft <= 0 };
}

/**
 * A command line that prints the files with set-id bits, each path from `root` and ended by NUL:
 * half the time of the walk's own looks, and it can run beside it.
 */
export function findSetIds(root: string): string[] {
  return ["find", "-P", root, "-xdev", "-type", "f", "-perm", "/6000", "-printf", "%P\\0"];
}

/** Whether a folder of an ordinary name is a repository's own all the same. */
function isRepository({ place }: Folder, entries: readonly Deno.DirEntry[]): boolean {
  if (place.kind === "hooks" || place.kind === "todo") return false;
  return looksLikeRepository((wanted) => entries.some(({ name }) => name === wanted));
}

/** What the place of a folder in `folder` is; undefined where nothing in it matters. */
function placeOf({ name: parent, place }: Folder, name: string, git: boolean): Place | undefined {
  if (git) {
    const kind = gitFolder(name);
    if (kind === "hooks" || kind === "todo") return { kind };
    if (kind === "repositories") return { kind: "ordinary" };
    // Of a folder that only looks like a repository the rest may be anything.
    if (place.kind === "git") return undefined;
  }
  switch (place.kind) {
    case "obeyed":
    case "hooks":
    case "todo":
      return place;
    case "unpacked":
      return isGitName(name) ? { kind: "git" } : place;
    case "git":
      return undefined;
    case "ordinary": {
      if (isGitName(name)) return { kind: "git" };
      if (name === UNPACKED_FOLDER) return { kind: "unpacked" };
      const reason = folderReason(parent, name);
      return reason === undefined ? place : { kind: "obeyed", reason };
    }
  }
}

/** Why an entry of `folder` that is no folder is obeyed. A link stands for what it leads to. */
function reasonOf(
  { name: parent, place }: Folder,
  name: string,
  git: boolean,
  isLink: boolean,
): string | undefined {
  const own = git ? gitFileReason(name) ?? linkedGitReason(name, isLink) : undefined;
  if (own !== undefined) return own;
  switch (place.kind) {
    case "obeyed":
      return place.reason;
    case "hooks":
      return hookReason(name);
    case "todo":
      return todoReason(name);
    case "git":
      return undefined;
    case "unpacked":
      return isGitName(name) ? "git obeys the repository that it names" : undefined;
    case "ordinary":
      if (isGitName(name)) return "git obeys the repository that it names";
      return fileReason(parent, name) ?? (isLink ? folderReason(parent, name) : undefined);
  }
}

/** A link in place of a folder of hooks leads git to files that lie anywhere. */
function linkedGitReason(name: string, isLink: boolean): string | undefined {
  return isLink && gitFolder(name) !== "nothing" ? "git runs it as a hook" : undefined;
}

function isGitName(name: string): boolean {
  return name.toLowerCase() === ".git";
}

/** Undefined where it cannot be read. A folder's name that is no text reads as another name. */
function readFolder(root: string, path: string): Deno.DirEntry[] | undefined {
  try {
    return [...Deno.readDirSync(`${root}/${path}`)];
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

/** An entry as it is now; undefined where nothing is there. */
export function lookAt(root: string, path: string, reason: string | undefined): Seen | undefined {
  try {
    const info = Deno.lstatSync(`${root}/${path}`);
    const kind = kindOf(info);
    if (!kind) return undefined;
    return {
      path,
      kind,
      ...(reason !== undefined && { reason }),
      inode: info.ino ?? 0,
      size: info.size,
      mtimeMs: info.mtime?.getTime() ?? 0,
      mode: (info.mode ?? 0) & 0o7777,
    };
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

function kindOf(info: Deno.FileInfo): EntryKind | undefined {
  if (info.isDirectory) return undefined;
  if (info.isFile) return "file";
  if (info.isSymlink) return "link";
  if (info.isFifo) return "fifo";
  return info.isSocket ? "socket" : "device";
}
