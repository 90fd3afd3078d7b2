import type { Edit } from "./editor.ts";

/** Keys that edit the line, as bash and Emacs have them. */
export const EDIT_KEYS: Readonly<Record<string, Edit>> = {
  left: "left",
  "ctrl+b": "left",
  right: "right",
  "ctrl+f": "right",
  "ctrl+left": "wordLeft",
  "alt+left": "wordLeft",
  "alt+b": "wordLeft",
  "ctrl+right": "wordRight",
  "alt+right": "wordRight",
  "alt+f": "wordRight",
  home: "lineStart",
  "ctrl+a": "lineStart",
  end: "lineEnd",
  "ctrl+e": "lineEnd",
  "ctrl+home": "textStart",
  "alt+<": "textStart",
  "ctrl+end": "textEnd",
  "alt+>": "textEnd",
  backspace: "deleteLeft",
  "shift+backspace": "deleteLeft",
  "ctrl+h": "deleteLeft",
  delete: "deleteRight",
  "ctrl+d": "deleteRight",
  "ctrl+w": "cutWordLeft",
  "alt+backspace": "cutWordLeft",
  "ctrl+backspace": "cutWordLeft",
  "alt+d": "cutWordRight",
  "alt+delete": "cutWordRight",
  "ctrl+u": "cutToStart",
  "ctrl+k": "cutToEnd",
  "ctrl+y": "yank",
  "ctrl+_": "undo",
  "ctrl+j": "newline",
  "shift+enter": "newline",
  "alt+enter": "newline",
};

/** What a key asks of whoever holds the line. */
export type Command =
  /** Send the line: a task, or a word to the agent at work. */
  | "submit"
  /** Keep the line for after the turn. */
  | "queue"
  /** Esc: stop the turn. */
  | "stop"
  /** Ctrl-C: stop the turn, clear the line, at last quit. */
  | "interrupt"
  /** Ctrl-D on an empty line. */
  | "leave"
  | "redraw"
  /** Show long output, or fold it again. */
  | "unfold"
  | "suspend"
  /** Write the line in the person's own editor. */
  | "edit_outside"
  /** Take back what was queued last. */
  | "unqueue";

/** Keys that ask something wherever the cursor is. */
export const COMMAND_KEYS: Readonly<Record<string, Command>> = {
  enter: "submit",
  escape: "stop",
  "ctrl+c": "interrupt",
  "ctrl+l": "redraw",
  "ctrl+o": "unfold",
  "ctrl+z": "suspend",
  "ctrl+g": "edit_outside",
};

/** Begins a key of two strokes. */
export const PREFIX = "ctrl+x";

/** Keys by their second stroke. */
export const PREFIXED_KEYS: Readonly<Record<string, Command>> = { "ctrl+e": "edit_outside" };
