/** Lines that are kept of a page's console and requests; older ones go. */
const MAX_LINES = 200;

/** Of one line, in UTF-16 units. */
const MAX_CHARS = 500;

/** The last lines of something that may say much. */
export class RecentLines {
  readonly #lines: string[] = [];
  #dropped = 0;

  add(line: string): void {
    const one = line.replaceAll(/\s+/g, " ");
    this.#lines.push(one.length <= MAX_CHARS ? one : `${one.slice(0, MAX_CHARS).toWellFormed()}…`);
    if (this.#lines.length <= MAX_LINES) return;
    this.#lines.shift();
    this.#dropped++;
  }

  /** All that is kept, a line each; `nothing` where there is none. */
  text(nothing: string): string {
    if (this.#lines.length === 0) return nothing;
    const dropped = this.#dropped === 0 ? [] : [`(${this.#dropped} earlier ones are not kept)`];
    return [...dropped, ...this.#lines].join("\n");
  }
}
