import { join } from "node:path";
import { unlessMissing } from "../sandbox/files/system_errors.ts";
import { removeTree } from "../sandbox/files/remove_tree.ts";
import { quarantineOf } from "./backing/quarantine.ts";
import { isLogOpen } from "./session/log_file.ts";

/** What is kept of each kind, and how long. Logs of sessions are never removed. */
export interface StateLimits {
  readonly maxAgeMs: number;
  /** Of one kind in all, in bytes; the oldest go first. */
  readonly maxBytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Two weeks hold what a person may come back to; a disk of 50 GB loses one in twenty to us. */
const LIMITS: StateLimits = { maxAgeMs: 14 * DAY_MS, maxBytes: 2 * 1024 ** 3 };

/** How often it is looked, at the most. */
const EVERY_MS = DAY_MS;

/** What a process is doing with a state folder, as far as cleaning must know. */
export interface CleanOptions {
  readonly now: () => number;
  /** Sessions that must keep everything, beside those whose log is open. */
  readonly keep: ReadonlySet<string>;
  readonly limits?: StateLimits;
}

/**
 * Removes old things from a state folder, at most once a day: private folders of views, output
 * that was spilled beside the logs, what cells compiled, what was quarantined, and indexes that nobody
 * asks any more. Logs stay.
 */
export async function cleanState(state: string, options: CleanOptions): Promise<void> {
  if (!await isDue(join(state, "cleaned"), options.now())) return;
  const { limits = LIMITS } = options;
  for (const folder of ["views", "sessions", "cell"]) {
    const entries = await foldersIn(join(state, folder));
    const old = tooMuch(
      entries.filter(({ name }) => !options.keep.has(name)),
      limits,
      options.now(),
    );
    for (const { name, path } of old) {
      // A session of long ago may have been resumed, here or by another process.
      const isOpen = await isLogOpen(join(state, "sessions", `${name}.jsonl`));
      if (!isOpen) await removeTree(path);
    }
  }
  await quarantineOf(state).clean(limits);
  const { cleanIndexes } = await import("./retrieval/clean_indexes.ts");
  await cleanIndexes(join(state, "index"), limits.maxAgeMs, options.now());
}

interface Kept {
  readonly name: string;
  readonly path: string;
  /** When something in it changed last, in milliseconds since 1970. */
  readonly changedMs: number;
  readonly bytes: number;
}

/** What is over the age, and the oldest of what is over the size. Pure. */
export function tooMuch<T extends { readonly changedMs: number; readonly bytes: number }>(
  entries: readonly T[],
  { maxAgeMs, maxBytes }: StateLimits,
  now: number,
): T[] {
  let bytes = 0;
  return [...entries].sort((a, b) => b.changedMs - a.changedMs).filter((entry) => {
    bytes += entry.bytes;
    return now - entry.changedMs > maxAgeMs || bytes > maxBytes;
  });
}

/**
 * Whether a day has passed since the marker was made; makes it anew where it has. Where there is
 * none, the folder is new, and so is all that it holds.
 */
async function isDue(marker: string, now: number): Promise<boolean> {
  const made = await unlessMissing(Deno.stat(marker));
  if (made && now - (made.mtime?.getTime() ?? 0) < EVERY_MS) return false;
  await Deno.writeTextFile(marker, "", { mode: 0o600 });
  return made !== undefined;
}

/** The folders directly below; links are not followed, and files (the logs) are left out. */
async function foldersIn(folder: string): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const { name, isDirectory } of await entriesOf(folder)) {
    if (isDirectory) {
      kept.push({ name, path: join(folder, name), ...await measure(join(folder, name)) });
    }
  }
  return kept;
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Size and last change of a tree that commands may have written; links count as themselves. */
async function measure(folder: string): Promise<{ bytes: number; changedMs: number }> {
  const own = await Deno.lstat(folder);
  let bytes = 0;
  let changedMs = own.mtime?.getTime() ?? 0;
  for (const { name, isDirectory } of await entriesOf(folder)) {
    const path = join(folder, name);
    const found = isDirectory ? await measure(path) : sizeOf(await Deno.lstat(path));
    bytes += found.bytes;
    changedMs = Math.max(changedMs, found.changedMs);
  }
  return { bytes, changedMs };
}

function sizeOf({ size, mtime }: Deno.FileInfo): { bytes: number; changedMs: number } {
  return { bytes: size, changedMs: mtime?.getTime() ?? 0 };
}
