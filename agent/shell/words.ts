import type { SyntaxNode } from "./syntax.ts";
import type { Finding } from "./classification.ts";

/** A stretch of a word: text after quote removal, or an expansion that only the shell can do. */
export type Piece =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | Hole;

/** An expansion in a word. */
export interface Hole {
  readonly kind: "hole";
  readonly node: SyntaxNode;
  /** Its text in the script, with the `$`. */
  readonly source: string;
  readonly quoted: boolean;
}

/** One word of a command, at `start` to `end` in the script. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

/** One redirection: `2>file` is descriptor `2`, operator `>` and target `file`. */
export interface Redirect {
  readonly start: number;
  readonly descriptor: string;
  readonly operator: string;
  readonly target: Word | undefined;
}

/** A simple command taken apart as bash does it, without expanding anything. */
export interface Command {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** The first thing in it that has no place in plain words; then the words may be wrong. */
  readonly trouble?: Finding;
}

/** A backslash before one of these in double quotes is removed. */
const ESCAPABLE_IN_STRING = '$`"\\';

/** A redirection's descriptor and operator. */
const REDIRECT = /([0-9]*)(<<<|<>|<&|>&|>>|>\||<|>)|(&>>|&>)/y;

/**
 * Takes the text from `start` to `end` apart. `holes` are the expansions that the grammar found in
 * it; everything else is read here, so that a word never means less than its text.
 */
export function readCommand(
  script: string,
  start: number,
  end: number,
  holes: readonly SyntaxNode[],
): Command {
  return new Reader(script, start, end, holes).read();
}

class Reader {
  readonly #script: string;
  readonly #end: number;
  readonly #holes: ReadonlyMap<number, SyntaxNode>;
  #at: number;
  #trouble: Finding | undefined;

  constructor(script: string, start: number, end: number, holes: readonly SyntaxNode[]) {
    this.#script = script;
    this.#at = start;
    this.#end = end;
    this.#holes = new Map(holes.map((hole) => [hole.start, hole]));
  }

  read(): Command {
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    while (this.#skipBlanks()) {
      const redirect = this.#readRedirect();
      if (redirect) redirects.push(redirect);
      else {
        const word = this.#readWord();
        if (word) words.push(word);
        else this.#skipMetacharacter();
      }
    }
    return { words, redirects, ...(this.#trouble && { trouble: this.#trouble }) };
  }

  get #char(): string {
    return this.#at < this.#end ? this.#script[this.#at] ?? "" : "";
  }

  /** Goes to the next token; false at the end. */
  #skipBlanks(): boolean {
    while (this.#at < this.#end) {
      if (this.#char === " " || this.#char === "\t") this.#at += 1;
      else if (this.#script.startsWith("\\\n", this.#at)) this.#at += 2;
      else return true;
    }
    return false;
  }

  #skipMetacharacter(): void {
    const shown = this.#char === "\n" ? "line break" : `"${this.#char}"`;
    this.#note({ code: "syntax", detail: `unexpected ${shown} in a command` });
    this.#at += 1;
  }

  #note(finding: Finding): void {
    this.#trouble ??= finding;
  }

