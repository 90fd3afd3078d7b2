import type { BatchSummary } from "../batch/tally.ts";
import { cutToWidth } from "./render/columns.ts";
import { elapsedText } from "./render/elapsed.ts";
import { type View, widthOf } from "./render/view.ts";
import { visibleLine } from "./visible.ts";

/** Columns between two of a table. */
const GAP = "  ";

/** What a batch came to, as a table for people; every line fits the width. Pure. */
export function summaryText(summary: BatchSummary, view: View): string {
  const { style } = view;
  const lines = [
    ...rows(countRows(summary)).map((row) => cut(row, view)),
    ...failureRows(summary, view),
    ...(summary.stopped === undefined ? [] : [style.red(cut(summary.stopped, view))]),
    // A path that is cut is of no use.
    `Results: ${visibleLine(summary.results)}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function countRows(summary: BatchSummary): string[][] {
  const { tasks, done, failed, left, left_indexes, earlier, reasons, usage } = summary;
  const ends = Object.entries(reasons).filter(([reason]) => reason !== "done")
    .map(([reason, count]) => `${count} ${reason}`);
  const tokens = `${usage.input_tokens} in, ${usage.output_tokens} out`;
  return [
    ["tasks", String(tasks), earlier > 0 ? `${earlier} done with before` : ""],
    ["done", String(done)],
    ["failed", String(failed), ends.join(", ")],
    ["left", String(left), left > 0 ? left_indexes : ""],
    ["tokens", tokens],
    ...(summary.spent_usd > 0 ? [["cost", `$${summary.spent_usd.toFixed(4)}`]] : []),
    ["time", elapsedText(summary.duration_ms)],
  ];
}

function failureRows({ failures, failed }: BatchSummary, view: View): string[] {
  if (failures.length === 0) return [];
  const table = rows([
    ["task", "reason", "code", "error"],
    ...failures.map(({ id, reason, exit_code, error = "" }) => [
      visibleLine(id),
      reason,
      String(exit_code),
      visibleLine(error),
    ]),
  ]);
  const [head = "", ...body] = table.map((row) => cut(row, view));
  const more = failed - failures.length;
  return ["", view.style.bold(head), ...body, ...(more > 0 ? [`and ${more} more`] : []), ""];
}

/** Cells in columns; the last one of a row is as wide as it is, and widens no column. */
function rows(table: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...table.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) => {
    const cells = table.flatMap((row) => column < row.length - 1 ? [row[column]?.length ?? 0] : []);
    return Math.min(MAX_CELL, Math.max(0, ...cells));
  });
  return table.map((row) =>
    row.map((cell, column) => column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))
      .join(GAP).trimEnd()
  );
}

/** Wider cells push the others, in UTF-16 units. */
const MAX_CELL = 40;

function cut(line: string, view: View): string {
  return cutToWidth(line, widthOf(view), view.style.unicode);
}
