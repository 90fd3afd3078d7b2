import { type AnchoredRow, renderRows } from "../edit/anchors.ts";

/** Longer lines are cut where they are shown, in UTF-16 units; their anchors stand for all of it. */
const MAX_SHOWN = 500;

/** Rows with anchors as the model reads them, long lines cut. */
export function showRows(rows: readonly AnchoredRow[]): string {
  return renderRows(rows.map(cutRow));
}

/** A row whose line is cut to a bearable length. */
export function cutRow(row: AnchoredRow): AnchoredRow {
  const { text } = row;
  if (text.length <= MAX_SHOWN) return row;
  // The cut may fall between the two halves of a character.
  const head = text.slice(0, MAX_SHOWN).toWellFormed();
  return { ...row, text: `${head}… [line cut: ${text.length} characters]` };
}
