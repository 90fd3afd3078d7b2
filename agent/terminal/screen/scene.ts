import type { View } from "../render/view.ts";
import { cutToWidth } from "../render/columns.ts";
import { visibleLine } from "../visible.ts";
import { editorRows } from "./editor_rows.ts";
import type { Input } from "./input.ts";
import type { Frame } from "./live_region.ts";
import type { Modal } from "./modal.ts";
import { popupRows } from "./popup.ts";

/** Columns before the text of the line: a mark and a space. */
const MARGIN = 2;

/** From so many rows on, one is left empty above the line. */
const AIRY_ROWS = 12;

/** All that the end of the terminal shows, from top to bottom. */
export interface Scene {
  /** What grows while the agent works: as many of its last rows are shown as there is room for. */
  readonly growing: (view: View, most: number) => readonly string[];
  /** What was typed and waits, a line each. */
  readonly waiting: readonly string[];
  /** What goes on, with its time; undefined: nothing. */
  readonly activity: string | undefined;
  /** A question, in place of the line. */
  readonly modal: Modal | undefined;
  readonly input: Input;
  readonly status: string;
}

/** Columns for the text of the line in a terminal of this width. */
export function editorWidth({ width }: Pick<View, "width">): number {
  return Math.max(2, width - MARGIN);
}

/**
 * The frame of at most `rows` rows. What a person types or is asked comes first, then what is told;
 * a terminal of one row shows the line alone. Pure.
 */
export function composeFrame(scene: Scene, view: View, rows: number): Frame {
  const foot = rows > 2 ? [scene.status] : [];
  const room = rows - foot.length;
  const core = scene.modal
    ? scene.modal.frame(view, Math.max(1, room - 1))
    : lineFrame(scene.input, view, Math.max(1, Math.min(room, Math.ceil(rows / 2))));
  const list = scene.modal ? [] : listRows(scene.input, view, room - core.rows.length);
  const gap = rows >= AIRY_ROWS ? [""] : [];
  const told = [
    ...gap,
    ...waitingRows(scene.waiting, view),
    // Who is asked sees the question alone: everything waits for them.
    ...(scene.activity === undefined || scene.modal ? [] : [scene.activity]),
  ].slice(0, Math.max(0, room - core.rows.length - list.length));
  const left = room - core.rows.length - list.length - told.length;
  const growing = left > 0 && !scene.modal ? scene.growing(view, left).slice(-left) : [];
  const above = [...growing, ...told];
  return {
    rows: [...above, ...core.rows, ...list, ...foot],
    cursor: core.cursor && { ...core.cursor, row: core.cursor.row + above.length },
  };
}

/** The rows around the cursor of a text that may be longer than there is room for. */
export function lineFrame({ editor }: Input, view: View, most: number): Frame {
  const { rows, cursor } = editorRows(editor, editorWidth(view));
  const first = Math.max(0, Math.min(cursor.row - Math.floor(most / 2), rows.length - most));
  const shown = rows.slice(first, first + most);
  const marked = shown.map((row, index) =>
    `${first + index === 0 ? view.style.bold(">") : " "} ${row.shown}`.trimEnd()
  );
  // An empty line keeps the blank behind its mark: the cursor stands there.
  return {
    rows: marked,
    cursor: { row: cursor.row - first, column: cursor.column + MARGIN },
  };
}

function listRows({ popup }: Input, view: View, room: number): string[] {
  return popup && room > 1 ? popupRows(popup, view, room - 1) : [];
}

/** The latest last; of many, the count stands for the first. */
function waitingRows(waiting: readonly string[], { width, style }: View): string[] {
  const shown = waiting.slice(-MAX_WAITING);
  const hidden = waiting.length - shown.length;
  const before = hidden === 1 ? "1 more waits" : `${hidden} more wait`;
  const lines = hidden > 0 ? [`${before} before these`, ...shown] : shown;
  return lines.map((line) => style.dim(cutToWidth(visibleLine(line), width, style.unicode)));
}

/** Waiting lines that are shown. */
const MAX_WAITING = 4;

/** Groups of rows, one empty row before each. Pure. */
export function apart(groups: readonly (readonly string[])[]): string[] {
  return groups.filter(({ length }) => length > 0)
    .flatMap((group) => group[0] === "" ? group : ["", ...group]);
}
