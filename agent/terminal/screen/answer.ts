import { type Block, linesOf } from "../render/blocks.ts";
import { columnsOf, graphemesOf } from "../render/columns.ts";
import { type MarkdownView, renderMarkdown } from "../render/markdown.ts";
import { MarkdownStream } from "../render/markdown_stream.ts";

/** The model's answer while it comes: what is settled is printed, the rest stands in the frame. */
export class Answer {
  #stream = new MarkdownStream();
  #pushed = false;

  /** Whether something has come since the last end. */
  get isOpen(): boolean {
    return this.#pushed;
  }

  /** The next piece; the lines that are final with it. */
  push(delta: string, view: MarkdownView): string[] {
    this.#pushed = true;
    this.#stream.push(delta);
    return linesOf(this.#stream.take(view));
  }

  /** The last rows of what is not final, at most `most`. */
  rows(view: MarkdownView, most: number): string[] {
    if (!this.#pushed || most <= 0) return [];
    const rows = this.#stream.open(view, most).flatMap((block) => rowsOf(block, view.width));
    return rows.slice(-most);
  }

  /** The answer is whole; its last lines. */
  end(view: MarkdownView): string[] {
    const lines = linesOf(this.#stream.end(view));
    this.drop();
    return lines;
  }

  /** A text that is whole already. */
  whole(markdown: string, view: MarkdownView): string[] {
    return linesOf(renderMarkdown(markdown, view));
  }

  /** The answer was given up: what is not final goes. */
  drop(): void {
    this.#stream = new MarkdownStream();
    this.#pushed = false;
  }
}

/** Lines of code may be wider than a terminal, which would break them; a frame must know its rows. */
function rowsOf({ kind, lines }: Block, width: number): string[] {
  if (kind === "text") return [...lines];
  return lines.flatMap((line) => columnsOf(line) <= width ? [line] : broken(line, width));
}

/** Open code has no markup, so it may be broken anywhere. */
function broken(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = "";
  let columns = 0;
  for (const character of graphemesOf(line)) {
    const more = columnsOf(character);
    if (columns + more > width) {
      rows.push(row);
      row = "";
      columns = 0;
    }
    row += character;
    columns += more;
  }
  return [...rows, row];
}
