/** Keys by the last letter of `CSI … letter` and `SS3 letter` (xterm, ECMA-48). */
export const LETTERS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "clear",
  F: "end",
  H: "home",
  // What a terminal tells of its focus.
  I: "focus",
  O: "blur",
  M: "enter",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "shift+tab",
};

/** Keys by the number of `CSI number ~` (VT220, xterm). */
export const NUMBERS: Readonly<Record<string, string>> = {
  "1": "home",
  "2": "insert",
  "3": "delete",
  "4": "end",
  "5": "pageup",
  "6": "pagedown",
  "7": "home",
  "8": "end",
  "15": "f5",
  "17": "f6",
  "18": "f7",
  "19": "f8",
  "20": "f9",
  "21": "f10",
  "23": "f11",
  "24": "f12",
};

/** Keys that terminals with an extended keyboard send by their code point (kitty, xterm). */
export const CODES: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  57414: "enter",
};

/** Bytes of the control range that are keys of their own. */
export const CONTROLS: Readonly<Record<string, string>> = {
  "\0": "ctrl+space",
  "\b": "ctrl+h",
  "\t": "tab",
  "\n": "ctrl+j",
  "\r": "enter",
  "\x1c": "ctrl+\\",
  "\x1d": "ctrl+]",
  "\x1e": "ctrl+^",
  "\x1f": "ctrl+_",
  "\x7f": "backspace",
};
