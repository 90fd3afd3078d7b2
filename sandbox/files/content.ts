import type { FileHandle } from "node:fs/promises";
import type { Answer } from "./answer.ts";
import { type CheckedFile, openChecked, type OpenReason } from "./checked_open.ts";
import type { FileContent, FileFacts, FileVersion } from "./files.ts";
import { type Place, refuse } from "./guard.ts";
import { kindOf } from "./list.ts";

type ReadReason = OpenReason | "too_large";

/** Reads the whole regular file at a place, of at most `maxBytes`, with its facts and version. */
export async function readContent(
  place: Place,
  maxBytes: number,
): Promise<Answer<FileContent, ReadReason>> {
  const opened = await openChecked(place, "read");
  if (!opened.ok) return opened;
  await using file = opened.file;
  return await contentOf(place, file, maxBytes);
}

/** Reads the bytes of the regular file at a place, of at most `maxBytes`. */
export async function readBytes(
  place: Place,
  maxBytes: number,
): Promise<Answer<{ bytes: Uint8Array<ArrayBuffer> }, ReadReason>> {
  const opened = await openChecked(place, "read");
  if (!opened.ok) return opened;
  await using file = opened.file;
  return await bytesOf(place, file, maxBytes);
}

/** The content of a file that is open at its start. */
export async function contentOf(
  place: Place,
  file: CheckedFile,
  maxBytes: number,
): Promise<Answer<FileContent & { bytes: Uint8Array<ArrayBuffer> }, "too_large">> {
  const read = await bytesOf(place, file, maxBytes);
  if (!read.ok) return read;
  const { bytes } = read;
  const facts: FileFacts = {
    path: place.shown,
    real: place.real,
    kind: "file",
    size: bytes.length,
    mtimeMs: file.stats.mtime.getTime(),
    mode: file.stats.mode & PERMISSION_BITS,
  };
  return { ok: true, facts, version: await versionOf(bytes), bytes };
}

/** The bytes of a file that is open at its start. */
export async function bytesOf(
  place: Place,
  { handle, stats }: CheckedFile,
  maxBytes: number,
): Promise<Answer<{ bytes: Uint8Array<ArrayBuffer> }, "too_large">> {
  const bytes = await readAll(handle, stats.size, maxBytes);
  if (bytes) return { ok: true, bytes };
  const what = `has ${stats.size} bytes, more than the ${maxBytes} that are read at once`;
  return refuse(place.given, "too_large", what);
}

/** Facts about a place. */
export function factsOf(place: Place, info: Deno.FileInfo): FileFacts {
  const { size, mtime, mode } = info;
  return {
    path: place.shown,
    real: place.real,
    kind: kindOf(info),
    size,
    mtimeMs: mtime?.getTime() ?? 0,
    mode: (mode ?? 0) & PERMISSION_BITS,
  };
}

/** The permissions with set-user-id, set-group-id and sticky bit, without the file's type. */
const PERMISSION_BITS = 0o7777;

/** What tells this content from any other. */
export async function versionOf(bytes: Uint8Array<ArrayBuffer>): Promise<FileVersion> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  return { size: bytes.length, hash };
}

/** All bytes to the end of the file, also where it grew since its size was taken. */
async function readAll(
  handle: FileHandle,
  sizeHint: number,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (sizeHint > maxBytes) return undefined;
  // One more than the size: the read that finds the end then needs no larger buffer.
  let buffer = new Uint8Array(sizeHint + 1);
  let length = 0;
  while (true) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) return undefined;
    if (length === buffer.length) {
      const wider = new Uint8Array(2 * length);
      wider.set(buffer);
      buffer = wider;
    }
  }
}
