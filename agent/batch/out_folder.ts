import { join } from "node:path";
import { UsageError } from "../command_line/parse.ts";
import { reasonOf } from "../session/error.ts";
import { digestOf } from "../../sandbox/snapshots/digest.ts";
import { checkOwnFile } from "./own_file.ts";

/** The folder of a batch, by its parts; all paths are absolute. */
export interface OutFolder {
  readonly path: string;
  /** A line for each task that has come to an end; the truth about what is done. */
  readonly results: string;
  /** A line for each attempt that was not the last word about its task, for what it cost. */
  readonly attempts: string;
  /** Results of single elements, a file each. */
  readonly elements: string;
  /** The tasks, where they came by standard input. */
  readonly tasks: string;
  /** By which its worktrees are known: the same each time. */
  readonly id: string;
}

/** How a folder is taken: by one batch alone, or with other elements of an array. */
export type Taking = "alone" | "shared";

/** A folder that this process has taken, until it is disposed of. */
export interface TakenFolder extends Disposable {
  readonly out: OutFolder;
}

/**
 * Makes the folder where it is not there, and takes it for this process; the system gives it free
 * however the process ends.
 * @throws {UsageError} where it cannot be had, or another batch has it.
 * @throws {BatchError} where something lies in it that is none of a batch's files.
 */
export function takeOutFolder(path: string, taking: Taking): TakenFolder {
  const out = openFolder(path);
  for (const file of [out.results, out.attempts, out.tasks]) {
    checkOwnFile(file);
    checkOwnFile(draftOf(file));
  }
  const lock = openLock(out.path);
  try {
    if (lock.tryLockSync(taking === "alone")) {
      return { out, [Symbol.dispose]: () => lock.close() };
    }
  } catch (cause) {
    lock.close();
    throw new UsageError(`Cannot use "${path}": it cannot be locked: ${reasonOf(cause)}`);
  }
  lock.close();
  const advice = "wait for it, or name another folder by --out";
  throw new UsageError(`Cannot use "${path}": another batch works in it, ${advice}`);
}

/**
 * Takes one element of an array, in a folder that is taken already.
 * @throws {UsageError} where another process has it.
 * @throws {BatchError} where something else lies in its place.
 */
export function takeElement(out: OutFolder, index: number): Disposable {
  checkOwnFile(draftOf(elementFile(out, index)));
  const lock = openLock(out.elements, `${index}.lock`);
  if (lock.tryLockSync(true)) return { [Symbol.dispose]: () => lock.close() };
  lock.close();
  throw new UsageError(`Cannot run task ${index}: another process is at it`);
}

/** Where the result of an element lies. */
export function elementFile({ elements }: OutFolder, index: number): string {
  return join(elements, `${index}.json`);
}

/** Where a file is written that takes the place of another when it is whole. */
export function draftOf(path: string): string {
  return `${path}.draft`;
}

function openFolder(path: string): OutFolder {
  try {
    const elements = join(path, "elements");
    Deno.mkdirSync(elements, { recursive: true, mode: 0o700 });
    if (Deno.lstatSync(elements).isSymlink) throw new Error("its elements are a link elsewhere");
    const real = Deno.realPathSync(path);
    return {
      path: real,
      results: join(real, "results.jsonl"),
      attempts: join(real, "attempts.jsonl"),
      elements: join(real, "elements"),
      tasks: join(real, "tasks.jsonl"),
      id: `batch-${digestOf(new TextEncoder().encode(real)).slice(0, 12)}`,
    };
  } catch (cause) {
    throw new UsageError(`Cannot use "${path}": ${reasonOf(cause)}`);
  }
}

function openLock(folder: string, name = "lock"): Deno.FsFile {
  const path = join(folder, name);
  checkOwnFile(path);
  try {
    return Deno.openSync(path, { create: true, read: true, write: true, mode: 0o600 });
  } catch (cause) {
    throw new UsageError(`Cannot write "${path}": ${reasonOf(cause)}`);
  }
}
