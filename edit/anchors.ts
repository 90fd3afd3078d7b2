import { leakedOmission } from "./placeholder.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { applyChanges, breakAt, type TextChange } from "./rewrite.ts";
import {
  lineBreak,
  lineEnd,
  type Lines,
  lineStart,
  lineText,
  splitLines,
  trimBlanks,
} from "./text.ts";
import { foldTypography } from "./typography.ts";

/** One line of a file with the name by which {@linkcode patchAnchored} finds it again. */
export interface AnchoredRow {
  /** From 1. */
  readonly line: number;
  readonly anchor: string;
  readonly text: string;
}

/** One change at one anchor; `text` is one line or several, and never empty. */
export interface AnchorOperation {
  readonly anchor: string;
  readonly op: "replace" | "delete" | "insert_before" | "insert_after";
  readonly text?: string;
  /** What the line must hold for the batch to go; outer blanks aside. */
  readonly expected?: string;
}

/** What a batch makes of a file, and fresh anchors around what it changed. */
export interface AnchorPatch {
  readonly ok: true;
  readonly text: string;
  readonly changes: readonly TextChange[];
  readonly rows: readonly AnchoredRow[];
}

/** A refused batch, and fresh anchors where it wanted to go. */
export interface AnchorRefusal extends Refusal {
  readonly rows: readonly AnchoredRow[];
}

/** Rows shown on both sides of a change. */
const CONTEXT_ROWS = 3;
/** A refused batch shows files up to this size whole. */
const WHOLE_ROWS = 200;

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
  const twins = Map.groupBy(hashes.keys(), (index) => hashes[index]);
  const above = stretches(contents, hashes, twins);
  return contents.map((text, index) => {
    const hash = hashes[index] ?? "";
    const group = twins.get(hash) ?? [];
    if (group.length < 2) return { line: index + 1, anchor: hash, text };
    const check = hashOf(group.map((twin) => above[twin] ?? "")).slice(-CHECK_LENGTH);
    const anchor = `${hash}:${group.indexOf(index) + 1}:${check}`;
    return { line: index + 1, anchor, text };
  });
}

const HASH_LENGTH = 7;
const CHECK_LENGTH = 4;

/** A hash of everything from the nearest line above that has no twin down to each line. */
function stretches(
  contents: readonly string[],
  hashes: readonly string[],
  twins: ReadonlyMap<string | undefined, readonly number[]>,
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

/** Applies a batch to the text as it is now: all operations or none, at most one on a line. */
export function patchAnchored(
  text: string,
  operations: readonly AnchorOperation[],
): AnchorPatch | AnchorRefusal {
  const lines = splitLines(text);
  const view = viewAnchored(text);
  const byAnchor = new Map(view.map((row) => [row.anchor, row]));
  const found = operations.map(({ anchor }) => byAnchor.get(bareAnchor(anchor)));
  const places = found.flatMap((row) => row === undefined ? [] : [row.line - 1]);
  const rows = view.length <= WHOLE_ROWS ? view : rowsAround(view, places);
  const taken = new Set<number>();
  const changes: { index: number; change: TextChange }[] = [];
  for (const [at, operation] of operations.entries()) {
    const row = found[at];
    const refusal = row === undefined ? staleAnchor(operation) : checkOne(operation, row, taken);
    if (refusal !== undefined) return { ...refusal, rows };
    if (row === undefined) continue;
    taken.add(row.line);
    changes.push({ index: row.line - 1, change: changeOf(lines, row.line - 1, operation) });
  }
  const sorted = changes.toSorted((a, b) => a.index - b.index).map(({ change }) => change);
  const result = applyChanges(text, sorted);
  if (result === text) return { ...refuse("no_change", "the file stays as it is"), rows };
  return { ok: true, text: result, changes: sorted, rows: freshRows(result, sorted) };
}

/** The model may copy an anchor with what stands behind it in the view. */
function bareAnchor(anchor: string): string {
  return trimBlanks(anchor.split("│")[0] ?? "");
}

function staleAnchor({ anchor }: AnchorOperation): Refusal {
  return refuse("stale_anchor", `no line has the anchor "${anchor}" now`);
}

function checkOne(
  { anchor, op, text, expected }: AnchorOperation,
  row: AnchoredRow,
  taken: ReadonlySet<number>,
): Refusal | undefined {
  if (taken.has(row.line)) {
    return refuse("duplicate_anchor", `two operations name "${anchor}" (line ${row.line})`);
  }
  if (expected !== undefined && comparable(expected) !== comparable(row.text)) {
    return refuse("guard_failed", `line ${row.line} is "${row.text}", not as expected`);
  }
  if (op === "delete") return undefined;
  if (text === undefined || text === "") {
    return refuse("malformed", `${op} needs text; a line break alone is one empty line`);
  }
  const leak = leakedOmission(text, row.text);
  return leak === undefined
    ? undefined
    : refuse("placeholder", `new text leaves code out ("${leak}")`);
}

function comparable(text: string): string {
  return foldTypography(trimBlanks(text.replace(/\r?\n$/, "")));
}

function changeOf(lines: Lines, index: number, { op, text = "" }: AnchorOperation): TextChange {
  const start = lineStart(lines, index);
  const next = lineStart(lines, index + 1);
  const end = lineEnd(lines, index);
  const own = breakAt(lines.text, start) ?? "\n";
  const fresh = Array.from(newLines(text));
  switch (op) {
    case "replace":
      return { start, end, text: fresh.join(own) };
    case "delete":
      return { start, end: next, text: "" };
    case "insert_before":
      return { start, end: start, text: fresh.map((line) => line + own).join("") };
    case "insert_after":
      return lineBreak(lines, index) === ""
        ? { start: end, end, text: fresh.map((line) => own + line).join("") }
        : { start: next, end: next, text: fresh.map((line) => line + own).join("") };
  }
}

/** The lines of an operation's text; a final line break ends the last one. */
function newLines(text: string): string[] {
  const lines = splitLines(text);
  return Array.from({ length: lines.count }, (_, index) => lineText(lines, index));
}

function freshRows(text: string, changes: readonly TextChange[]): AnchoredRow[] {
  const lines: number[] = [];
  const breaks = (piece: string) => piece.split("\n").length - 1;
  let at = 0;
  let line = 0;
  const view = viewAnchored(text);
  let shift = 0;
  for (const change of changes) {
    const start = change.start + shift;
    line += breaks(text.slice(at, start));
    const last = line + breaks(change.text);
    for (let index = line; index <= last; index++) lines.push(index);
    at = start;
    shift += change.text.length - (change.end - change.start);
  }
  return rowsAround(view, lines);
}

/** The rows within {@linkcode CONTEXT_ROWS} of some lines (indices from 0), in order. */
function rowsAround(view: readonly AnchoredRow[], lines: readonly number[]): AnchoredRow[] {
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
