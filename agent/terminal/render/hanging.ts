import type { Paint } from "../style.ts";
import { columnsOf } from "./columns.ts";
import { wrapSpans } from "./spans.ts";

/** Columns that what hangs must have left, at the least. */
const MIN_ROOM = 12;

/**
 * A line wrapped so that a table stays one: what does not fit goes on below the last column that
 * begins in the left half, columns being parted by two blanks or more.
 */
export function wrapHanging(line: string, width: number, paint?: Paint): string[] {
  if (columnsOf(line) <= width) return wrapSpans([{ text: line, paint }], width);
  const head = headOf(line, width);
  const hang = columnsOf(head);
  const indent = " ".repeat(hang);
  const [first = "", ...rest] = wrapSpans(
    [{ text: line.slice(head.length), paint }],
    width - hang,
  );
  const painted = paint && head.trim() !== "" ? paint(head) : head;
  return [painted + first, ...rest.map((row) => indent + row)];
}

function headOf(line: string, width: number): string {
  let head = "";
  for (const gap of line.matchAll(/(?:^ +| {2,})(?=\S)/g)) {
    const before = line.slice(0, gap.index + gap[0].length);
    const columns = columnsOf(before);
    if (columns <= width / 2 && width - columns >= MIN_ROOM) head = before;
  }
  return head;
}
