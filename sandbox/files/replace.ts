import { dirname } from "node:path";
import type { Answer } from "./answer.ts";
import { type CheckedFile, isAt, openChecked } from "./checked_open.ts";
import { contentOf, factsOf } from "./content.ts";
import {
  type FileContent,
  type FileFacts,
  type FileVersion,
  MAX_FILE_BYTES,
  type Splice,
  type StaleRefusal,
} from "./files.ts";
import { outside, type Place, refuse } from "./guard.ts";
import { realPath } from "./real_path.ts";
import { unlessMissing } from "./system_errors.ts";
import { createTemporary } from "./temporary_file.ts";

type Changed = Answer<{ facts: FileFacts }> | StaleRefusal;

/** How often a change that lost a race against another program is tried anew. */
const ATTEMPTS = 3;

/**
 * Replaces byte ranges of a file that still has the expected content. Readers see the old bytes or
 * the new ones; mode and, where the system lets us, owner stay. A file of several hard links is
 * written in place, so that all its names keep showing one content. Where it throws (disk full, no
 * permission) the file has its old bytes and nothing lies beside it.
 * @throws {RangeError} where the splices overlap, are out of order or past the end.
 */
export async function replaceContent(
  place: Place,
  expected: FileVersion,
  splices: readonly Splice[],
): Promise<Changed> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Opened for writing, though a rename needs no such right: a read-only file stays as it is.
    const opened = await openChecked(place, "write");
    if (!opened.ok) return opened;
    await using file = opened.file;
    const current = await contentOf(place, file, MAX_FILE_BYTES);
    if (!current.ok) return current;
    if (!isVersion(current, expected)) return stale(place, current);
    const bytes = applySplices(current.bytes, splices);
    if (file.stats.nlink > 1) return await writeInPlace(place, file, current.bytes, bytes);
    // What is missing now (the folder was moved away) the next attempt finds out.
    const changed = await unlessMissing(swap(place, file, bytes));
    if (changed) return changed;
  }
  return refuse(place.given, "denied", "is changed again and again by another program: try again");
}

/** Removes the name at `entry`, which leads to the place, if the file still is as expected. */
export async function removeContent(
  place: Place,
  entry: string,
  expected: FileVersion,
): Promise<Answer<{ path: string }> | StaleRefusal> {
  const opened = await openChecked(place, "read");
  if (!opened.ok) return opened;
  await using file = opened.file;
  const current = await contentOf(place, file, MAX_FILE_BYTES);
  if (!current.ok) return current;
  if (!isVersion(current, expected)) return stale(place, current);
  const folder = await realPath(dirname(entry));
  if (folder !== dirname(entry)) return outside(place.given, folder);
  await Deno.remove(entry);
  return { ok: true, path: place.shown };
}

/** Builds the new content; exported for its tests. */
export function applySplices(
  bytes: Uint8Array,
  splices: readonly Splice[],
): Uint8Array<ArrayBuffer> {
  let at = 0;
  const parts: Uint8Array[] = [];
  for (const { start, end, bytes: piece } of splices) {
    if (!(at <= start && start <= end && end <= bytes.length)) {
      throw new RangeError(
        `Cannot splice ${start}-${end}: not in order within ${bytes.length} bytes`,
      );
    }
    parts.push(bytes.subarray(at, start), piece);
    at = end;
  }
  parts.push(bytes.subarray(at));
  return joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function isVersion({ version }: FileContent, expected: FileVersion): boolean {
  return version.size === expected.size && version.hash === expected.hash;
}

function stale(place: Place, { facts, version, bytes }: FileContent): StaleRefusal {
  const current = { facts, version, bytes };
  return { ...refuse(place.given, "stale", "changed since it was read: read it again"), current };
}

/** Puts a new file in the old one's place; answers nothing where the old one changed meanwhile. */
async function swap(
  place: Place,
  file: CheckedFile,
  bytes: Uint8Array,
): Promise<Answer<{ facts: FileFacts }> | undefined> {
  await using temporary = await createTemporary(dirname(place.real), bytes, { like: file.stats });
  if (temporary === undefined) return undefined;
  if (!await isUntouched(place.real, file)) return undefined;
  const facts = factsOf(place, await Deno.lstat(temporary.path));
  // Where the folder was swapped since, the temporary file is not in it, and this fails.
  await Deno.rename(temporary.path, place.real);
  return { ok: true, facts };
}

/** Whether the file still lies at its place, with the size and times that it was opened with. */
async function isUntouched(path: string, { stats }: CheckedFile): Promise<boolean> {
  if (!isAt(path, stats)) return false;
  const now = await unlessMissing(Deno.lstat(path));
  return now?.size === stats.size && now.mtime?.getTime() === stats.mtime.getTime();
}

async function writeInPlace(
  place: Place,
  { handle }: CheckedFile,
  old: Uint8Array,
  bytes: Uint8Array,
): Promise<Changed> {
  try {
    // What is past the old end comes first: where the disk is full nothing is overwritten yet.
    await writeAll(handle, bytes, old.length, bytes.length);
    await writeAll(handle, bytes, 0, Math.min(old.length, bytes.length));
    await handle.truncate(bytes.length);
    await handle.sync();
  } catch (error) {
    await writeAll(handle, old, 0, old.length);
    await handle.truncate(old.length);
    throw error;
  }
  return { ok: true, facts: factsOf(place, await Deno.lstat(place.real)) };
}

type Handle = CheckedFile["handle"];

async function writeAll(handle: Handle, bytes: Uint8Array, start: number, end: number) {
  for (let at = start; at < end;) {
    const { bytesWritten } = await handle.write(bytes, at, end - at, at);
    at += bytesWritten;
  }
}
