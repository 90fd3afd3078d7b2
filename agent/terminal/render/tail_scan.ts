/** What the lines at the end of a Markdown text say about it, each looked at once. */
export class TailScan {
  /** Where the line begins that is not complete, and from where its end is looked for. */
  #lineStart = 0;
  #searchFrom = 0;
  /** What ends the code block that the text begins with. */
  #closing: RegExp | undefined;
  #isAfterBlank = false;

  /** The text begins with a code block whose end has not come. */
  isCode = false;
  /** Where the code of it begins, and the word after its fence. */
  codeStart = 0;
  info = "";
  /** Where the code block ends that the text begins with, the end of its line included. */
  codeEnd: number | undefined;
  /** A line at the margin has followed an empty one: it goes on with no list, quote or table. */
  breaksOut = false;

  /** Up to where the text is whole lines that were looked at. */
  get wholeTo(): number {
    return this.#lineStart;
  }

  /** Looks at the lines that have become complete; `text` is the one of before with more at its end. */
  walk(text: string): void {
    for (;;) {
      if (this.codeEnd !== undefined) return;
      const end = text.indexOf("\n", this.#searchFrom);
      if (end < 0) break;
      this.#take(text.slice(this.#lineStart, end), end + 1);
    }
    this.#searchFrom = text.length;
  }

  #take(line: string, next: number): void {
    if (this.#lineStart === 0) this.#takeFirst(line, next);
    else if (this.isCode) {
      if (this.#closing?.test(line)) {
        this.codeEnd = next;
        this.isCode = false;
      }
    } else if (this.#isAfterBlank && /^[^\s\-*+>|\d]/.test(line)) this.breaksOut = true;
    this.#isAfterBlank = line.trim() === "";
    this.#lineStart = next;
    this.#searchFrom = next;
  }

  #takeFirst(line: string, next: number): void {
    const [, mark, info = ""] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? [];
    if (mark === undefined) return;
    this.isCode = true;
    this.codeStart = next;
    this.info = info.trim();
    // As marked has it: a closing fence may be longer.
    this.#closing = new RegExp(`^ {0,3}${mark}[~\`]* *$`);
  }
}
