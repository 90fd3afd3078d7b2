import { MAX_HIT_CHARS, type SearchHit } from "./files.ts";
import { byName } from "./list.ts";

/** The hits of one file; `matches` counts them, also those that are not kept. */
export interface FileHits {
  readonly path: string;
  readonly hits: readonly SearchHit[];
  readonly matches: number;
}

export interface SearchOptions {
  readonly matcher: RegExp;
  /** Lines to show before and after a match. */
  readonly context: number;
  /** Matches to keep at the most; all are counted. */
  readonly limit: number;
}

/** Searches a file's bytes line by line; undefined for what holds a NUL byte and no text. */
export function searchBytes(
  path: string,
  bytes: Uint8Array,
  options: SearchOptions,
): FileHits | undefined {
  const text = decodeLeniently(bytes);
  return text === undefined ? undefined : searchText(path, text, options);
}

/** Keeps the first `limit` matches by path out of the answers of many files. */
export function createCollector(
  { limit, context }: Pick<SearchOptions, "limit" | "context">,
): Collector {
  let files: FileHits[] = [];
  let kept = 0;
  let total = 0;
  function prune(): void {
    files.sort((a, b) => byName(a.path, b.path));
    kept = 0;
    files = files.filter(({ hits }) => kept < limit && (kept += countMatches(hits)) > 0);
  }
  return {
    add(file) {
      total += file.matches;
      if (file.hits.length === 0) return;
      files.push(file);
      kept += countMatches(file.hits);
      // Now and then only, so that sorting costs little.
      if (kept > 8 * limit) prune();
    },
    finish() {
      prune();
      return { hits: firstMatches(files.flatMap(({ hits }) => hits), { limit, context }), total };
    },
  };
}

/** Takes hits in any order of files. */
export interface Collector {
  add(file: FileHits): void;
  finish(): { hits: SearchHit[]; total: number };
}

/** A line as it is shown: a long one cut to a part around the match, with a mark at each cut. */
export function excerpt(line: string, matchStart: number): string {
  if (line.length <= MAX_HIT_CHARS) return line;
  // A fifth before the match, for what it belongs to.
  const wanted = Math.max(0, matchStart - MAX_HIT_CHARS / 5);
  const start = Math.min(wanted, line.length - MAX_HIT_CHARS);
  const end = start + MAX_HIT_CHARS;
  const part = line.slice(start, end).toWellFormed();
  return (start > 0 ? "…" : "") + part + (end < line.length ? "…" : "");
}

const UTF16_MARKS = [[0xff, 0xfe, "utf-16le"], [0xfe, 0xff, "utf-16be"]] as const;

function decodeLeniently(bytes: Uint8Array): string | undefined {
  for (const [first, second, encoding] of UTF16_MARKS) {
    if (bytes[0] === first && bytes[1] === second) return new TextDecoder(encoding).decode(bytes);
  }
  return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
}

function searchText(path: string, text: string, { matcher, context, limit }: SearchOptions) {
  const lines = text.split("\n");
  // A final line break ends the last line and begins no other.
  if (lines.at(-1) === "") lines.pop();
  const found = new Map<number, number>();
  let matches = 0;
  for (const [index, line] of lines.entries()) {
    const at = withoutReturn(line).search(matcher);
    if (at < 0) continue;
    matches++;
    if (found.size < limit) found.set(index, at);
  }
  const hits: SearchHit[] = [];
  for (const index of withContext(found, context, lines.length)) {
    const at = found.get(index);
    const line = withoutReturn(lines[index] ?? "");
    const kind = at === undefined ? "context" : "match";
    hits.push({ path, line: index + 1, text: excerpt(line, at ?? 0), kind });
  }
  return { path, hits, matches };
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function withContext(found: ReadonlyMap<number, number>, context: number, count: number) {
  const shown = new Set<number>();
  for (const index of found.keys()) {
    const last = Math.min(count - 1, index + context);
    for (let at = Math.max(0, index - context); at <= last; at++) shown.add(at);
  }
  return [...shown].sort((a, b) => a - b);
}

function countMatches(hits: readonly SearchHit[]): number {
  return hits.reduce((sum, { kind }) => sum + (kind === "match" ? 1 : 0), 0);
}

/** The first `limit` matches, with the context above and below each. */
export function firstMatches(
  hits: readonly SearchHit[],
  { limit, context }: Pick<SearchOptions, "limit" | "context">,
): SearchHit[] {
  let matches = 0;
  const last = hits.findIndex(({ kind }) => kind === "match" && ++matches === limit);
  const lastHit = hits[last];
  if (!lastHit) return [...hits];
  const belongs = ({ path, line, kind }: SearchHit) =>
    kind === "context" && path === lastHit.path && line <= lastHit.line + context;
  const below = hits.slice(last + 1);
  const other = below.findIndex((hit) => !belongs(hit));
  return [...hits.slice(0, last + 1), ...below.slice(0, other < 0 ? undefined : other)];
}