  #readRedirect(): Redirect | undefined {
    if (this.#holes.has(this.#at)) return undefined;
    REDIRECT.lastIndex = this.#at;
    const match = REDIRECT.exec(this.#script);
    if (match === null || REDIRECT.lastIndex > this.#end) return undefined;
    const start = this.#at;
    this.#at = REDIRECT.lastIndex;
    // `<(` and `>(` that are no hole were not understood as a substitution.
    if (this.#char === "(" && !this.#holes.has(this.#at)) this.#skipMetacharacter();
    this.#skipBlanks();
    const target = this.#readWord();
    const operator = match[2] ?? match[3] ?? "";
    return { start, descriptor: match[1] ?? "", operator, target };
  }

  #readWord(): Word | undefined {
    const start = this.#at;
    const pieces: Piece[] = [];
    while (this.#at < this.#end && this.#readPiece(pieces));
    return this.#at === start ? undefined : { start, end: this.#at, pieces };
  }

  /** Reads one stretch of the word; false where the word ends. */
  #readPiece(pieces: Piece[]): boolean {
    const hole = this.#holes.get(this.#at);
    const char = this.#char;
    if (hole) this.#readHole(hole, pieces, false);
    else if (char === "\\") this.#readEscape(pieces);
    else if (char === "'") pieces.push(this.#readRaw());
    else if (char === '"') this.#readString(pieces);
    else if (this.#script.startsWith("$'", this.#at)) pieces.push(this.#readAnsiC());
    else if (char === "$" || char === "`") this.#readStray(pieces, false);
    else if (/[ \t\n;&|<>()]/.test(char)) return false;
    else pieces.push(this.#readPlain());
    return true;
  }

  #readHole(node: SyntaxNode, pieces: Piece[], quoted: boolean): void {
    const source = this.#script.slice(node.start, node.end);
    pieces.push({ kind: "hole", node, source, quoted });
    this.#at = node.end;
  }

  #readPlain(): Piece {
    const start = this.#at;
    while (this.#at < this.#end && !/[ \t\n;&|<>()\\'"$`]/.test(this.#char)) this.#at += 1;
    return { kind: "text", text: this.#script.slice(start, this.#at), quoted: false };
  }

  #readEscape(pieces: Piece[]): void {
    const text = this.#at + 1 < this.#end ? this.#script[this.#at + 1] ?? "" : "";
    if (text === "") this.#note({ code: "syntax", detail: "a backslash at the end" });
    if (text !== "\n") pieces.push({ kind: "text", text, quoted: true });
    this.#at += 2;
  }

  #readRaw(): Piece {
    const from = this.#at + 1;
    const close = this.#script.indexOf("'", from);
    const end = close < 0 || close >= this.#end ? this.#end : close;
    if (end !== close) this.#note({ code: "syntax", detail: "a quote without its end" });
    this.#at = end + 1;
    return { kind: "text", text: this.#script.slice(from, end), quoted: true };
  }

  #readAnsiC(): Piece {
    this.#note({ code: "expansion", detail: "the quoting $'…' hides what is written" });
    const from = this.#at + 2;
    let end = from;
    while (end < this.#end && this.#script[end] !== "'") end += this.#script[end] === "\\" ? 2 : 1;
    this.#at = end + 1;
    return { kind: "text", text: decodeAnsiC(this.#script.slice(from, end)), quoted: true };
  }

  #readString(pieces: Piece[]): void {
    pieces.push({ kind: "text", text: "", quoted: true });
    this.#at += 1;
    while (this.#at < this.#end && this.#char !== '"') {
      const hole = this.#holes.get(this.#at);
      if (hole) this.#readHole(hole, pieces, true);
      else if (this.#char === "\\") this.#readStringEscape(pieces);
      else if (this.#char === "$" || this.#char === "`") this.#readStray(pieces, true);
      else pieces.push(this.#readStringText());
    }
    if (this.#char !== '"') this.#note({ code: "syntax", detail: "a quote without its end" });
    this.#at += 1;
  }

  #readStringText(): Piece {
    const start = this.#at;
    while (this.#at < this.#end && !/[\\"$`]/.test(this.#char)) this.#at += 1;
    return { kind: "text", text: this.#script.slice(start, this.#at), quoted: true };
  }

  #readStringEscape(pieces: Piece[]): void {
    const next = this.#script[this.#at + 1] ?? "";
    const text = ESCAPABLE_IN_STRING.includes(next) ? next : next === "\n" ? "" : "\\" + next;
    pieces.push({ kind: "text", text, quoted: true });
    this.#at += 2;
  }

  /** A `$` or backtick that the grammar did not take for an expansion. */
  #readStray(pieces: Piece[], quoted: boolean): void {
    const next = this.#script[this.#at + 1] ?? "";
    const translated = !quoted && this.#char === "$" && next === '"';
    const alone = this.#char === "$" && /^[\s"'|)/;:.,%^]?$/.test(next) && !translated;
    if (!alone) this.#note({ code: "expansion", detail: `"${this.#char}${next}" may expand` });
    if (!translated) pieces.push({ kind: "text", text: this.#char, quoted: true });
    this.#at += 1;
  }
}

/** Single-letter escapes of `$'…'` (bash manual, ANSI-C quoting). */
const ANSI_C_ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function decodeAnsiC(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,6})|([0-7]{1,3})|([^]))/g,
    (_, hex?: string, short?: string, long?: string, octal?: string, char?: string) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined) return fromCodePoint(parseInt(digits, 16));
      if (octal !== undefined) return fromCodePoint(parseInt(octal, 8) & 0xff);
      return ANSI_C_ESCAPES[char ?? ""] ?? char ?? "";
    },
  );
}

function fromCodePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
