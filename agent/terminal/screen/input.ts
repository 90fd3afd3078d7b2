import {
  type Editor,
  EDITS,
  EMPTY,
  hold,
  insert,
  paste,
  replaced,
  replaceRange,
} from "./editor.ts";
import { moveRow } from "./editor_rows.ts";
import { expand } from "./held.ts";
import { type Command, COMMAND_KEYS, EDIT_KEYS, PREFIX, PREFIXED_KEYS } from "./keymap.ts";
import type { Key } from "./keys.ts";
import { choose, chosenItem, type Popup } from "./popup.ts";
import { newer, older, type Recall, recalled, recallOf } from "./recall.ts";

/** The line that a person writes in, with what helps them. A value. */
export interface Input {
  readonly editor: Editor;
  readonly recall: Recall;
  readonly popup?: Popup | undefined;
  /** The first stroke of a key of two was pressed. */
  readonly prefixed: boolean;
}

/** What a key depends on beside the line. */
export interface Circumstances {
  /** Of the rows of the line, in columns. */
  readonly width: number;
  /** The agent is at work. */
  readonly working: boolean;
  /** Something waits for the end of the turn. */
  readonly queued: boolean;
}

/** The line after a key, and what the key asks of whoever holds it. */
export interface Pressed {
  readonly input: Input;
  readonly command?: Command;
}

/** An empty line over the prompts of earlier sessions, the latest last. */
export function inputOf(history: readonly string[]): Input {
  return { editor: EMPTY, recall: recallOf(history), prefixed: false };
}

/** What a key does. Pure: the command is for the caller to carry out. */
export function press(input: Input, key: Key, facts: Circumstances): Pressed {
  switch (key.kind) {
    case "text":
      return edited(input, insert(input.editor, key.text));
    case "paste":
      return edited(input, paste(input.editor, key.text));
    case "key":
      return input.prefixed ? pressSecond(input, key.name) : pressNamed(input, key.name, facts);
  }
}

/** An empty line; the walk through history begins anew with what it has now. */
export function cleared(input: Input, history: readonly string[]): Input {
  const editor = { ...EMPTY, cut: expand(input.editor.cut, input.editor.held) };
  return { ...inputOf(history), editor };
}

/** Another text in the line. */
export function withText(input: Input, text: string): Input {
  return { ...input, editor: replaced(input.editor, text), popup: undefined };
}

/** Another line, as it was written elsewhere. */
export function withEditor(input: Input, editor: Editor): Input {
  return { ...input, editor, popup: undefined };
}

/** An image in the line, to go with the prompt. */
export function withImage(input: Input, path: string): Input {
  return { ...input, editor: hold(input.editor, { kind: "image", path }) };
}

function pressSecond(input: Input, name: string): Pressed {
  const command = PREFIXED_KEYS[name];
  return { input: { ...input, prefixed: false }, ...(command && { command }) };
}

function pressNamed(input: Input, name: string, facts: Circumstances): Pressed {
  const { editor, popup } = input;
  if (popup) {
    const answered = pressPopup(input, popup, name);
    if (answered) return answered;
  }
  if (name === PREFIX) return { input: { ...input, prefixed: true } };
  if (name === "ctrl+d" && editor.text === "") return { input, command: "leave" };
  if (name === "enter" && endsInBackslash(editor)) {
    return edited(input, replaceRange(editor, editor.cursor - 1, editor.cursor, "\n"));
  }
  if (facts.working && (name === "alt+enter" || name === "tab")) return asks(input, "queue");
  const delta = ROW_KEYS[name];
  if (delta !== undefined) return pressRow(input, delta, facts);
  const command = COMMAND_KEYS[name];
  if (command) return asks(input, command);
  const edit = EDIT_KEYS[name];
  return edit ? edited(input, EDITS[edit](editor)) : { input };
}

const ROW_KEYS: Readonly<Record<string, number>> = { up: -1, "ctrl+p": -1, down: 1, "ctrl+n": 1 };

/** A list that is open takes the keys that walk it; undefined: the key is not for it. */
function pressPopup(input: Input, popup: Popup, name: string): Pressed | undefined {
  const delta = ROW_KEYS[name];
  if (delta !== undefined) return { input: { ...input, popup: choose(popup, delta) } };
  if (name === "escape") return { input: { ...input, popup: undefined } };
  if (name !== "tab" && name !== "enter") return undefined;
  const item = chosenItem(popup);
  const { start, end } = popup.completion;
  // What is written already needs no Enter of its own.
  if (!item || (name === "enter" && input.editor.text.slice(start, end) === item.value.trimEnd())) {
    return undefined;
  }
  return edited(input, replaceRange(input.editor, start, end, item.value));
}

/** A row up or down, and past the ends through what was written earlier. */
function pressRow(input: Input, delta: number, { width, queued }: Circumstances): Pressed {
  const { editor, recall } = input;
  const moved = moveRow(editor, width, delta);
  if (moved) return { input: { ...input, editor: moved } };
  if (delta < 0 && queued && editor.text === "") return asks(input, "unqueue");
  const next = delta < 0 ? older(recall, expand(editor.text, editor.held)) : newer(recall);
  if (!next) return { input };
  const there = replaced(editor, recalled(next));
  return { input: { ...input, recall: next, editor: there } };
}

function endsInBackslash({ text, cursor }: Editor): boolean {
  return text[cursor - 1] === "\\";
}

function asks(input: Input, command: Command): Pressed {
  return { input, command };
}

function edited(input: Input, editor: Editor): Pressed {
  // The list belonged to the text as it was.
  return { input: { ...input, editor, popup: undefined } };
}
