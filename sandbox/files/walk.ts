import { join, relative } from "node:path";
import picomatch from "picomatch";
import { type IgnoreRules, isIgnored, readRules } from "./ignore_files.ts";
import { byName } from "./list.ts";
import { realPath } from "./real_path.ts";
import { isForbidden, isMissing } from "./system_errors.ts";
import { isTemporaryName } from "./temporary_name.ts";

/** After so many entries a walk stops, so that no tree holds it for more than some seconds. */
export const MAX_WALK_ENTRIES = 200_000;

/** What to walk: a real folder, with the rules of the folders from `top` down to it. */
export interface Walk {
  readonly real: string;
  /** A real folder above `real`, or itself: ignore files count from here on. */
  readonly top: string;
  /** Glob over the path below `real`; every file without it. */
  readonly pattern?: string;
  /** A pattern without "/" is meant for the name alone, in whatever folder. */
  readonly byName?: boolean;
  /** Also what ignore files and the leading dot hide. */
  readonly hidden?: boolean;
  /** Default {@linkcode MAX_WALK_ENTRIES}. */
  readonly maxEntries?: number;
}

export interface Walked {
  /** The files' paths relative to the folder, sorted by code units. */
  readonly files: string[];
  /** The walk ended early, at its limit of entries. */
  readonly stopped: boolean;
  /** Folders that could not be read. */
  readonly unreadable: number;
}

/** Finds the regular files below a folder; links are not followed and `.git` is never entered. */
export async function walkFiles(walk: Walk): Promise<Walked> {
  const { hidden = false, maxEntries = MAX_WALK_ENTRIES } = walk;
  const matches = matcher(walk);
  const dots = hidden || namesDot(walk.pattern);
  const prefix = relative(walk.top, walk.real);
  const files: string[] = [];
  let entriesLeft = maxEntries;
  let unreadable = 0;
  const folders: Folder[] = [{ path: "", above: hidden ? undefined : await rulesAbove(walk) }];
  for (let folder = folders.pop(); folder && entriesLeft > 0; folder = folders.pop()) {
    const real = join(walk.real, folder.path);
    const entries = await readFolder(real);
    if (!entries) {
      unreadable++;
      continue;
    }
    const fromTop = joinPath(prefix, folder.path);
    const names = new Set(entries.filter(({ isFile }) => isFile).map(({ name }) => name));
    const rules = hidden ? undefined : await readRules(real, fromTop, names, folder.above);
    for (const { name, isFile, isDirectory } of entries) {
      if (entriesLeft-- <= 0) break;
      if (name === ".git" || isTemporaryName(name) || (name.startsWith(".") && !dots)) continue;
      const path = joinPath(folder.path, name);
      if (!isFile && !isDirectory) continue;
      if (isIgnored(rules, joinPath(fromTop, name) + (isDirectory ? "/" : ""))) continue;
      if (isDirectory) folders.push({ path, above: rules });
      else if (matches(path)) files.push(path);
    }
  }
  return { files: files.sort(byName), stopped: entriesLeft <= 0, unreadable };
}

/** Whether a path matches a glob; one without "/" is compared with the name when `byName` says so. */
export function matcher(
  { pattern, byName, hidden }: Pick<Walk, "pattern" | "byName" | "hidden">,
): (path: string) => boolean {
  if (pattern === undefined) return () => true;
  const plain = pattern.startsWith("./") ? pattern.slice(2) : pattern;
  const basename = byName === true && !plain.includes("/");
  const matches = picomatch(plain, { dot: hidden === true, basename });
  // Without its second parameter, which "filter" would fill with an index.
  return (path) => matches(path);
}

interface Folder {
  readonly path: string;
  readonly above: IgnoreRules | undefined;
}

function joinPath(folder: string, name: string): string {
  return folder === "" || name === "" ? folder + name : `${folder}/${name}`;
}

/** A pattern such as ".github/**" asks for what the leading dot hides elsewhere. */
function namesDot(pattern: string | undefined): boolean {
  return pattern !== undefined && /(^|\/|\{|,)\.[^./]/.test(pattern);
}

/** Undefined where the folder cannot be read, or is no longer the one that was found. */
async function readFolder(real: string): Promise<Deno.DirEntry[] | undefined> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(real));
    return await realPath(real) === real ? entries : undefined;
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

/** None where they hide the folder itself: who names it wants to see it. */
async function rulesAbove({ top, real }: Walk): Promise<IgnoreRules | undefined> {
  let rules: IgnoreRules | undefined;
  let path = "";
  for (const name of relative(top, real).split("/").filter((part) => part !== "")) {
    const folder = join(top, path);
    rules = await readRules(folder, path, await ignoreFilesIn(folder), rules);
    path = joinPath(path, name);
    if (isIgnored(rules, `${path}/`)) return undefined;
  }
  return rules;
}

async function ignoreFilesIn(folder: string): Promise<Set<string>> {
  const entries = await readFolder(folder) ?? [];
  return new Set(entries.filter(({ isFile }) => isFile).map(({ name }) => name));
}
