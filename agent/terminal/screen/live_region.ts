import { columnsOf } from "../render/columns.ts";

/** What is to stand at the end of the terminal. */
export interface Frame {
  /** Rows of at most the width, styled; fewer than the terminal has. */
  readonly rows: readonly string[];
  /** Undefined hides the cursor. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

const BEGIN = "\x1b[?2026h\x1b[?25l";
const END = "\x1b[?2026l";
const SHOW_CURSOR = "\x1b[?25h";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";

/**
 * The rows at the end of the terminal that are drawn again and again; what is finished is written
 * above them and scrolls away for good. It makes the text that a terminal obeys, and writes nothing.
 */
export class LiveRegion {
  #rows: readonly string[] = [];
  /** Where the cursor was left, in rows from the first. */
  #at = 0;
  #column = 0;

  /** The text that writes finished lines, as long as they like, and draws the frame below. */
  draw(finished: readonly string[], frame: Frame): string {
    const changed = this.#rows.findIndex((row, index) => row !== frame.rows[index]);
    const same = changed < 0 ? this.#rows.length : changed;
    // What has not changed above the first change is passed over.
    const first = finished.length > 0 ? 0 : Math.min(same, frame.rows.length);
    const text = up(this.#at) + "\r" +
      finished.map((line) => `${line}${CLEAR_LINE}\r\n`).join("") +
      "\n".repeat(first === frame.rows.length ? Math.max(0, first - 1) : first) +
      drawRows(frame.rows, first);
    return `${BEGIN}${text}${this.#place(frame)}${END}`;
  }

  /** The text that takes the region away, so that what follows is written in its place. */
  clear(): string {
    const text = `${BEGIN}${up(this.#at)}\r${CLEAR_BELOW}${SHOW_CURSOR}${END}`;
    this.#forget();
    return text;
  }

  /**
   * The same after the terminal has another width: it has broken the longer rows into several, and
   * where it has not, a line above may be lost.
   */
  clearAfterResize(width: number): string {
    const heights = this.#rows.slice(0, this.#at).map((row) => heightOf(row, width));
    this.#at = heights.reduce((sum, height) => sum + height, 0) + Math.floor(this.#column / width);
    return this.clear();
  }

  #place({ rows, cursor }: Frame): string {
    this.#rows = rows;
    this.#at = cursor?.row ?? Math.max(0, rows.length - 1);
    this.#column = cursor?.column ?? 0;
    if (!cursor) return "";
    const right = cursor.column > 0 ? `\x1b[${cursor.column}C` : "";
    return `${up(rows.length - 1 - cursor.row)}\r${right}${SHOW_CURSOR}`;
  }

  #forget(): void {
    this.#rows = [];
    this.#at = 0;
    this.#column = 0;
  }
}

/** The rows from `first` on; the cursor ends on the last. */
function drawRows(rows: readonly string[], first: number): string {
  if (first === rows.length) return "";
  return `${rows.slice(first).map((row) => `${row}${CLEAR_LINE}`).join("\r\n")}${CLEAR_BELOW}`;
}

function heightOf(row: string, width: number): number {
  return Math.max(1, Math.ceil(columnsOf(row) / width));
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}
