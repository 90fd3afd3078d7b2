import { columnsOf } from "../render/columns.ts";

/** What is to stand at the end of the terminal. */
export interface Frame {
  /** At least one, at most as many as the terminal has, each of at most the width; styled. */
  readonly rows: readonly string[];
  /** Undefined hides the cursor. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

// Synchronised output: a terminal that knows it shows all that comes in between at once.
const BEGIN = "\x1b[?2026h\x1b[?25l";
const END = "\x1b[?2026l";
const SHOW_CURSOR = "\x1b[?25h";
/** Lines are cleared before they are written: behind a full one, it would take its last column. */
const CLEAR_LINE = "\x1b[2K";
const CLEAR_BELOW = "\x1b[J";

/**
 * The rows at the end of the terminal that are drawn again and again; what is finished is written
 * above them and scrolls away for good. It makes the text that a terminal obeys, and writes nothing.
 */
export class LiveRegion {
  #rows: readonly string[] = [];
  /** Where the cursor was left. */
  #row = 0;
  #column = 0;

  /** The text that writes finished lines, as long as they like, and draws the frame below. */
  draw(finished: readonly string[], frame: Frame): string {
    const text = finished.length > 0
      ? this.#drawBelow(finished, frame.rows)
      : this.#drawChanges(frame.rows);
    return `${BEGIN}${text}${this.#place(frame)}${END}`;
  }

  /** The text that takes the region away, so that what follows is written in its place. */
  clear(): string {
    const text = `${BEGIN}${up(this.#row)}\r${CLEAR_BELOW}${SHOW_CURSOR}${END}`;
    this.#rows = [];
    this.#row = 0;
    this.#column = 0;
    return text;
  }

  /**
   * The same after the terminal has got another width: it has broken the longer rows into several.
   * One that has not (xterm) loses as many lines above.
   */
  clearAfterResize(width: number): string {
    const above = this.#rows.slice(0, this.#row);
    this.#row = above.reduce((sum, row) => sum + heightOf(row, width), 0) +
      Math.floor(this.#column / width);
    return this.clear();
  }

  #drawBelow(finished: readonly string[], rows: readonly string[]): string {
    const above = finished.map((line) => `${line}\r\n`).join("");
    const text = `${up(this.#row)}\r${CLEAR_BELOW}${above}${rows.join("\r\n")}`;
    this.#row = Math.max(0, rows.length - 1);
    return text;
  }

  /** Only rows that differ are written. */
  #drawChanges(rows: readonly string[]): string {
    const old = this.#rows;
    const length = Math.max(rows.length, old.length);
    const first = indices(length).find((index) => rows[index] !== old[index]);
    if (first === undefined) return "";
    // The row to begin on may be one that the terminal has yet to make.
    const start = Math.min(first, Math.max(0, old.length - 1));
    const shrinks = rows.length < old.length;
    const lines = rows.slice(start).map((row, index) =>
      shrinks || row !== old[start + index] ? `${shrinks ? "" : CLEAR_LINE}${row}` : ""
    );
    const text = `${move(start - this.#row)}\r${shrinks ? CLEAR_BELOW : ""}${lines.join("\r\n")}`;
    this.#row = start + Math.max(0, lines.length - 1);
    return text;
  }

  #place({ rows, cursor }: Frame): string {
    const target = cursor ?? { row: rows.length - 1, column: 0 };
    const right = target.column > 0 ? `\x1b[${target.column}C` : "";
    const text = `${move(target.row - this.#row)}\r${right}${cursor ? SHOW_CURSOR : ""}`;
    this.#rows = rows;
    this.#row = target.row;
    this.#column = target.column;
    return text;
  }
}

function heightOf(row: string, width: number): number {
  return Math.max(1, Math.ceil(columnsOf(row) / width));
}

function indices(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function move(rows: number): string {
  return rows > 0 ? `\x1b[${rows}B` : up(-rows);
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}
