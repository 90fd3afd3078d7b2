import { cellsOf } from "./cells.ts";
import { type Held, isHeld, markOf, splitAtMarks } from "./held.ts";

/** The text that a person is writing. A value: what edits it makes another. */
export interface Editor {
  /** With a mark for each thing held. */
  readonly text: string;
  /** Index into the text, never inside a character. */
  readonly cursor: number;
  /** By the index of their marks; only ever added, so that undo finds them. */
  readonly held: readonly Held[];
  /** What was cut last, for Ctrl-Y. */
  readonly cut: string;
  /** Earlier states, the latest last. */
  readonly past: readonly Snapshot[];
}

type Snapshot = Pick<Editor, "text" | "cursor">;

/** Steps that Ctrl-_ can take back. */
const MAX_PAST = 200;

export const EMPTY: Editor = { text: "", cursor: 0, held: [], cut: "", past: [] };

/** The line as it is after a text was typed. */
export function insert(editor: Editor, text: string): Editor {
  const { text: all, cursor } = editor;
  return changed(editor, all.slice(0, cursor) + text + all.slice(cursor), cursor + text.length);
}

/** The same for a paste: a large one stands as one character. */
export function paste(editor: Editor, text: string): Editor {
  return isHeld(text) ? hold(editor, { kind: "text", text }) : insert(editor, text);
}

/** Puts something into the line that stands as one character. */
export function hold(editor: Editor, thing: Held): Editor {
  const mark = markOf(editor.held.length);
  return insert({ ...editor, held: [...editor.held, thing] }, mark);
}

/** A line with this text, the cursor at its end; what was cut stays at hand. */
export function replaced(editor: Editor, text: string): Editor {
  return paste({ ...editor, text: "", cursor: 0, past: remembered(editor) }, text);
}

/** Puts a text where another stood. */
export function replaceRange(editor: Editor, start: number, end: number, text: string): Editor {
  const all = editor.text.slice(0, start) + text + editor.text.slice(end);
  return changed(editor, all, start + text.length);
}

/** What a key does to the line, by name. */
export const EDITS = {
  left: (editor: Editor) => moved(editor, before(editor)),
  right: (editor: Editor) => moved(editor, after(editor)),
  wordLeft: (editor: Editor) => moved(editor, wordBefore(editor)),
  wordRight: (editor: Editor) => moved(editor, wordAfter(editor)),
  lineStart: (editor: Editor) => moved(editor, lineStart(editor)),
  lineEnd: (editor: Editor) => moved(editor, lineEnd(editor)),
  textStart: (editor: Editor) => moved(editor, 0),
  textEnd: (editor: Editor) => moved(editor, editor.text.length),
  deleteLeft: (editor: Editor) => without(editor, before(editor), editor.cursor),
  deleteRight: (editor: Editor) => without(editor, editor.cursor, after(editor)),
  cutWordLeft: (editor: Editor) => cut(editor, wordBefore(editor), editor.cursor),
  cutWordRight: (editor: Editor) => cut(editor, editor.cursor, wordAfter(editor)),
  cutToStart: (editor: Editor) => cut(editor, lineStart(editor), editor.cursor),
  cutToEnd,
  yank: (editor: Editor) => insert(editor, editor.cut),
  newline: (editor: Editor) => insert(editor, "\n"),
  undo,
} as const;

/** The name of an edit. */
export type Edit = keyof typeof EDITS;

function moved(editor: Editor, cursor: number): Editor {
  return { ...editor, cursor };
}

function changed(editor: Editor, text: string, cursor: number): Editor {
  if (text === editor.text) return moved(editor, cursor);
  return { ...editor, text, cursor, past: remembered(editor) };
}

function remembered({ past, text, cursor }: Editor): readonly Snapshot[] {
  return [...past, { text, cursor }].slice(-MAX_PAST);
}

function undo(editor: Editor): Editor {
  const last = editor.past.at(-1);
  return last ? { ...editor, ...last, past: editor.past.slice(0, -1) } : editor;
}

function without(editor: Editor, start: number, end: number): Editor {
  return changed(editor, editor.text.slice(0, start) + editor.text.slice(end), start);
}

function cut(editor: Editor, start: number, end: number): Editor {
  if (start === end) return editor;
  return { ...without(editor, start, end), cut: editor.text.slice(start, end) };
}

/** At the end of a line, the newline. */
function cutToEnd(editor: Editor): Editor {
  const end = lineEnd(editor);
  return cut(editor, editor.cursor, end === editor.cursor ? after(editor) : end);
}

/** The border of the character before the cursor. */
function before({ text, cursor }: Editor): number {
  return cursor - (charactersOf(text.slice(0, cursor)).at(-1)?.length ?? 0);
}

function after({ text, cursor }: Editor): number {
  return cursor + (charactersOf(text.slice(cursor))[0]?.length ?? 0);
}

function lineStart({ text, cursor }: Editor): number {
  return text.slice(0, cursor).lastIndexOf("\n") + 1;
}

function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
}

/** A word is letters and digits, and what is held. */
function wordBefore({ text, cursor }: Editor): number {
  const head = text.slice(0, cursor);
  const word =
    /(?:[\p{L}\p{N}\p{M}_]+|[\u{100000}-\u{10fffd}])[^\p{L}\p{N}\p{M}_\u{100000}-\u{10fffd}]*$/u;
  return word.exec(head)?.index ?? 0;
}

function wordAfter({ text, cursor }: Editor): number {
  const word =
    /^[^\p{L}\p{N}\p{M}_\u{100000}-\u{10fffd}]*(?:[\p{L}\p{N}\p{M}_]+|[\u{100000}-\u{10fffd}])/u;
  const found = word.exec(text.slice(cursor));
  return found ? cursor + found[0].length : text.length;
}

function charactersOf(text: string): string[] {
  return splitAtMarks(text).flatMap((part) => cellsOf(part).map((cell) => cell.text));
}
