import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "../sandbox/rights/grants.ts";
import { UsageError } from "./command_line/parse.ts";
import type { ReadVariable } from "./environment.ts";

/** The folders of a run, all absolute. */
export interface Places extends Keeping {
  /** Where Cordon was started; names on the command line are taken from here. */
  readonly cwd: string;
  /** Links resolved. */
  readonly workspace: string;
}

/** Where things are kept, whichever folder a run works in. */
export interface Keeping {
  /** Undefined where neither --state nor XDG_STATE_HOME nor HOME is known: nothing is kept then. */
  readonly state: string | undefined;
  readonly sessions: string | undefined;
  /** Undefined where neither XDG_CONFIG_HOME nor HOME is known. */
  readonly config: string | undefined;
  /** Where the machine's own configuration may lie, the most important first. */
  readonly systemConfig: readonly string[];
  readonly home: string | undefined;
}

/**
 * Where a run works and keeps its things (XDG base directory specification: an empty or relative
 * variable counts as not set).
 * @throws {UsageError} where the workspace is no folder, or too much to hand over, or the state's
 * place is no folder.
 */
export function findPlaces(
  options: { cd?: string; state?: string },
  env: ReadVariable,
  cwd: string,
): Places {
  const workspace = findWorkspace(resolve(cwd, options.cd ?? "."), absolute(env("HOME")));
  return { cwd, workspace, ...findKeeping(options, env, cwd) };
}

/**
 * The places of a run that have nothing to do with its workspace.
 * @throws {UsageError} where the state's place is no folder.
 */
export function findKeeping(options: { state?: string }, env: ReadVariable, cwd: string): Keeping {
  const home = absolute(env("HOME"));
  const stateHome = absolute(env("XDG_STATE_HOME")) ?? (home && join(home, ".local", "state"));
  const state = options.state !== undefined
    ? resolve(cwd, options.state)
    : stateHome && join(stateHome, "cordon");
  if (state !== undefined) refuseFile(state);
  const configHome = absolute(env("XDG_CONFIG_HOME")) ?? (home && join(home, ".config"));
  return {
    state,
    sessions: state && join(state, "sessions"),
    config: configHome && join(configHome, "cordon"),
    systemConfig: systemFolders(env("XDG_CONFIG_DIRS")).map((folder) => join(folder, "cordon")),
    home,
  };
}

/** Relative ones count as not set, and none at all as the default (XDG base directories). */
function systemFolders(list: string | undefined): string[] {
  const folders = (list ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  if (folders.length > 0) return folders;
  return Deno.build.os === "windows" ? [] : ["/etc/xdg"];
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

function findWorkspace(path: string, home: string | undefined): string {
  const workspace = realFolder(path);
  if (dirname(workspace) === workspace) {
    throw new UsageError(
      `Cannot work in "${workspace}": it is the whole disk, name a folder by -C`,
    );
  }
  if (home !== undefined && isInside(realFolder(home, home), workspace)) {
    const what = workspace === realFolder(home, home)
      ? "your home folder"
      : "a parent of your home";
    throw new UsageError(
      `Cannot work in "${workspace}": it is ${what}, name a project in it by -C`,
    );
  }
  return workspace;
}

/** Refuses a place for the state that is taken by something else than a folder. */
function refuseFile(state: string): void {
  try {
    if (Deno.statSync(state).isDirectory) return;
  } catch (error) {
    // It will be made, or whoever needs it says why it cannot be had.
    if (!(error instanceof Deno.errors.NotADirectory)) return;
  }
  throw new UsageError(
    `Cannot keep anything in "${state}": it is not a folder, name one by --state`,
  );
}

/** The folder with links resolved; `otherwise` where it is none, else an error. */
function realFolder(path: string, otherwise?: string): string {
  try {
    if (!Deno.statSync(path).isDirectory) {
      if (otherwise !== undefined) return otherwise;
      throw new UsageError(`Cannot work in "${path}": it is not a folder`);
    }
    // A folder that cannot be listed is of no use, and the reason is best told now.
    Deno.readDirSync(path)[Symbol.iterator]().next();
    return Deno.realPathSync(path);
  } catch (error) {
    // Without the right to read it, the path is taken at its word.
    if (error instanceof Deno.errors.NotCapable) return path;
    if (otherwise !== undefined) return otherwise;
    if (error instanceof Deno.errors.NotFound) {
      throw new UsageError(`Cannot work in "${path}": there is no such folder`);
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new UsageError(`Cannot work in "${path}": it may not be read`);
    }
    throw error;
  }
}
