import type { Paint } from "../style.ts";
import { visibleLine } from "../visible.ts";
import { columnsOf, graphemesOf } from "./columns.ts";

/** A piece of text and how it is marked up. A line feed in it is a line break. */
export interface Span {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

/** One character as a person sees it, with its markup. */
interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly paint: Paint | undefined;
}

/** Text wrapped at spaces to lines of at most `width` columns; longer words are broken. */
export function wrapSpans(spans: readonly Span[], width: number): string[] {
  return linesOf(cellsOf(spans), width).map(paintLine);
}

/** Text broken to lines of at most `width` columns wherever they are full: nothing is lost. */
export function breakSpans(spans: readonly Span[], width: number): string[] {
  const lines: Cell[][] = [[]];
  let used = 0;
  for (const cell of cellsOf(spans)) {
    if (used + cell.columns > width && used > 0) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(cell);
    used += cell.columns;
  }
  return lines.map(paintLine);
}

/** The columns of the longest line where nothing is wrapped. */
export function spansWidth(spans: readonly Span[]): number {
  const lines = spans.map(({ text }) => text).join("").split("\n");
  return Math.max(...lines.map(columnsOf));
}

/** What is one character over the border of two spans stays one, with the markup of its beginning. */
function cellsOf(spans: readonly Span[]): Cell[] {
  const owners = spans.filter(({ text }) => text !== "");
  const all = owners.map(({ text }) => text).join("");
  const cells: Cell[] = [];
  let owner = 0;
  let ownedTo = owners[0]?.text.length ?? 0;
  let at = 0;
  for (const text of graphemesOf(all)) {
    while (at >= ownedTo && owner < owners.length - 1) {
      ownedTo += owners[++owner]?.text.length ?? 0;
    }
    const drawn = drawnFor(text);
    cells.push({ text: drawn, columns: columnsOf(drawn), paint: owners[owner]?.paint });
    at += text.length;
  }
  return cells;
}

/**
 * Where a tab stop lies nobody can say inside wrapped text. What acts on a terminal is shown, from
 * wherever it came: readers of markup make characters of their numbers.
 */
function drawnFor(text: string): string {
  if (text === "\n") return text;
  if (text === "\t") return " ";
  return /\p{Cc}|\p{Bidi_Control}/u.test(text) ? visibleLine(text) : text;
}

function linesOf(cells: readonly Cell[], width: number): Cell[][] {
  const filler = new LineFiller(width);
  for (const cell of cells) filler.take(cell);
  return filler.finish();
}

/** Fills lines word by word. */
class LineFiller {
  readonly #width: number;
  readonly #lines: Cell[][] = [];
  #line: Cell[] = [];
  #lineColumns = 0;
  /** Spaces since the last word; they are dropped where the line ends. */
  #gap: Cell[] = [];
  #word: Cell[] = [];
  #wordColumns = 0;

  constructor(width: number) {
    this.#width = width;
  }

  take(cell: Cell): void {
    if (cell.text === "\n") return this.#breakLine();
    if (cell.text === " ") {
      this.#placeWord();
      this.#gap.push(cell);
      return;
    }
    // Chinese, Japanese and Korean have no spaces: lines may break before and after any of theirs.
    if (cell.columns > 1) this.#placeWord();
    this.#word.push(cell);
    this.#wordColumns += cell.columns;
    if (cell.columns > 1) this.#placeWord();
  }

  finish(): Cell[][] {
    this.#breakLine();
    return this.#lines;
  }

  #breakLine(): void {
    this.#placeWord();
    this.#nextLine();
  }

  #nextLine(): void {
    this.#lines.push(this.#line);
    this.#line = [];
    this.#lineColumns = 0;
    this.#gap = [];
  }

  #placeWord(): void {
    if (this.#word.length === 0) return;
    const needed = this.#lineColumns + this.#gap.length + this.#wordColumns;
    if (needed > this.#width && (this.#line.length > 0 || this.#gap.length > 0)) {
      if (this.#line.length > 0) this.#nextLine();
      this.#gap = [];
    }
    for (const cell of [...this.#gap, ...this.#word]) {
      if (this.#lineColumns + cell.columns > this.#width && this.#line.length > 0) this.#nextLine();
      this.#line.push(cell);
      this.#lineColumns += cell.columns;
    }
    this.#gap = [];
    this.#word = [];
    this.#wordColumns = 0;
  }
}

/** Neighbours of the same markup are marked up together. */
function paintLine(cells: readonly Cell[]): string {
  let line = "";
  for (let at = 0; at < cells.length;) {
    const paint = cells[at]?.paint;
    let text = "";
    for (; at < cells.length && cells[at]?.paint === paint; at++) text += cells[at]?.text ?? "";
    line += paint ? paint(text) : text;
  }
  return line;
}
