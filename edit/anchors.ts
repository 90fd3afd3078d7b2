import { lineText, splitLines } from "./text.ts";

/** One line of a file with the name by which a batch of operations finds it again. */
export interface AnchoredRow {
  /** From 1. */
  readonly line: number;
  readonly anchor: string;
  readonly text: string;
}

/**
 * Every line with its anchor. An anchor is a hash of the line and its two neighbours; where lines
 * share one, it also has an ordinal and a check of what lies above all of these twins, so that it
 * goes stale when a twin comes, goes or moves.
 */
export function viewAnchored(text: string): AnchoredRow[] {
  const lines = splitLines(text);
  const contents = Array.from({ length: lines.count }, (_, index) => lineText(lines, index));
  const hashes = contents.map((content, index) =>
    hashOf([contents[index - 1] ?? "\0", content, contents[index + 1] ?? "\0"])
  );
  const twins = Map.groupBy(hashes.keys(), (index) => hashes[index] ?? "");
  const above = stretches(contents, hashes, twins);
  const anchors: string[] = [];
  for (const [hash, group] of twins) {
    const check = hashOf(group.map((twin) => above[twin] ?? "")).slice(-CHECK_LENGTH);
    for (const [at, index] of group.entries()) {
      anchors[index] = group.length === 1 ? hash : `${hash}:${at + 1}:${check}`;
    }
  }
  return contents.map((text, index) => ({ line: index + 1, anchor: anchors[index] ?? "", text }));
}

const HASH_LENGTH = 7;
const CHECK_LENGTH = 4;

/** A hash of everything from the nearest line above that has no twin down to each line. */
function stretches(
  contents: readonly string[],
  hashes: readonly string[],
  twins: ReadonlyMap<string, readonly number[]>,
): string[] {
  let running = "";
  return contents.map((content, index) => {
    const hash = hashes[index] ?? "";
    running = twins.get(hash)?.length === 1 ? hash : hashOf([running, content]);
    return running;
  });
}

/** FNV-1a over the parts, twice with other seeds, in base 36. */
function hashOf(parts: readonly string[]): string {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (const part of parts) {
    for (let at = 0; at <= part.length; at++) {
      // The code past the last one divides the parts.
      const code = at < part.length ? part.charCodeAt(at) : 0x10000;
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x5bd1e995) ^ (high >>> 15);
    }
  }
  const value = (low >>> 0) * 0x20_0000 + ((high >>> 0) & 0x1f_ffff);
  return value.toString(36).padStart(HASH_LENGTH, "0").slice(-HASH_LENGTH);
}

/** Rows shown on both sides of a change. */
const CONTEXT_ROWS = 3;
/** The rows within {@linkcode CONTEXT_ROWS} of some lines (indices from 0), in order. */
export function rowsAround(view: readonly AnchoredRow[], lines: readonly number[]): AnchoredRow[] {
  const shown = new Set<number>();
  for (const line of lines) {
    for (let row = line - CONTEXT_ROWS; row <= line + CONTEXT_ROWS; row++) shown.add(row);
  }
  return view.filter((_, index) => shown.has(index));
}

/** Rows as the model sees them: `anchor│ text`, and a line of dots where rows are left out. */
export function renderRows(rows: readonly AnchoredRow[]): string {
  return rows.map((row, index) => {
    const before = rows[index - 1];
    const gap = before !== undefined && before.line + 1 !== row.line ? "…\n" : "";
    return `${gap}${row.anchor}│ ${row.text}`;
  }).join("\n");
}
