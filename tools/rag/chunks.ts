import { type Section, sectionsOf } from "./structure.ts";

/** A part of a text that is found as a whole. */
export interface Chunk {
  /** First and last line, from 1. */
  readonly first: number;
  readonly last: number;
  /** What it is called; empty where nothing tells. */
  readonly title: string;
  readonly text: string;
}

/** Of a chunk, in UTF-16 units: some 600 tokens, as much as is read at a glance. */
export const MAX_CHUNK = 2_400;

/** A chunk is closed at the next beginning once it has so many; documents say more in fewer. */
const MIN_CHUNK = { code: 1_300, headed: 160 } as const;

/** Lines that a part too long for one chunk repeats of the one before. */
const OVERLAP_LINES = 2;

/** A split looks for an empty line this far back. */
const SPLIT_SEARCH_LINES = 12;

/** Of a longer line only the beginning is found; in UTF-16 units. */
const MAX_LINE = MAX_CHUNK;

/** Cuts a text along its structure; every line is in a chunk, and empty texts have none. */
export function chunksOf(text: string, path: string): Chunk[] {
  const lines = text.split(/\r\n|\n|\r/, MAX_LINES).map(cutLine);
  const chunks: Chunk[] = [];
  for (const span of joined(spansOf(sectionsOf(lines, path), lines), minimum(path))) {
    chunks.push(...split(span, lines));
  }
  return chunks.filter(({ text }) => /\S/.test(text));
}

/** Far above what files of the size that is indexed hold, except of empty lines. */
const MAX_LINES = 1_000_000;

/** Lines of a text as they are found. */
function cutLine(line: string): string {
  return line.length <= MAX_LINE ? line : line.slice(0, MAX_LINE).toWellFormed();
}

function minimum(path: string): number {
  return /\.(md|mdx|markdown|adoc|asciidoc|org)$/i.test(path) ? MIN_CHUNK.headed : MIN_CHUNK.code;
}

/** Lines from `start` to before `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly title: string;
  /** In UTF-16 units, line ends included. */
  readonly length: number;
  /** Of the part that the title is of. */
  readonly longest: number;
}

function spansOf(sections: readonly Section[], lines: readonly string[]): Span[] {
  const starts = sections[0]?.line === 0 ? sections : [{ line: 0, title: "" }, ...sections];
  return starts.map(({ line, title }, index) => {
    const end = starts[index + 1]?.line ?? lines.length;
    const length = lengthOf(lines, line, end);
    return { start: line, end, title, length, longest: title === "" ? 0 : length };
  });
}

/** Neighbours that are short become one. */
function joined(spans: readonly Span[], minimum: number): Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last && last.length < minimum && last.length + span.length <= MAX_CHUNK) {
      all[all.length - 1] = {
        ...last,
        end: span.end,
        // What takes the most room tells the most.
        title: last.longest >= span.length ? last.title : span.title,
        longest: Math.max(last.longest, span.length),
        length: last.length + span.length,
      };
    } else all.push(span);
  }
  return all;
}

function split({ start, end, title, length }: Span, lines: readonly string[]): Chunk[] {
  if (length <= MAX_CHUNK) return [chunk(start, end, title, lines)];
  const chunks: Chunk[] = [];
  for (let at = start; at < end;) {
    const stop = splitPoint(at, end, lines);
    chunks.push(chunk(at, stop, title, lines));
    // Going on before where the next one would begin anyway would never end.
    at = stop >= end ? end : Math.max(stop - OVERLAP_LINES, at + 1);
  }
  return chunks;
}

/** Where a chunk that begins at a line ends: as late as it may, at an empty line where one is near. */
function splitPoint(start: number, end: number, lines: readonly string[]): number {
  let stop = start;
  for (let length = 0; stop < end; stop++) {
    length += (lines[stop]?.length ?? 0) + 1;
    if (length > MAX_CHUNK && stop > start) break;
  }
  if (stop >= end) return end;
  for (
    let back = stop;
    back > Math.max(start + OVERLAP_LINES + 1, stop - SPLIT_SEARCH_LINES);
    back--
  ) {
    if (lines[back - 1]?.trim() === "") return back;
  }
  return stop;
}

function chunk(start: number, end: number, title: string, lines: readonly string[]): Chunk {
  return { first: start + 1, last: end, title, text: lines.slice(start, end).join("\n") };
}

function lengthOf(lines: readonly string[], start: number, end: number): number {
  let length = 0;
  for (let line = start; line < end; line++) length += (lines[line]?.length ?? 0) + 1;
  return length;
}
