import { join } from "node:path";
import { removeIfThere } from "../../sandbox/files/temporary_file.ts";
import type { FileContent, WriteFiles } from "../../sandbox/files/files.ts";
import type { JournalEntry } from "../../tools/tool.ts";
import { DRAFT_END, RECORD_END } from "./journal.ts";
import { decodeRecord } from "./journal_record.ts";

/** What became of a change in which a process died. */
export interface Recovery {
  /**
   * `whole`: every file had its new content. `undone`: files have their old content again. `kept`:
   * this run may not, or cannot, touch all of them, so that the record is left for another start.
   */
  readonly kind: "whole" | "undone" | "kept";
  /** Files that were put back. */
  readonly restored: readonly string[];
  /** Files that were left as they are, each with the reason in words. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Ends what earlier processes began and did not live to end: either all files of a change have
 * their new content, or all get their old one back, those apart that somebody changed since.
 * Changes that are under way in another process are left alone. To be called before a tool runs.
 */
export async function recoverJournals(folder: string, files: WriteFiles): Promise<Recovery[]> {
  const recovered: Recovery[] = [];
  for (const name of await namesIn(folder)) {
    const recovery = await recover(join(folder, name), files);
    if (recovery) recovered.push(recovery);
  }
  return recovered;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    return entries.filter(({ isFile }) => isFile).map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Undefined where there is nothing to tell: a draft, a record in use or one of another format. */
async function recover(path: string, files: WriteFiles): Promise<Recovery | undefined> {
  using file = await openIfThere(path);
  if (!file || !await file.tryLock(true)) return undefined;
  // A draft never became a record: none of its files has been touched.
  if (path.endsWith(DRAFT_END)) return void await removeIfThere(path);
  const entries = path.endsWith(RECORD_END) ? decodeRecord(await readText(file)) : undefined;
  if (!entries) return undefined;
  const recovery = await settle(entries, files);
  if (recovery.kind !== "kept") await removeIfThere(path);
  return recovery;
}

async function openIfThere(path: string): Promise<Deno.FsFile | undefined> {
  try {
    return await Deno.open(path, { read: true, write: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** By the handle and not by the path: that may be another file by now. */
async function readText(file: Deno.FsFile): Promise<string> {
  const bytes = new Uint8Array((await file.stat()).size);
  let length = 0;
  while (length < bytes.length) {
    const count = await file.read(bytes.subarray(length));
    if (count === null) break;
    length += count;
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
}

/** What lies at an entry's path now. */
type Present =
  | { readonly state: "new" | "torn"; readonly content: FileContent | undefined }
  | { readonly state: "old" }
  | { readonly state: "changed" | "denied"; readonly why: string };

async function settle(entries: readonly JournalEntry[], files: WriteFiles): Promise<Recovery> {
  const found: { entry: JournalEntry; present: Present }[] = [];
  for (const entry of entries) found.push({ entry, present: await look(entry, files) });
  if (found.every(({ present }) => present.state === "new")) {
    return { kind: "whole", restored: [], left: [] };
  }
  const denied = found.flatMap(({ entry, present }) =>
    present.state === "denied" ? [{ path: entry.path, why: present.why }] : []
  );
  // To undo a part of the change would make the very mix that is to be avoided.
  if (denied.length > 0) return { kind: "kept", restored: [], left: denied };
  return await undo(found, files);
}

async function undo(
  found: readonly { readonly entry: JournalEntry; readonly present: Present }[],
  files: WriteFiles,
): Promise<Recovery> {
  const restored: string[] = [];
  const left: { path: string; why: string }[] = [];
  let failed = false;
  for (const { entry, present } of found) {
    const { path } = entry;
    if (present.state === "changed") left.push({ path, why: present.why });
    if (present.state !== "new" && present.state !== "torn") continue;
    try {
      const answer = await restore(entry, present.content, files);
      if (answer.ok) restored.push(path);
      else left.push({ path, why: answer.message });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failed = true;
      left.push({ path, why: error.message });
    }
  }
  return { kind: failed ? "kept" : "undone", restored, left };
}

async function look(entry: JournalEntry, files: WriteFiles): Promise<Present> {
  const { path, before, after } = entry;
  const read = await files.read(path);
  if (read.ok) {
    const { facts, version, bytes } = read;
    if (before && isEqual(bytes, before.bytes)) return { state: "old" };
    const content = { facts, version, bytes };
    if (after && isEqual(bytes, after)) return { state: "new", content };
    if (before && after && isTorn(bytes, before.bytes, after)) return { state: "torn", content };
    return { state: "changed", why: "it was changed since" };
  }
  if (read.reason !== "not_a_file") return { state: "denied", why: read.message };
  if ((await files.stat(path)).ok) return { state: "changed", why: "it is no regular file now" };
  if (!after) return { state: "new", content: undefined };
  return before ? { state: "changed", why: "it was removed since" } : { state: "old" };
}

async function restore(
  { path, before }: JournalEntry,
  content: FileContent | undefined,
  files: WriteFiles,
) {
  if (!content) {
    return await files.create(path, before?.bytes ?? new Uint8Array(), {
      ...(before && { mode: before.mode }),
    });
  }
  const { version, bytes } = content;
  if (!before) return await files.remove(path, version);
  return await files.replace(path, version, [{ start: 0, end: bytes.length, bytes: before.bytes }]);
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/**
 * Whether a write in place (of a file with several hard links) was cut off here: then every byte
 * is the old or the new one of its place.
 */
function isTorn(bytes: Uint8Array, before: Uint8Array, after: Uint8Array): boolean {
  return bytes.length >= Math.min(before.length, after.length) &&
    bytes.length <= Math.max(before.length, after.length) &&
    bytes.every((byte, index) => byte === before[index] || byte === after[index]);
}
