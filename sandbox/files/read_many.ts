import { join, normalize } from "node:path";
import { openChecked } from "./checked_open.ts";
import { bytesOf } from "./content.ts";
import type { ReadItem, ReadManyQuery } from "./files.ts";
import type { Place } from "./guard.ts";
import { isOfSystem } from "./system_errors.ts";

/** Files that are read at once. */
const PARALLEL_READS = 8;

/**
 * Reads files below a real folder, in the order of their names. What cannot be read is an item that
 * says why; once the contents have `maxBytes`, the rest is left out.
 */
export async function readManyFiles(folder: Place, query: ReadManyQuery): Promise<ReadItem[]> {
  const items: ReadItem[] = [];
  let left = query.maxBytes;
  for (let at = 0; at < query.paths.length && left > 0; at += PARALLEL_READS) {
    const paths = query.paths.slice(at, at + PARALLEL_READS);
    const read = await Promise.all(paths.map((path) => readOne(folder, path, query.maxFileBytes)));
    for (const item of read) {
      const size = "bytes" in item ? item.bytes.length : 0;
      // The first one always goes, so that asking for the rest comes to an end.
      if (size > left && items.length > 0) return items;
      items.push(item);
      left -= size;
    }
  }
  return items;
}

async function readOne(folder: Place, path: string, maxBytes: number): Promise<ReadItem> {
  const inside = normalize(path);
  if (inside !== path || inside.startsWith("/") || /^\.\.?(\/|$)/.test(inside)) {
    return { path, problem: "not_a_file" };
  }
  const absolute = join(folder.real, path);
  // What opens it checks that no link leads elsewhere.
  const place = { given: path, shown: path, absolute, real: absolute };
  try {
    const opened = await openChecked(place, "read");
    if (!opened.ok) return { path, problem: opened.reason };
    await using file = opened.file;
    const { size, mtime, ino } = file.stats;
    const read = await bytesOf(place, file, maxBytes);
    if (!read.ok) return { path, problem: read.reason };
    return { path, size, mtimeMs: mtime.getTime(), inode: ino, bytes: read.bytes };
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    return { path, problem: "denied" };
  }
}
