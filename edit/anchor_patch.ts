import { type AnchoredRow, rowsAround, viewAnchored } from "./anchors.ts";
import { leakedOmission } from "./placeholder.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { applyChanges, type TextChange } from "./rewrite.ts";
import {
  breakAt,
  lineBreak,
  lineEnd,
  type Lines,
  linesOf,
  lineStart,
  splitLines,
  trimBlanks,
} from "./text.ts";
import { foldTypography } from "./typography.ts";

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

/** A refused batch shows files up to this size whole. */
const WHOLE_ROWS = 200;

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
  const fresh = linesOf(text);
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
