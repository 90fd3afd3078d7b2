import { dirname } from "node:path";
import { errorCode, isForbidden, isMissing } from "../files/system_errors.ts";
import { lockTemporary } from "../files/temporary_name.ts";
import { digestOf } from "./digest.ts";
import { type FileState, isSameState, type PathState, type RestorableState } from "./entry.ts";
import { isBelow, presentIn } from "./present.ts";
import { modeOf } from "./seen.ts";

/** One path that is to hold something else: from what it holds now. Undefined stands for nothing. */
export interface Action {
  /** From the root. */
  readonly path: string;
  readonly from: PathState | undefined;
  readonly to: RestorableState | undefined;
}

/** A path that stays as it is, and why. */
export interface Kept {
  readonly path: string;
  readonly why: string;
}

/** What came of a list of actions. */
export interface Restored {
  readonly done: readonly Action[];
  readonly kept: readonly Kept[];
}

/**
 * Carries out actions below a root (absolute, links resolved). Each is a step that readers see whole
 * or not at all, and a path that no longer is as its action expects is left alone; so a list of
 * which a part was carried out can be planned and carried out again.
 */
export function restore(
  root: string,
  actions: readonly Action[],
  load: (hash: string) => Uint8Array | undefined,
): Restored {
  const present = presentIn(root);
  const done: Action[] = [];
  const kept = new Map<string, string>();
  for (const { action, act } of inOrder(root, actions, load)) {
    const { path } = action;
    if (kept.has(path)) continue;
    const why = attempt(() => act(present.state(path)));
    if (why !== undefined) kept.set(path, why);
    else done.push(action);
  }
  const whole = new Set(done.map(({ path }) => path).filter((path) => !kept.has(path)));
  return {
    done: actions.filter(({ path }) => whole.has(path)),
    kept: [...kept].map(([path, why]) => ({ path, why })),
  };
}

/** A part of an action; `act` gets what lies there now, and answers why it was left alone. */
interface Step {
  readonly action: Action;
  act(now: PathState | undefined): string | undefined;
}

const CHANGED = "it was changed meanwhile";

/** Mode bits without which a folder's owner can put nothing into it. */
const OPEN = 0o300;

/**
 * Whether a path is as a list of actions that was cut off may have left it: what had to go is gone,
 * or a folder is still open for what is to lie in it.
 */
export function isHalfway(
  now: PathState | undefined,
  from: Action["from"],
  to: Action["to"],
): boolean {
  if (now === undefined) return from !== undefined && to !== undefined && from.kind !== to.kind;
  const folder = [from, to].find((state) => state?.kind === "folder");
  return now.kind === "folder" && folder?.kind === "folder" &&
    (now.mode & ~(folder.mode | OPEN)) === 0;
}

/** What has to go goes first, from below; folders come before what lies in them, their modes last. */
function inOrder(
  root: string,
  actions: readonly Action[],
  load: (hash: string) => Uint8Array | undefined,
): Step[] {
  const down = [...actions].sort((a, b) => depth(a.path) - depth(b.path));
  const up = down.toReversed();
  const step =
    (act: (action: Action, now: PathState | undefined) => string | undefined) =>
    (action: Action): Step => ({ action, act: (now) => act(action, now) });
  const remove = step(({ path, from }, now) => {
    if (!isSameState(now, from)) return CHANGED;
    return inWritableFolder(root, path, (absolute) => Deno.removeSync(absolute));
  });
  const makeFolder = step(({ path, to }, now) => {
    if (now !== undefined || to?.kind !== "folder") return CHANGED;
    return inWritableFolder(root, path, (absolute) => {
      // Open for what is to lie in it; the umask takes its part from what is asked for.
      Deno.mkdirSync(absolute, { mode: to.mode | OPEN });
      giveTo(absolute, Deno.lstatSync(dirname(absolute)));
      Deno.chmodSync(absolute, to.mode | OPEN);
    });
  });
  const put = step(({ path, from, to }, now) => {
    // Another name of a file that was just written.
    if (isSameState(now, to)) return undefined;
    const expected = isReplacedInPlace({ path, from, to }) ? from : undefined;
    if (!isSameState(now, expected)) return CHANGED;
    if (to?.kind === "link") {
      return inWritableFolder(root, path, (at) => Deno.symlinkSync(to.target, at));
    }
    return to?.kind === "file" ? putFile(root, path, now, to, load) : undefined;
  });
  const setMode = step(({ path, to }, now) => {
    if (now?.kind !== "folder" || to?.kind !== "folder") return CHANGED;
    Deno.chmodSync(`${root}/${path}`, to.mode);
    return undefined;
  });
  return [
    ...up.filter(isRemoved).map(remove),
    ...down.filter(({ from, to }) => to?.kind === "folder" && from?.kind !== "folder").map(
      makeFolder,
    ),
    ...down.filter(({ to }) => to?.kind === "file" || to?.kind === "link").map(put),
    ...up.filter(({ to }) => to?.kind === "folder").map(setMode),
  ];
}

