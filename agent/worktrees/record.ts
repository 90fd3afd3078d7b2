import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { isForbidden, isMissing } from "../../sandbox/files/system_errors.ts";
import { isInside } from "../../sandbox/rights/grants.ts";
import { digestOf } from "../../sandbox/snapshots/digest.ts";

/** What is written beside a worktree, so that it is found again after a crash. */
export interface WorktreeRecord {
  readonly name: string;
  /** The folder that it is a copy of. */
  readonly workspace: string;
  /** The session that opened it. */
  readonly session: string;
  /** When, in ISO 8601. */
  readonly created: string;
  /** Hash of the tree that it began with. */
  readonly base: string;
  /** Where it is a checkout of git's. */
  readonly git?: {
    readonly branch: string;
    readonly start: string;
    /** The repository's own folder, where whoever works in the workspace had it already. */
    readonly store?: string;
  };
}

/** The parts of a worktree's own folder. */
export interface Nest {
  /** Absolute. */
  readonly folder: string;
  /** The copy itself; it has the name of the workspace, which some tools take for the project's. */
  readonly checkout: string;
  /** Held by the process that has it open. */
  readonly lock: string;
  readonly record: string;
  /** An index of git's that is being made. */
  readonly index: string;
}

/**
 * Where the worktrees of a workspace lie: beside the state folder, for no command may see that, and
 * a worktree is somebody's workspace.
 */
export function worktreesFolder(state: string, workspace: string): string {
  const digest = digestOf(new TextEncoder().encode(workspace)).slice(0, 12);
  return join(allWorktrees(state), `${fitName(basename(workspace))}-${digest}`);
}

/** The folder of all worktrees of all workspaces. */
export function allWorktrees(state: string): string {
  return `${state}-worktrees`;
}

/** Whether a path is that of a worktree of a workspace, one that was let go of included. */
export function copiesOf(state: string, workspace: string): (path: string) => boolean {
  const folder = worktreesFolder(state, workspace);
  const real = realFolder(folder) ?? folder;
  return (path) => isInside(path, real);
}

/**
 * The record of the worktree that a workspace is; undefined where it is none of ours, or where this
 * process may not read it.
 */
export function recordOf(state: string, workspace: string): WorktreeRecord | undefined {
  const folder = dirname(dirname(workspace));
  const all = realFolder(allWorktrees(state));
  if (all === undefined || dirname(dirname(folder)) !== all) return undefined;
  const nest = { ...nestAt(folder, workspace), checkout: workspace };
  if (basename(dirname(workspace)) !== CHECKOUT) return undefined;
  try {
    return readRecord(nest);
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** The folder around a worktree's copy. */
const CHECKOUT = "checkout";

function realFolder(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    // A run that may see its own worktree alone takes the path of all of them at its word.
    if (isForbidden(error)) return path;
    throw error;
  }
}

/** The parts of a worktree's folder; `workspace` is what it is a copy of. */
export function nestAt(folder: string, workspace: string): Nest {
  const at = (name: string) => join(folder, name);
  return {
    folder,
    checkout: at(join(CHECKOUT, fitName(basename(workspace)))),
    lock: at("lock"),
    record: at("record.json"),
    index: at("index"),
  };
}

/** Longer names are cut, in characters. */
const MAX_NAME = 40;

/** A name as it may stand in a path and in a branch of git's (git-check-ref-format). */
export function fitName(name: string): string {
  const fit = name.normalize("NFKD").replace(/[^A-Za-z0-9_-]+/g, "-").replace(/-{2,}/g, "-")
    .slice(0, MAX_NAME).replace(/^[-_]+|[-_]+$/g, "");
  return fit || "worktree";
}

/** Makes a folder that nobody else has, by the name or one like it. */
export function makeNest(
  folder: string,
  name: string,
  workspace: string,
): { readonly nest: Nest; readonly name: string } {
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let number = 1;; number++) {
    const own = number === 1 ? name : `${name}-${number}`;
    try {
      const nest = nestAt(join(folder, own), workspace);
      Deno.mkdirSync(nest.folder, { mode: 0o700 });
      Deno.mkdirSync(dirname(nest.checkout), { mode: 0o700 });
      return { nest, name: own };
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
}

/** Takes a worktree for this process; undefined where another one has it. */
export function takeNest(nest: Nest): Deno.FsFile | undefined {
  const lock = Deno.openSync(nest.lock, { create: true, write: true, mode: 0o600 });
  if (lock.tryLockSync(true)) return lock;
  lock.close();
  return undefined;
}

export function writeRecord(nest: Nest, record: WorktreeRecord): void {
  const draft = `${nest.record}.draft`;
  Deno.writeTextFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  Deno.renameSync(draft, nest.record);
}

/** Whether a worktree came to be: the making of one without a record was cut off. */
export function hasRecord(nest: Nest): boolean {
  return isThere(nest.record);
}

/** Whether the copy is where it was made. */
export function hasCheckout(nest: Nest): boolean {
  return isThere(nest.checkout);
}

/** Whether anything lies at a path, a link that leads nowhere included. */
export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Undefined where there is none, or none that this version can read. */
export function readRecord(nest: Nest): WorktreeRecord | undefined {
  let text;
  try {
    text = Deno.readTextFileSync(nest.record);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return parseRecord(text);
}

function parseRecord(text: string): WorktreeRecord | undefined {
  const schema = z.object({
    name: z.string(),
    workspace: z.string(),
    session: z.string(),
    created: z.string(),
    base: z.string(),
    git: z.object({
      branch: z.string(),
      start: z.string(),
      store: z.string().exactOptional(),
    }).exactOptional(),
  });
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The folders of all worktrees of a workspace. */
export function nestsIn(folder: string, workspace: string): Nest[] {
  try {
    return [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory)
      .map(({ name }) => nestAt(join(folder, name), workspace))
      .sort((a, b) => a.folder < b.folder ? -1 : 1);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The sessions of which a workspace has worktrees; none where this process may not look. */
export function sessionsWithWorktrees(state: string, workspace: string): ReadonlySet<string> {
  try {
    const nests = nestsIn(worktreesFolder(state, workspace), workspace);
    return new Set(nests.flatMap((nest) => readRecord(nest)?.session ?? []));
  } catch (error) {
    if (isForbidden(error)) return new Set();
    throw error;
  }
}
