import { columnsOf, graphemesOf } from "../../agent/terminal/render/columns.ts";

/**
 * A terminal as far as the screen of the program uses one: what is written to it, and what a person
 * then sees and can scroll back to. It throws at a sequence that it does not know; what clears the
 * screen at once is none, since terminals differ in what they keep of it.
 */
export class ScreenEmulator {
  readonly #columns: number;
  readonly #rows: number;
  #lines: string[] = [""];
  /** Row of the cursor among all lines, those that have scrolled away included. */
  #row = 0;
  #column = 0;
  #saved = { row: 0, column: 0 };

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
  }

  /** All lines, blanks at their ends cut, without the empty ones at the end. */
  get lines(): string[] {
    const lines = this.#lines.map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  /** Where the cursor stands, its row counted from the first line. */
  get cursor(): { row: number; column: number } {
    return { row: this.#row, column: this.#column };
  }

  write(text: string): void {
    // deno-lint-ignore no-control-regex -- this is what is written to terminals
    for (const part of text.match(/\x1b(?:\[[?>0-9;]*[A-Za-z]|[78])|\r|\n|[^\x1b\r\n]+/g) ?? []) {
      if (part === "\r") this.#column = 0;
      else if (part === "\n") this.#down();
      else if (part === "\x1b7") this.#saved = this.cursor;
      else if (part === "\x1b8") ({ row: this.#row, column: this.#column } = this.#saved);
      else if (part.startsWith("\x1b")) this.#obey(part);
      else for (const character of graphemesOf(part)) this.#put(character);
    }
  }

  get #top(): number {
    return Math.max(0, this.#lines.length - this.#rows);
  }

  #down(): void {
    this.#row++;
    if (this.#row === this.#lines.length) this.#lines.push("");
  }

  #put(character: string): void {
    const width = columnsOf(character);
    if (this.#column + width > this.#columns) {
      this.#column = 0;
      this.#down();
    }
    const line = this.#lines[this.#row] ?? "";
    const head = line + " ".repeat(Math.max(0, this.#column - columnsOf(line)));
    this.#lines[this.#row] = cut(head, 0, this.#column) + character +
      cut(line, this.#column + width, Infinity);
    this.#column += width;
  }

  #obey(sequence: string): void {
    // deno-lint-ignore no-control-regex -- this is what is written to terminals
    const [, parameters = "", final = ""] = /^\x1b\[([?>0-9;]*)([A-Za-z])$/.exec(sequence) ?? [];
    const count = Number(parameters) || 1;
    switch (final) {
      case "A":
        this.#row = Math.max(this.#top, this.#row - count);
        return;
      case "B":
        this.#row = Math.min(this.#lines.length - 1, this.#row + count);
        return;
      case "C":
        this.#column = Math.min(this.#columns - 1, this.#column + count);
        return;
      case "K":
        if (parameters !== "2") break;
        this.#lines[this.#row] = "";
        return;
      case "h":
      case "l":
      case "m":
        return;
    }
    throw new Error(`The emulator does not know ${JSON.stringify(sequence)}`);
  }
}

function cut(line: string, from: number, to: number): string {
  let column = 0;
  let kept = "";
  for (const character of graphemesOf(line)) {
    if (column >= from && column < to) kept += character;
    column += columnsOf(character);
  }
  return kept;
}
