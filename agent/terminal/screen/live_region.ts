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
const SAVE_CURSOR = "\x1b7";
const RESTORE_CURSOR = "\x1b8";
const SHOW_CURSOR = "\x1b[?25h";
/**
 * Rows are cleared one by one, before they are written: behind a full one it would take its last
 * column, and what clears the rest of the screen at once makes tmux keep it, when it is all of it.
 */
const CLEAR_LINE = "\x1b[2K";

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
    return `${BEGIN}${this.#erase(this.#rows.length)}${SHOW_CURSOR}${END}`;
  }

  /**
   * The same after the terminal has got another width: it has broken the longer rows into several.
   * One that has not (xterm) loses as many lines above.
   */
  clearAfterResize(width: number): string {
    const heights = this.#rows.map((row) => heightOf(row, width));
    this.#row = sum(heights.slice(0, this.#row)) + Math.floor(this.#column / width);
    return `${BEGIN}${this.#erase(sum(heights))}${SHOW_CURSOR}${END}`;
  }

  /** Clears so many rows from the first on, where the cursor ends. */
  #erase(rows: number): string {
    const lines = Array.from({ length: rows }, () => CLEAR_LINE);
    // A terminal that was made lower may have fewer of them, so the way back is not counted.
    const text = `${up(this.#row)}\r${SAVE_CURSOR}${lines.join("\x1b[1B")}${RESTORE_CURSOR}`;
    this.#rows = [];
    this.#row = 0;
    this.#column = 0;
    return text;
  }

  #drawBelow(finished: readonly string[], rows: readonly string[]): string {
    const above = finished.map((line) => `${line}\r\n`).join("");
    const text = `${this.#erase(this.#rows.length)}${above}${rows.join("\r\n")}`;
    this.#row = Math.max(0, rows.length - 1);
    return text;
  }

  /** Only rows that differ are written; those that are no more are left empty. */
  #drawChanges(rows: readonly string[]): string {
    const old = this.#rows;
    const length = Math.max(rows.length, old.length);
    const first = indices(length).find((index) => rows[index] !== old[index]);
    if (first === undefined) return "";
    // The row to begin on may be one that the terminal has yet to make.
    const start = Math.min(first, Math.max(0, old.length - 1));
    const lines = indices(length).slice(start).map((index) =>
      rows[index] === old[index] ? "" : `${CLEAR_LINE}${rows[index] ?? ""}`
    );
    const text = `${move(start - this.#row)}\r${lines.join("\r\n")}`;
    this.#row = start + lines.length - 1;
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
