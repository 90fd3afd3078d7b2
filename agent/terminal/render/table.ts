import type { Tokens } from "marked";
import { inlineSpans } from "./inline.ts";
import { columnsOf } from "./columns.ts";
import { type Span, spansWidth, wrapSpans } from "./spans.ts";
import { type View, widthOf } from "./view.ts";

/** A column narrower than this would break most words. */
const MIN_COLUMN = 8;

/** A table of Markdown as lines; where its columns do not fit, row by row as a list. */
export function renderTable({ header, rows, align }: Tokens.Table, view: View): string[] {
  const { style } = view;
  const heads = header.map(({ tokens }) => inlineSpans(tokens, style, style.bold));
  const body = rows.map((row) => row.map(({ tokens }) => inlineSpans(tokens, style)));
  const wanted = heads.map((head, column) =>
    Math.max(1, ...[head, ...body.map((row) => row[column] ?? [])].map(spansWidth))
  );
  const widths = columnWidths(wanted, widthOf(view) - 3 * (wanted.length - 1));
  if (widths === undefined) return asList(heads, body, view);
  const bar = ` ${style.dim(style.unicode ? "│" : "|")} `;
  const line = style.unicode ? "─" : "-";
  const rule = widths.map((width) => line.repeat(width)).join(style.unicode ? "─┼─" : "-+-");
  const draw = (cells: readonly Span[][]) => drawRow(cells, widths, align, bar);
  return [...draw(heads), style.dim(rule), ...body.flatMap(draw)];
}

/** Widths of at most `room` together: the widest give first. Undefined where they cannot fit. */
function columnWidths(wanted: readonly number[], room: number): number[] | undefined {
  const least = wanted.map((width) => Math.min(width, MIN_COLUMN));
  if (sum(least) > room) return undefined;
  let limit = Math.max(...wanted);
  const limited = () => wanted.map((width) => Math.min(width, limit));
  // Down to the common limit under which all fit; least of all widths is such a limit.
  let low = MIN_COLUMN;
  while (low < limit) {
    const middle = Math.ceil((low + limit) / 2);
    if (sum(wanted.map((width) => Math.min(width, middle))) <= room) low = middle;
    else limit = middle - 1;
  }
  return limited();
}

function drawRow(
  cells: readonly Span[][],
  widths: readonly number[],
  align: Tokens.Table["align"],
  bar: string,
): string[] {
  const wrapped = widths.map((width, column) => wrapSpans(cells[column] ?? [], width));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    widths.map((width, column) => {
      const isLast = column === widths.length - 1;
      return aligned(wrapped[column]?.[row] ?? "", width, align[column] ?? null, isLast);
    }).join(bar).trimEnd());
}

/** The last column is not filled up: blanks at the end of lines are copied with them. */
function aligned(
  text: string,
  width: number,
  align: Tokens.Table["align"][number],
  isLast: boolean,
): string {
  const free = Math.max(0, width - columnsOf(text));
  const before = align === "right" ? free : align === "center" ? Math.floor(free / 2) : 0;
  const after = isLast ? 0 : free - before;
  return " ".repeat(before) + text + " ".repeat(after);
}

function asList(heads: readonly Span[][], body: readonly Span[][][], view: View): string[] {
  const width = widthOf(view);
  if (body.length === 0) return heads.flatMap((head) => wrapSpans(head, width));
  return body.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...row.flatMap((cell, column) =>
      wrapSpans([...heads[column] ?? [], { text: ": " }, ...cell], width)
    ),
  ]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
