import type { Paint, Style } from "../style.ts";
import { changedWords } from "./changed_words.ts";
import { cutToWidth, expandTabs } from "./columns.ts";
import { visibleLine } from "../visible.ts";
import { breakSpans, type Span } from "./spans.ts";
import type { DiffRow } from "./unified_diff.ts";
import { type View, widthOf } from "./view.ts";

/** Narrower than this a line has one number, that of the text in which it stands. */
const BOTH_NUMBERS_WIDTH = 60;

type TextRow = Extract<DiffRow, { readonly text: string }>;

const SIGNS: Readonly<Record<TextRow["kind"], string>> = { same: " ", removed: "-", added: "+" };

/**
 * Draws the rows of one file by their index: numbers, sign and text, with the words marked that
 * changed. `maxRows`: lines on the screen for one of the file at the most.
 */
export function diffRowPainter(
  rows: readonly DiffRow[],
  view: View,
  maxRows: number,
): (at: number) => string[] {
  const { style } = view;
  const partners = partnersIn(rows);
  const digits = String(highestNumber(rows)).length;
  const numbers = numberColumns(digits, widthOf(view) >= BOTH_NUMBERS_WIDTH);
  const indent = " ".repeat(numbers.columns + 3);
  const room = Math.max(1, widthOf(view) - indent.length);

  function textLines(row: TextRow, at: number): string[] {
    const pieces = breakSpans(spansOf(row, rows[partners.get(at) ?? -1], style), room);
    const sign = paintOf(row.kind, style)?.(SIGNS[row.kind]) ?? SIGNS[row.kind];
    const lines = pieces.slice(0, maxRows).map((piece, index) =>
      (index === 0 ? `${style.dim(numbers.of(row))} ${sign} ${piece}` : indent + piece).trimEnd()
    );
    const hidden = pieces.length - lines.length;
    if (hidden === 0) return lines;
    return [...lines, indent + style.dim(cutToWidth(`(${hidden} more)`, room, style.unicode))];
  }

  return (at) => {
    const row = rows[at];
    if (row === undefined) return [];
    switch (row.kind) {
      case "gap":
        return [style.dim((style.unicode ? "⋮" : ":").padStart(digits))];
      case "unterminated":
        return [indent + style.dim(cutToWidth("(no line end)", room, style.unicode))];
      case "other":
        return breakSpans([{ text: visibleLine(row.line), paint: style.dim }], widthOf(view));
      case "same":
      case "removed":
      case "added":
        return textLines(row, at);
    }
  };
}

/** The columns of numbers before each line, and how a line fills them. */
function numberColumns(
  digits: number,
  both: boolean,
): { readonly columns: number; of(row: TextRow): string } {
  const old = (row: TextRow) => row.kind === "added" ? "" : String(row.old);
  const fresh = (row: TextRow) => row.kind === "removed" ? "" : String(row.fresh);
  if (!both) {
    return { columns: digits, of: (row) => (fresh(row) || old(row)).padStart(digits) };
  }
  return {
    columns: 2 * digits + 1,
    of: (row) => `${old(row).padStart(digits)} ${fresh(row).padStart(digits)}`,
  };
}

function spansOf(row: TextRow, partner: DiffRow | undefined, style: Style): Span[] {
  const paint = paintOf(row.kind, style);
  const parts = wordsOf(row, partner);
  // A carriage return before the line end is news only where something changed.
  const end = row.kind === "same" ? row.text.replace(/\r$/, "") : row.text;
  if (parts === undefined || style.plain) return [{ text: visibleLine(expandTabs(end)), paint }];
  const marked: Paint = (text) => style.inverse(paint?.(text) ?? text);
  return parts.map(({ text, changed }) => ({
    text: visibleLine(text),
    paint: changed ? marked : paint,
  }));
}

function wordsOf(row: TextRow, partner: DiffRow | undefined) {
  if (row.kind === "removed" && partner?.kind === "added") {
    return changedWords(row.text, partner.text)?.old;
  }
  if (row.kind === "added" && partner?.kind === "removed") {
    return changedWords(partner.text, row.text)?.fresh;
  }
  return undefined;
}

function paintOf(kind: TextRow["kind"], style: Style): Paint | undefined {
  switch (kind) {
    case "removed":
      return style.red;
    case "added":
      return style.green;
    case "same":
      return undefined;
  }
}

/** Where as many lines came as went, each new one is taken for the old one in its place. */
function partnersIn(rows: readonly DiffRow[]): Map<number, number> {
  const partners = new Map<number, number>();
  let removed: number[] = [];
  let added: number[] = [];
  function close(): void {
    if (removed.length === added.length) {
      for (const [index, old] of removed.entries()) {
        const fresh = added[index] ?? old;
        partners.set(old, fresh).set(fresh, old);
      }
    }
    removed = [];
    added = [];
  }
  for (const [at, { kind }] of rows.entries()) {
    if (kind === "unterminated") continue;
    if (kind === "added") added.push(at);
    else {
      if (kind !== "removed" || added.length > 0) close();
      if (kind === "removed") removed.push(at);
    }
  }
  close();
  return partners;
}

function highestNumber(rows: readonly DiffRow[]): number {
  let highest = 1;
  for (const row of rows) {
    if ("old" in row) highest = Math.max(highest, row.old);
    if ("fresh" in row) highest = Math.max(highest, row.fresh);
  }
  return highest;
}
