import { columnsOf, cutToWidth } from "../render/columns.ts";
import { type Cell, cellsOf } from "./cells.ts";
import type { Editor } from "./editor.ts";
import { heldBy, labelOf, splitAtMarks } from "./held.ts";

/** A row of the editor as it is drawn. */
export interface Row {
  /** What is drawn, at most the width. */
  readonly shown: string;
  /** The places of the text at which its cells begin, and the columns they are drawn at. */
  readonly stops: readonly Stop[];
}

interface Stop {
  /** Index into the text. */
  readonly at: number;
  readonly column: number;
}

/** The text of an editor in rows, and where its cursor stands in them. */
export interface EditorRows {
  readonly rows: readonly Row[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Breaks the text into rows of at most `width` columns (2 or more); a cursor behind the last fits. */
export function editorRows(editor: Editor, width: number): EditorRows {
  const rows = wrap(editor, width);
  for (const [row, { stops }] of rows.entries()) {
    const stop = stops.find(({ at }) => at === editor.cursor);
    if (stop) return { rows, cursor: { row, column: stop.column } };
  }
  // The cursor is never inside a cell, so one of the stops was it.
  return { rows, cursor: { row: 0, column: 0 } };
}

/** The cursor a number of rows away; undefined where there is no such row. */
export function moveRow(editor: Editor, width: number, delta: number): Editor | undefined {
  const { rows, cursor } = editorRows(editor, width);
  const row = rows[cursor.row + delta];
  if (!row) return undefined;
  const stop = row.stops.findLast(({ column }) => column <= cursor.column);
  return { ...editor, cursor: stop?.at ?? editor.cursor };
}

function wrap(editor: Editor, width: number): Row[] {
  const room = width - 1;
  const rows: Row[] = [];
  let shown = "";
  let stops: Stop[] = [];
  let column = 0;
  let at = 0;
  const close = () => {
    rows.push({ shown, stops });
    shown = "";
    stops = [];
    column = 0;
  };
  for (const cell of cells(editor, room)) {
    if (column + cell.columns > room && column > 0) close();
    stops.push({ at, column });
    at += cell.text.length;
    if (cell.text === "\n") {
      close();
      continue;
    }
    shown += cell.shown;
    column += cell.columns;
  }
  stops.push({ at, column });
  close();
  return rows;
}

/** The cells of a text, what is held as its label. */
function cells({ text, held }: Editor, room: number): Cell[] {
  return splitAtMarks(text).flatMap((part) => {
    const thing = heldBy(part, held);
    if (!thing) return cellsOf(part);
    const shown = cutToWidth(labelOf(thing), room, true);
    return [{ text: part, shown, columns: columnsOf(shown) }];
  });
}
