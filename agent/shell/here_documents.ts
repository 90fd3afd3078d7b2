/** A here-document of a script. */
export interface HereDocument {
  /** Offset of its operator's first `<`. */
  readonly operator: number;
  /** Its lines as the command reads them, with the last line break, before any expansion. */
  readonly body: string;
  /** Whether `$` and backticks in the body are expanded: its delimiter has no quotes. */
  readonly expands: boolean;
  /** Offset of the body's first character, and of the end of the delimiter line after it. */
  readonly start: number;
  readonly end: number;
}

/** A script whose here-documents were taken out. */
export interface Lifted {
  /**
   * The script at unchanged length: each `<<WORD` became an input redirection of the same width,
   * and each body became blanks with its line breaks kept. `<>` became `>|`.
   */
  readonly text: string;
  readonly documents: readonly HereDocument[];
  /** Whether a here-document has no end. */
  readonly unfinished: boolean;
  /** Offsets of the line breaks that lie in no quotes, parentheses or bodies. */
  readonly lineBreaks: readonly number[];
}

/** A delimiter that was read and whose body starts at the next line break. */
interface Pending {
  readonly operator: number;
  readonly delimiter: string;
  readonly expands: boolean;
  readonly stripTabs: boolean;
}

/** What the scanner is inside of; `closer` ends it. Only in `script` do `<<` and `#` mean anything. */
interface Context {
  readonly kind: "script" | "string" | "arithmetic" | "parameter";
  readonly opener: string;
  readonly closer: string;
}

const TOP_LEVEL: Context = { kind: "script", opener: "", closer: "" };

/**
 * Takes the here-documents out of `script` as bash finds them. The grammar has its own idea of odd
 * delimiters (`E"O"F`, `\EOF`, `EOF;`), and a wrong idea hides the commands that follow.
 */
export function liftHereDocuments(script: string): Lifted {
  return new Scanner(script).scan();
}

class Scanner {
  readonly #script: string;
  readonly #stack: Context[] = [TOP_LEVEL];
  readonly #documents: HereDocument[] = [];
  #pending: Pending[] = [];
  #edits: { start: number; end: number; text: string }[] = [];
  readonly #lineBreaks: number[] = [];
  #unfinished = false;
  #at = 0;

  constructor(script: string) {
    this.#script = script;
  }

