import { join } from "node:path";
import type { Answer } from "./answer.ts";
import { readBytes } from "./content.ts";
import {
  type Extent,
  MAX_FILE_BYTES,
  type SearchHit,
  type SearchQuery,
  type SearchReason,
} from "./files.ts";
import { type Place, refuse } from "./guard.ts";
import { type RunRipgrep, searchByRipgrep } from "./ripgrep.ts";
import { createCollector, type FileHits, searchBytes, type SearchOptions } from "./search.ts";
import { compilePattern } from "./search_pattern.ts";
import { isForbidden, unlessMissing } from "./system_errors.ts";
import { matcher, walkFiles } from "./walk.ts";

/** Files that are read at once. */
const PARALLEL_READS = 8;

export type Searched = Answer<{ hits: SearchHit[]; total: number } & Extent, SearchReason>;

/**
 * Searches the file or folder at a place. Which files those are is found out here in any case; of
 * ripgrep, where it is given, only the reading and matching is asked, so that the answers are the
 * same; what it cannot do, as a pattern that looks ahead, falls to our own search.
 */
export async function searchTree(
  place: Place,
  top: string,
  query: SearchQuery,
  runRipgrep: RunRipgrep | undefined,
): Promise<Searched> {
  const pattern = compilePattern(query.pattern, query.ignoreCase ?? false);
  if (!pattern.ok) {
    const message = `${query.pattern} is no regular expression (${pattern.detail}): ` +
      "put a backslash before a sign that stands for itself";
    return { ok: false, reason: "bad_pattern", path: query.path, message };
  }
  const found = await filesAt(place, top, query);
  if (!found.ok) return found;
  const { files, stopped, unreadable } = found;
  const { context = 0, limit } = query;
  const options = { matcher: pattern.matcher, context, limit };
  const collected = runRipgrep && await searchByRipgrep(runRipgrep, files, query);
  const { hits, total } = collected ?? await searchOurselves(files, options);
  return { ok: true, hits, total, stopped, unreadable };
}

type Found = Answer<{ files: readonly Place[] } & Extent, "not_a_file">;

async function filesAt(place: Place, top: string, query: SearchQuery): Promise<Found> {
  const stats = await unlessMissing(Deno.lstat(place.real));
  if (stats?.isFile) return { ok: true, files: [place], stopped: false, unreadable: 0 };
  if (!stats?.isDirectory) {
    const what = stats ? "is neither a file nor a folder" : "is not there";
    return refuse(place.given, "not_a_file", what);
  }
  const { include, hidden = false } = query;
  const walked = await walkFiles({ real: place.real, top, hidden });
  const included = matcher({
    ...(include === undefined ? {} : { pattern: include }),
    byName: true,
    hidden: true,
  });
  const files = walked.files.filter(included).map((path) => placeBelow(place, path));
  return { ok: true, files, stopped: walked.stopped, unreadable: walked.unreadable };
}

/** The place of a file that a walk found below a folder. */
function placeBelow(folder: Place, path: string): Place {
  const shown = showBelow(folder, path);
  const real = join(folder.real, path);
  return { given: shown, shown, absolute: join(folder.absolute, path), real };
}

/** How a path below a folder is shown. */
export function showBelow({ shown }: Place, path: string): string {
  return shown === "." ? path : join(shown, path);
}

async function searchOurselves(files: readonly Place[], options: SearchOptions) {
  const collector = createCollector(options);
  const left = files.values();
  const work = async () => {
    // One iterator for all: each takes the next file that nobody has.
    for (const file of left) {
      const found = await searchFile(file, options);
      if (found) collector.add(found);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_READS }, work));
  return collector.finish();
}

/** Undefined for what holds no text, is too large, may not be read, or went away. */
async function searchFile(file: Place, options: SearchOptions): Promise<FileHits | undefined> {
  try {
    const read = await readBytes(file, MAX_FILE_BYTES);
    return read.ok ? searchBytes(file.shown, read.bytes, options) : undefined;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
