import { join, relative, resolve } from "node:path";
import type { Answer, Refusal } from "./answer.ts";
import { realPath } from "./real_path.ts";
import { isLinkLoop } from "./system_errors.ts";

/** The folders (or single files) that file operations may touch, absolute. */
export interface Roots {
  /** Read and write. */
  readonly workspace: string;
  /** Spill files and images; read only. */
  readonly session?: string;
  readonly extraRead?: readonly string[];
  /** Read and write. */
  readonly extraWrite?: readonly string[];
}

export type Right = "read" | "write";

/** A path that was checked against the roots. */
export interface Place {
  /** As it was given. */
  readonly given: string;
  /** Relative to the working folder where it lies below it, else absolute; "." for the folder. */
  readonly shown: string;
  /** Absolute, `..` removed, the last links not resolved. */
  readonly absolute: string;
  /** Absolute, links resolved. */
  readonly real: string;
}

export type GuardReason = "denied" | "not_a_file";

/** Decides what lies inside the roots. */
export interface Guard {
  /**
   * Resolves a path, links and `..` included, and refuses what lies outside. It looks at the
   * present: between this and an operation a link can be swapped, so operations check again
   * (`checked_open.ts`).
   */
  resolve(path: string, right: Right): Promise<Answer<{ place: Place }, GuardReason>>;
}

export interface GuardOptions {
  readonly roots: Roots;
  /** Absolute; asked at the start of each call, before anything is awaited. */
  cwd(): string;
  /** What a leading `~/` means. */
  readonly home?: string;
}

/** A guard over roots; their own links are resolved once, when they are first needed. */
export function createGuard({ roots, cwd, home }: GuardOptions): Guard {
  let resolving: Promise<readonly ResolvedRoot[]> | undefined;
  return {
    async resolve(path, right) {
      const folder = cwd();
      const no = malformed(path, home);
      if (no) return no;
      resolving ??= resolveRoots(roots);
      const resolved = await resolving;
      const absolute = rebase(absolutePath(path, folder, home), resolved);
      const real = await realPathOrLoop(absolute);
      if (real === undefined) return refuse(path, "not_a_file", "is a link that leads in a circle");
      const covering = resolved.filter((root) => covers(root.real, real));
      if (covering.length === 0 || isKernelPath(absolute)) return outside(path, real);
      if (right === "write" && !covering.some((root) => root.writable)) {
        const where = `resolves to ${real}, where this process may only read`;
        return refuse(path, "denied", where);
      }
      const shown = showPath(absolute, rebase(folder, resolved));
      return { ok: true, place: { given: path, shown, absolute, real } };
    },
  };
}

/** An absolute path as it is shown: relative where it lies below the folder. */
export function showPath(path: string, folder: string): string {
  return covers(folder, path) ? relative(folder, path) || "." : path;
}

/** The refusal of a path that leads outside. */
export function outside(path: string, real: string): Refusal<"denied"> {
  const message = `path traversal: ${path} resolves to ${real}, outside the workspace`;
  return { ok: false, reason: "denied", path, message };
}

/** A refusal whose message begins with the path. */
export function refuse<R extends string>(path: string, reason: R, what: string): Refusal<R> {
  return { ok: false, reason, path, message: `${path} ${what}` };
}

interface ResolvedRoot {
  readonly given: string;
  readonly real: string;
  readonly writable: boolean;
}

function resolveRoots(roots: Roots): Promise<readonly ResolvedRoot[]> {
  const resolved = async (path: string, writable: boolean): Promise<ResolvedRoot> => {
    const given = resolve(path);
    return { given, real: await realPath(given), writable };
  };
  return Promise.all([
    resolved(roots.workspace, true),
    ...(roots.session === undefined ? [] : [resolved(roots.session, false)]),
    ...(roots.extraRead ?? []).map((path) => resolved(path, false)),
    ...(roots.extraWrite ?? []).map((path) => resolved(path, true)),
  ]);
}

function malformed(path: string, home: string | undefined): Refusal<GuardReason> | undefined {
  if (path === "") {
    return { ok: false, reason: "not_a_file", path, message: "the path is empty: give a name" };
  }
  if (path.includes("\0")) {
    const message = `the path ${
      JSON.stringify(path)
    } contains a NUL character: no file has such a name`;
    return { ok: false, reason: "not_a_file", path, message };
  }
  if (home === undefined && isOfHome(path)) {
    return refuse(path, "denied", "begins with ~, and no home folder is known here: use ./~");
  }
  return undefined;
}

function isOfHome(path: string): boolean {
  return path === "~" || path.startsWith("~/");
}

function absolutePath(path: string, folder: string, home: string | undefined): string {
  if (home !== undefined && isOfHome(path)) return join(home, path.slice(1));
  return resolve(folder, path);
}

/**
 * Under flags scoped to a root's real path Deno refuses to look at another spelling of it, as
 * through a link above the root: so a path below a root as given is moved below its real path.
 */
function rebase(path: string, roots: readonly ResolvedRoot[]): string {
  const root = roots.find(({ given, real }) => given !== real && covers(given, path));
  return root ? join(root.real, relative(root.given, path)) : path;
}

async function realPathOrLoop(path: string): Promise<string | undefined> {
  try {
    return await realPath(path);
  } catch (error) {
    if (isLinkLoop(error)) return undefined;
    throw error;
  }
}

/** Trees of the kernel: never covered by a root above them, as `/`. */
const KERNEL_TREES = ["/proc", "/sys", "/dev"];

function covers(root: string, path: string): boolean {
  if (!isBelow(root, path)) return false;
  return KERNEL_TREES.every((tree) => !isBelow(tree, path) || isBelow(tree, root));
}

/** `/proc` also has links back into the workspace; Deno's scoped flags refuse them, and so do we. */
function isKernelPath(path: string): boolean {
  return isBelow("/proc", path);
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