/** Whether what is there has to go before (or without) anything else taking its place. */
function isRemoved(action: Action): boolean {
  const stays = action.from?.kind === "folder" && action.to?.kind === "folder";
  return action.from !== undefined && !stays && !isReplacedInPlace(action);
}

function isReplacedInPlace({ from, to }: Action): boolean {
  return from?.kind === "file" && to?.kind === "file";
}

function putFile(
  root: string,
  path: string,
  now: PathState | undefined,
  to: FileState,
  load: (hash: string) => Uint8Array | undefined,
): string | undefined {
  const absolute = `${root}/${path}`;
  if (now?.kind === "file" && now.hash === to.hash) {
    Deno.chmodSync(absolute, to.mode);
    return undefined;
  }
  const bytes = load(to.hash);
  if (!bytes) return "its content is no longer kept";
  if (now !== undefined && (Deno.lstatSync(absolute).nlink ?? 1) > 1) {
    // All names of the file go on showing one content.
    writeInPlace(absolute, bytes, to.mode);
    return undefined;
  }
  return inWritableFolder(root, path, () => {
    // The name is the same each time, so that what a crash left is written over.
    const temporary = `${dirname(absolute)}/.cordon-undo-${nameDigest(path)}.tmp`;
    removeIfThere(temporary);
    using file = Deno.openSync(temporary, { write: true, createNew: true, mode: 0o600 });
    try {
      lockTemporary(file);
      for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
      giveTo(temporary, Deno.lstatSync(now === undefined ? dirname(absolute) : absolute));
      // After the owner: a change of owner clears the set-user-id bits.
      Deno.chmodSync(temporary, to.mode);
      Deno.renameSync(temporary, absolute);
    } catch (error) {
      removeIfThere(temporary);
      throw error;
    }
  });
}

function writeInPlace(absolute: string, bytes: Uint8Array, mode: number): void {
  Deno.chmodSync(absolute, mode | 0o200);
  Deno.writeFileSync(absolute, bytes, { create: false });
  Deno.chmodSync(absolute, mode);
}

/** Root that works in somebody's folder leaves nothing behind that they cannot change. */
function giveTo(path: string, { uid, gid }: Deno.FileInfo): void {
  const own = Deno.lstatSync(path);
  if (uid === null || gid === null || (own.uid === uid && own.gid === gid)) return;
  try {
    Deno.chownSync(path, uid, gid);
  } catch (error) {
    // Only root may give files away; then the new one is ours, as with any editor.
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
  }
}

/** Acts in the folder around a path, which is made writable for that time where it is not. */
function inWritableFolder(
  root: string,
  path: string,
  act: (absolute: string) => void,
): string | undefined {
  const absolute = `${root}/${path}`;
  const folder = dirname(absolute);
  if (!isBelow(root, path)) return "its folder is not there";
  const mode = modeOf(Deno.lstatSync(folder));
  const isClosed = (mode & OPEN) !== OPEN;
  if (isClosed) Deno.chmodSync(folder, mode | OPEN);
  try {
    act(absolute);
  } finally {
    if (isClosed) Deno.chmodSync(folder, mode);
  }
  return undefined;
}

/** What the system refuses is a path that is left alone; everything else must not be passed over. */
function attempt(act: () => string | undefined): string | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && (errorCode(error) !== undefined || isForbidden(error))) {
      return error.message;
    }
    throw error;
  }
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function nameDigest(path: string): string {
  return digestOf(new TextEncoder().encode(path)).slice(0, 16);
}

function depth(path: string): number {
  return path.split("/").length;
}
