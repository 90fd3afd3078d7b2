import { type Refusal, refuse } from "./refusal.ts";
import { linesOf, trimBlanks, trimBlanksEnd } from "./text.ts";

/** What a codex patch does to one file. */
export type CodexFile =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
    readonly kind: "update";
    readonly path: string;
    /** The file's new path, where it moves as well. */
    readonly moveTo?: string;
    /** Empty only for a move. */
    readonly hunks: readonly CodexHunk[];
  };

/** One hunk: the anchors that narrow down its place, and its lines. */
export interface CodexHunk {
  readonly anchors: readonly string[];
  readonly lines: readonly CodexLine[];
  /** The block must end the file. */
  readonly atEnd: boolean;
}

/** One line of a hunk, without its sign. */
export interface CodexLine {
  /** `bare` is an empty line of the patch: a blank line of context, or nothing but a gap. */
  readonly kind: "context" | "removed" | "added" | "bare";
  readonly text: string;
}

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const END_OF_FILE = "*** End of File";
const FILE = /^\*\*\* (Add|Delete|Update) File: (.*)$/;
const MOVE = /^\*\*\* Move to: (.*)$/;
/** A unified-diff range behind `@@`, which is no anchor; what follows it is. */
const RANGE = /^-\d+(?:,\d+)? \+\d+(?:,\d+)?(?: @@ ?|[ \t]*$)/;

/** Reads a patch in codex's format; what is not of its grammar is `malformed`, and nothing of it holds. */
export function parseCodex(patch: string): readonly CodexFile[] | Refusal {
  const cursor = new Cursor(linesOf(patch));
  try {
    return readPatch(cursor);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return refuse("malformed", `line ${cursor.line} of the patch: ${error.message}`);
  }
}

/** Ends the reading of a patch; never leaves this file. */
class Malformed extends SyntaxError {}

/** The patch's lines, and how far they are read. */
class Cursor {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Number of the current line, from 1. */
  get line(): number {
    return this.#at + 1;
  }

  get current(): string | undefined {
    return this.#lines[this.#at];
  }

  advance(): void {
    this.#at++;
  }

  skipBlank(): void {
    while (this.current !== undefined && trimBlanks(this.current) === "") this.advance();
  }

  /** Steps over a marker line, when the current line is that one. */
  take(marker: string): boolean {
    const found = this.current !== undefined && trimBlanksEnd(this.current) === marker;
    if (found) this.advance();
    return found;
  }
}

function readPatch(cursor: Cursor): CodexFile[] {
  cursor.skipBlank();
  if (!cursor.take(BEGIN)) throw new Malformed(`"${BEGIN}" must come first`);
  const files: CodexFile[] = [];
  for (;;) {
    cursor.skipBlank();
    if (cursor.take(END)) break;
    files.push(readFile(cursor));
  }
  cursor.skipBlank();
  if (cursor.current !== undefined) throw new Malformed(`text after "${END}"`);
  if (files.length === 0) throw new Malformed("the patch names no file");
  return files;
}

function readFile(cursor: Cursor): CodexFile {
  const [, verb, name] = FILE.exec(cursor.current ?? "") ?? [];
  if (verb === undefined || name === undefined) {
    const wanted = `a line "*** Add, Delete or Update File: PATH" or "${END}"`;
    throw new Malformed(`${wanted} must stand here`);
  }
  const path = pathOf(name);
  cursor.advance();
  switch (verb) {
    case "Add":
      return { kind: "add", path, text: readAdded(cursor) };
    case "Delete":
      return { kind: "delete", path };
    default:
      return readUpdate(cursor, path);
  }
}

function pathOf(name: string): string {
  const path = trimBlanks(name);
  if (path === "") throw new Malformed("the path is missing");
  return path;
}

function readAdded(cursor: Cursor): string {
  let text = "";
  while (cursor.current?.startsWith("+")) {
    text += cursor.current.slice(1) + "\n";
    cursor.advance();
  }
  return text;
}

function readUpdate(cursor: Cursor, path: string): CodexFile {
  const target = MOVE.exec(cursor.current ?? "")?.[1];
  const move = target === undefined ? {} : { moveTo: pathOf(target) };
  if (target !== undefined) cursor.advance();
  const hunks: CodexHunk[] = [];
  for (;;) {
    if (hunks.length > 0 || target !== undefined) cursor.skipBlank();
    if (cursor.current === undefined) throw new Malformed(`"${END}" is missing`);
    if (cursor.current.startsWith("***")) break;
    hunks.push(readHunk(cursor));
  }
  if (hunks.length === 0 && target === undefined) throw new Malformed("the update has no hunk");
  return { kind: "update", path, ...move, hunks };
}

function readHunk(cursor: Cursor): CodexHunk {
  const anchors: string[] = [];
  while (cursor.current?.startsWith("@@")) {
    const anchor = anchorOf(cursor.current);
    if (anchor !== "") anchors.push(anchor);
    cursor.advance();
  }
  const lines: CodexLine[] = [];
  while (cursor.current !== undefined && !/^(?:@@|\*\*\*)/.test(cursor.current)) {
    lines.push(readLine(cursor.current));
    cursor.advance();
  }
  if (lines.length === 0) throw new Malformed("the hunk has no lines");
  return { anchors, lines, atEnd: cursor.take(END_OF_FILE) };
}

/** The text behind `@@`, without a unified-diff range and without a closing `@@`. */
function anchorOf(line: string): string {
  const text = trimBlanksEnd(line.slice(2).replace(/^ /, "").replace(RANGE, ""));
  return trimBlanks(text) === "@@" ? "" : trimBlanksEnd(text.replace(/[ \t]@@$/, ""));
}

function readLine(line: string): CodexLine {
  const text = line.slice(1);
  switch (line[0]) {
    case undefined:
      return { kind: "bare", text: "" };
    case " ":
      return { kind: "context", text };
    case "-":
      return { kind: "removed", text };
    case "+":
      return { kind: "added", text };
    default:
      throw new Malformed(`a hunk's line starts with " ", "+" or "-", not with "${line[0]}"`);
  }
}