  scan(): Lifted {
    while (this.#at < this.#script.length) this.#step();
    const unfinished = this.#unfinished || this.#pending.length > 0;
    const text = this.#edited();
    return { text, documents: this.#documents, unfinished, lineBreaks: this.#lineBreaks };
  }

  get #context(): Context {
    return this.#stack.at(-1) ?? TOP_LEVEL;
  }

  #step(): void {
    PLAIN.lastIndex = this.#at;
    if (PLAIN.test(this.#script)) this.#at = PLAIN.lastIndex;
    const { kind, closer } = this.#context;
    const char = this.#script[this.#at] ?? "";
    if (char === "\\") this.#at += 2;
    else if (closer !== "" && this.#script.startsWith(closer, this.#at)) this.#leave(closer);
    else if (this.#enter(kind)) return;
    else if (kind === "script" && char === "#" && this.#startsWord()) this.#skipComment();
    else if (kind === "script" && char === "\n") this.#readBodies();
    else if (kind === "script" && this.#script.startsWith("<>", this.#at)) this.#readBothWays();
    else if (kind === "script" && this.#script.startsWith("<<<", this.#at)) this.#at += 3;
    else if (kind === "script" && this.#script.startsWith("<<", this.#at)) this.#readOperator();
    else this.#at += 1;
  }

  #leave(closer: string): void {
    // A subshell's body may follow its parenthesis; a substitution's may not.
    if (this.#context.opener === "$(" && this.#pending.length > 0) this.#unfinished = true;
    this.#stack.pop();
    this.#at += closer.length;
  }

  /** Goes into a nested context that starts here; true when there was one. */
  #enter(kind: Context["kind"]): boolean {
    const rest = this.#script.slice(this.#at, this.#at + 3);
    if (rest.startsWith("'") && kind !== "string" && kind !== "arithmetic") {
      return this.#skipTo("'", this.#at + 1);
    }
    if (rest.startsWith("$'") && kind !== "string") return this.#skipAnsiC();
    const opening = OPENINGS.find(({ opener, within }) =>
      rest.startsWith(opener) && (within === undefined || within === kind)
    );
    if (opening === undefined) return false;
    this.#stack.push(opening);
    this.#at += opening.opener.length;
    return true;
  }

  #skipTo(closer: string, from: number): true {
    const end = this.#script.indexOf(closer, from);
    this.#at = end < 0 ? this.#script.length : end + closer.length;
    return true;
  }

  #skipAnsiC(): true {
    this.#at += 2;
    while (this.#at < this.#script.length && this.#script[this.#at] !== "'") {
      this.#at += this.#script[this.#at] === "\\" ? 2 : 1;
    }
    this.#at += 1;
    return true;
  }

  #startsWord(): boolean {
    return this.#at === 0 || " \t\n;|&()<>".includes(this.#script[this.#at - 1] ?? "");
  }

  #skipComment(): void {
    const end = this.#script.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#script.length : end;
  }

  /** The grammar does not know `<>`; `>|` stands in, which writes as well. */
  #readBothWays(): void {
    this.#edit(this.#at, this.#at + 2, ">|");
    this.#at += 2;
  }

  #readOperator(): void {
    const match = OPERATOR.exec(this.#script.slice(this.#at, this.#at + MAX_DELIMITER));
    const [all, dash = "", word = ""] = match ?? [];
    if (all === undefined) {
      this.#unfinished = true;
      this.#at += 2;
      return;
    }
    this.#pending.push({
      operator: this.#at,
      delimiter: unquote(word),
      expands: !/['"\\]/.test(word),
      stripTabs: dash === "-",
    });
    this.#edit(this.#at, this.#at + all.length, "<" + "_".repeat(all.length - 1));
    this.#at += all.length;
  }

  #readBodies(): void {
    if (this.#stack.length === 1 && this.#pending.length === 0) this.#lineBreaks.push(this.#at);
    this.#at += 1;
    for (const pending of this.#pending) this.#readBody(pending);
    this.#pending = [];
  }

  #readBody({ operator, delimiter, expands, stripTabs }: Pending): void {
    const start = this.#at;
    let body = "";
    for (let at = start; at < this.#script.length;) {
      const { text, end } = this.#readLine(at, expands, stripTabs);
      if (text === delimiter) {
        this.#documents.push({ operator, body, expands, start, end });
        this.#edit(start, end, this.#script.slice(start, end).replace(/[^\n]/g, " "));
        this.#at = Math.min(end + 1, this.#script.length);
        return;
      }
      body += text + "\n";
      at = end + 1;
    }
    this.#unfinished = true;
  }

  /** The body line at `from`; where the body expands, a backslash joins it with the next one. */
  #readLine(from: number, expands: boolean, stripTabs: boolean): { text: string; end: number } {
    let text = "";
    for (let at = from;;) {
      const newline = this.#script.indexOf("\n", at);
      const end = newline < 0 ? this.#script.length : newline;
      const line = this.#script.slice(at, end);
      text += stripTabs ? line.replace(/^\t+/, "") : line;
      const joins = expands && newline >= 0 && /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
      if (!joins) return { text, end };
      text = text.slice(0, -1);
      at = end + 1;
    }
  }

  #edit(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }

  #edited(): string {
    let text = "";
    let at = 0;
    for (const edit of this.#edits.toSorted((a, b) => a.start - b.start)) {
      text += this.#script.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + this.#script.slice(at);
  }
}

/** Characters that start and end nothing, whatever they stand in. */
const PLAIN = /[^\\'"$#\n<()[\]{}]+/y;

/** Longest operator with its delimiter, in characters. */
const MAX_DELIMITER = 200;

/** `<<` or `<<-`, blanks, and a word that may be quoted in any way within its line. */
const OPERATOR = /^<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n$`\\]*"|\\[^\n]|[^\s'"\\$`;|&()<>])+)/;

/** What opens a context, longest first; `within` names the only context that it opens in. */
const OPENINGS: readonly (Context & { within?: Context["kind"] })[] = [
  { opener: "$((", kind: "arithmetic", closer: "))" },
  { opener: "$(", kind: "script", closer: ")" },
  { opener: "${", kind: "parameter", closer: "}" },
  { opener: "$[", kind: "arithmetic", closer: "]" },
  { opener: "((", kind: "arithmetic", closer: "))", within: "script" },
  { opener: "(", kind: "script", closer: ")", within: "script" },
  { opener: "(", kind: "arithmetic", closer: ")", within: "arithmetic" },
  { opener: "[", kind: "arithmetic", closer: "]", within: "arithmetic" },
  { opener: '"', kind: "string", closer: '"', within: "script" },
  { opener: '"', kind: "string", closer: '"', within: "parameter" },
];

/** A delimiter's text: what is left of the word after quote removal. */
function unquote(word: string): string {
  return word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, raw, double, char) => {
    return raw ?? double ?? char ?? "";
  });
}
