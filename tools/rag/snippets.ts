import type { ReadFiles } from "../../sandbox/files/files.ts";
import { isSame, MAX_INDEXED_BYTES, textOf } from "./follow.ts";
import type { IndexHit } from "./index.ts";
import { termsOf } from "./words.ts";

/** Lines of one snippet at the most: who wants more reads the file. */
const MAX_LINES = 14;

/** A line of a snippet is cut to so many UTF-16 units. */
const MAX_LINE = 240;

/** What a hit says, as it is on the disk now. */
export interface Snippet {
  /** From 1; of the text that is shown. */
  readonly first: number;
  readonly lines: readonly string[];
  /** The file changed since it was indexed, so that the place may be another. */
  readonly stale: boolean;
}

type FileHit = Extract<IndexHit, { source: "file" }>;

/** Snippets of hits in files, read anew; undefined for a file that is gone. */
export async function readSnippets(
  hits: readonly FileHit[],
  query: string,
  files: ReadFiles,
  folder: string,
): Promise<(Snippet | undefined)[]> {
  const paths = [...new Set(hits.map(({ stamp }) => stamp.path))];
  const contents = await readAll(paths, files, folder);
  const words = termsOf(query).map(({ text }) => text.toLowerCase());
  return hits.map((hit) => {
    const item = contents.get(hit.stamp.path);
    return item && { ...snippetOf(item.lines, hit, words), stale: !isSame(item.stamp, hit.stamp) };
  });
}

interface ReadText {
  readonly stamp: FileHit["stamp"];
  readonly lines: readonly string[];
}

async function readAll(
  paths: readonly string[],
  files: ReadFiles,
  folder: string,
): Promise<Map<string, ReadText>> {
  const contents = new Map<string, ReadText>();
  for (let at = 0; at < paths.length;) {
    const read = await files.readMany({
      ...{ folder, paths: paths.slice(at) },
      maxBytes: 4 * MAX_INDEXED_BYTES,
      maxFileBytes: MAX_INDEXED_BYTES,
    });
    if (!read.ok || read.items.length === 0) break;
    at += read.items.length;
    for (const item of read.items) {
      if (!("bytes" in item)) continue;
      const { bytes, ...stamp } = item;
      const lines = textOf(bytes)?.split(/\r\n|\n|\r/);
      if (lines) contents.set(item.path, { stamp, lines });
    }
  }
  return contents;
}

/** The lines of a chunk; of a long one those around the line with the most of the words. */
function snippetOf(
  lines: readonly string[],
  { first, last }: FileHit,
  words: readonly string[],
): Omit<Snippet, "stale"> {
  const chunk = lines.slice(first - 1, last);
  const best = bestLine(chunk, words);
  const start = Math.max(0, Math.min(best - Math.floor(MAX_LINES / 3), chunk.length - MAX_LINES));
  const shown = chunk.slice(start, start + MAX_LINES).map(cutLine);
  return { first: first + start, lines: shown };
}

function bestLine(lines: readonly string[], words: readonly string[]): number {
  let best = 0;
  let most = 0;
  for (const [index, line] of lines.entries()) {
    const lower = line.toLowerCase();
    const count = words.filter((word) => lower.includes(word)).length;
    if (count > most) [best, most] = [index, count];
  }
  return best;
}

/** A long line as far as it is shown. */
export function cutLine(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE).toWellFormed()}…`;
}
