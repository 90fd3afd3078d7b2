/** One line of a unified diff, with the numbers that it has in the two texts, from 1. */
export type DiffRow =
  | { readonly kind: "same"; readonly old: number; readonly fresh: number; readonly text: string }
  | { readonly kind: "removed"; readonly old: number; readonly text: string }
  | { readonly kind: "added"; readonly fresh: number; readonly text: string }
  /** Lines are left out before what follows. */
  | { readonly kind: "gap" }
  /** The line before it does not end with a line end. */
  | { readonly kind: "unterminated" }
  /** A line that is none of a diff. */
  | { readonly kind: "other"; readonly line: string };

/** What a unified diff says of one file. */
export interface FileDiff {
  /** Undefined where the file is made. */
  readonly old: string | undefined;
  /** Undefined where it is removed. */
  readonly fresh: string | undefined;
  readonly rows: readonly DiffRow[];
  /** What is said instead of rows, of a binary file. */
  readonly note?: string;
}

interface OpenFile {
  old: string | undefined;
  fresh: string | undefined;
  rows: DiffRow[];
  note?: string;
}

/** Reads a unified diff of any number of files. Nothing is passed over in silence. Pure. */
export function parseUnifiedDiff(diff: string): FileDiff[] {
  const files: OpenFile[] = [];
  const lines = diff.replace(/\n$/, "").split("\n");
  let hunk: Hunk | undefined;
  for (const [at, line] of lines.entries()) {
    if (hunk?.isOpen) hunk.take(line);
    else hunk = takeBetween(line, lines[at + 1] ?? "", lines[at - 1] ?? "", files);
  }
  return files;
}

/** A line outside of hunks; the hunk that it begins. */
function takeBetween(
  line: string,
  next: string,
  previous: string,
  files: OpenFile[],
): Hunk | undefined {
  if (isHeader(line, next)) {
    files.push({ old: pathIn(line), fresh: pathIn(next), rows: [] });
    return undefined;
  }
  // Both are told with the line before them: the other half of a header, and what git adds.
  if (isHeader(previous, line) || /^(diff --git|index) /.test(line) || line === "") {
    return undefined;
  }
  const note = noteOf(line);
  if (note) {
    files.push(note);
    return undefined;
  }
  const { rows } = files.at(-1) ?? newFile(files);
  const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (range) {
    if (rows.length > 0) rows.push({ kind: "gap" });
    return new Hunk(range, rows);
  }
  rows.push(line.startsWith("\\ ") ? { kind: "unterminated" } : { kind: "other", line });
  return undefined;
}

function isHeader(line: string, next: string): boolean {
  return line.startsWith("--- ") && next.startsWith("+++ ");
}

/** For lines before any header. */
function newFile(files: OpenFile[]): OpenFile {
  const file: OpenFile = { old: "", fresh: "", rows: [] };
  files.push(file);
  return file;
}

/** Counts the lines of a hunk, so that `--- a` in it is a line that was removed and no header. */
class Hunk {
  readonly #rows: DiffRow[];
  #old: number;
  #fresh: number;
  #oldLeft: number;
  #freshLeft: number;

  constructor([, old, oldCount, fresh, freshCount]: RegExpExecArray, rows: DiffRow[]) {
    this.#rows = rows;
    this.#old = Number(old);
    this.#fresh = Number(fresh);
    this.#oldLeft = Number(oldCount ?? 1);
    this.#freshLeft = Number(freshCount ?? 1);
  }

  get isOpen(): boolean {
    return this.#oldLeft > 0 || this.#freshLeft > 0;
  }

  take(line: string): void {
    const text = line.slice(1);
    switch (line[0]) {
      case "-":
        this.#oldLeft--;
        return void this.#rows.push({ kind: "removed", old: this.#old++, text });
      case "+":
        this.#freshLeft--;
        return void this.#rows.push({ kind: "added", fresh: this.#fresh++, text });
      case "\\":
        return void this.#rows.push({ kind: "unterminated" });
      default:
        // An empty line of both texts may have lost its blank on the way.
        this.#oldLeft--;
        this.#freshLeft--;
        this.#rows.push({ kind: "same", old: this.#old++, fresh: this.#fresh++, text });
    }
  }
}

/** The path of a header, without the side's letter and git's time. */
function pathIn(header: string): string | undefined {
  const path = header.slice(4).replace(/\t.*$/, "");
  return path === "/dev/null" ? undefined : path.replace(/^[ab]\//, "");
}

/** What `diffOf` says of files without lines to compare. */
function noteOf(line: string): OpenFile | undefined {
  const found = /^(Binary file )?(.+) becomes (.+)$/.exec(line);
  if (!found) return undefined;
  const [, binary, old = "", fresh = ""] = found;
  const named = (path: string) => path === "/dev/null" ? undefined : path;
  const note = binary === undefined ? {} : { note: "binary" };
  return { old: named(old), fresh: named(fresh), rows: [], ...note };
}
