import { columnsOf, cutToWidth } from "./columns.ts";
import { visibleLine } from "../visible.ts";
import { diffRowPainter } from "./diff_rows.ts";
import { type DiffRow, type FileDiff, parseUnifiedDiff } from "./unified_diff.ts";
import { type View, widthOf } from "./view.ts";

/** How much of a diff is shown. */
export interface DiffOptions {
  /** Lines on the screen at the most, at least 3; the one that counts what is missing included. */
  readonly maxLines?: number | undefined;
}

/** A folded diff shows no more of a single long line, in lines on the screen. */
const MAX_ROWS_A_LINE = 4;

/**
 * A unified diff for a person: a header for each file, then its lines with their numbers. Long
 * lines are broken and nothing of them is cut off; characters that act or do not show are drawn by
 * their number. What `maxLines` leaves out is counted. Pure.
 */
export function renderDiff(
  diff: string,
  view: View,
  { maxLines = Infinity }: DiffOptions = {},
): string[] {
  const files = parseUnifiedDiff(diff);
  const most = Math.max(3, maxLines);
  const rowLimit = maxLines === Infinity ? Infinity : MAX_ROWS_A_LINE;
  const lines: string[] = [];
  let shown = 0;
  for (const part of partsOf(files, view, rowLimit)) {
    if (lines.length + part.length > most - 1 && shown > 0) {
      const left = files.flatMap(entriesOf).slice(shown);
      // What fits into the line that would count it is shown.
      if (left.length > 1 || lines.length + part.length > most) return [...lines, rest(left, view)];
    }
    lines.push(...part);
    shown++;
  }
  return lines;
}

/** How many lines a diff adds and removes. */
export function countChanges(rows: readonly DiffRow[]): { added: number; removed: number } {
  return {
    added: rows.filter(({ kind }) => kind === "added").length,
    removed: rows.filter(({ kind }) => kind === "removed").length,
  };
}

/** Headers and lines in order, each drawn when it is asked for: a diff may be long, its fold not. */
function* partsOf(
  files: readonly FileDiff[],
  view: View,
  maxRows: number,
): Generator<readonly string[]> {
  for (const file of files) {
    yield [header(file, view)];
    const paint = diffRowPainter(file.rows, view, maxRows);
    for (let at = 0; at < file.rows.length; at++) yield paint(at);
  }
}

/** As many as {@linkcode partsOf} yields; undefined for a header. */
function entriesOf({ rows }: FileDiff): (DiffRow | undefined)[] {
  return [undefined, ...rows];
}

function header({ old, fresh, rows, note = "" }: FileDiff, view: View): string {
  const { style } = view;
  const about = [note, countText(rows)].filter((part) => part !== "").join(" ");
  const taken = about === "" ? 0 : about.length + 2;
  const room = widthOf(view) - taken;
  const names = namesOf(old, fresh, style.unicode ? "→" : "->");
  if (taken === 0 || room < Math.min(8, columnsOf(names))) {
    return style.bold(cutToWidth(names, widthOf(view), style.unicode));
  }
  return `${style.bold(cutToWidth(names, room, style.unicode))}  ${style.dim(about)}`;
}

function namesOf(old: string | undefined, fresh: string | undefined, arrow: string): string {
  if (old === undefined) return `${visibleLine(fresh ?? "")} (new)`;
  if (fresh === undefined) return `${visibleLine(old)} (removed)`;
  const path = visibleLine(fresh);
  return old === fresh ? path : `${visibleLine(old)} ${arrow} ${path}`;
}

function countText(rows: readonly DiffRow[]): string {
  const { added, removed } = countChanges(rows);
  return [added > 0 ? `+${added}` : "", removed > 0 ? `-${removed}` : ""]
    .filter((count) => count !== "").join(" ");
}

function rest(left: readonly (DiffRow | undefined)[], { style, ...view }: View): string {
  const rows = left.filter((row) => row !== undefined);
  const files = left.length - rows.length;
  const counts = countText(rows);
  const words = [
    `${rows.length} more ${rows.length === 1 ? "line" : "lines"}`,
    ...(files === 0 ? [] : [`${files} more ${files === 1 ? "file" : "files"}`]),
    ...(counts === "" ? [] : [counts]),
  ].join(", ");
  const text = `${style.unicode ? "…" : "..."} ${words}`;
  return style.dim(cutToWidth(text, widthOf(view), style.unicode));
}
