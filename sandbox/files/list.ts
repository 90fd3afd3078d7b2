import { join } from "node:path";
import type { Answer } from "./answer.ts";
import type { FileEntry, FileKind } from "./files.ts";
import { outside, type Place, refuse } from "./guard.ts";
import { realPath } from "./real_path.ts";
import { unlessMissing } from "./system_errors.ts";

/** The entries of one folder, sorted by name. */
export async function listFolder(
  place: Place,
): Promise<Answer<{ path: string; entries: FileEntry[] }>> {
  const found = await unlessMissing(Deno.lstat(place.real));
  if (!found) return refuse(place.given, "not_a_folder", "is not there");
  if (!found.isDirectory) return refuse(place.given, "not_a_folder", "is not a folder");
  const listed = await entriesOf(place.real);
  const real = await realPath(place.real);
  if (real !== place.real) return outside(place.given, real);
  const entries = await Promise.all(listed.map((entry) => describe(place.real, entry)));
  return { ok: true, path: place.shown, entries };
}

/** The kind of what a folder's entry or a stat says. */
export function kindOf(
  { isFile, isDirectory, isSymlink }: Pick<Deno.DirEntry, "isFile" | "isDirectory" | "isSymlink">,
): FileKind {
  if (isFile) return "file";
  if (isDirectory) return "folder";
  return isSymlink ? "link" : "other";
}

/** By code units: the same order on every machine and in every language. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.sort((a, b) => byName(a.name, b.name));
}

async function describe(folder: string, entry: Deno.DirEntry): Promise<FileEntry> {
  const { name } = entry;
  const kind = kindOf(entry);
  // A name that is not UTF-8 comes with replacement characters and is not found again.
  const facts = kind === "file" ? await unlessMissing(Deno.lstat(join(folder, name))) : undefined;
  return { name, kind, size: facts?.size ?? 0 };
}
