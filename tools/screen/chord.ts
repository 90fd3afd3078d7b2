/** Keys that are held while another is struck; `super` is the one of the window manager, or ⌘. */
export type Modifier = "ctrl" | "alt" | "shift" | "super";

/** Keys that are struck as one. */
export interface Chord {
  /** In the order `ctrl`, `alt`, `shift`, `super`; none twice. */
  readonly modifiers: readonly Modifier[];
  /** A printable character of ASCII, or one of {@linkcode NAMED_KEYS}. */
  readonly key: string;
}

/** A chord, or what is wrong with the text of one. */
export type ParsedChord =
  | { readonly ok: true; readonly chord: Chord }
  | { readonly ok: false; readonly problem: string };

const MODIFIERS: Readonly<Record<string, Modifier>> = {
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  option: "alt",
  shift: "shift",
  super: "super",
  meta: "super",
  win: "super",
  cmd: "super",
  command: "super",
};

const ORDER: readonly Modifier[] = ["ctrl", "alt", "shift", "super"];

/** Keys that print nothing, by the names that chords have them. */
export const NAMED_KEYS = [
  ..."enter escape tab space backspace delete insert home end pageup pagedown".split(" "),
  ..."up down left right menu printscreen".split(" "),
  ...Array.from({ length: 24 }, (_, i) => `f${i + 1}`),
];

/** What people and models call keys, too. */
const SYNONYMS: Readonly<Record<string, string>> = {
  return: "enter",
  esc: "escape",
  del: "delete",
  ins: "insert",
  page_up: "pageup",
  pgup: "pageup",
  prior: "pageup",
  page_down: "pagedown",
  pgdn: "pagedown",
  next: "pagedown",
  arrowup: "up",
  arrowdown: "down",
  arrowleft: "left",
  arrowright: "right",
  print: "printscreen",
};

/** Reads `ctrl+shift+t`; a plus that is struck stands last, as in `ctrl++`. Pure. */
export function parseChord(text: string): ParsedChord {
  const parts = text.trim().replace(/\+\+$/, "+plus").split("+").map((part) => part.trim());
  const last = text.trim() === "+" ? "plus" : parts.pop() ?? "";
  const held = new Set<Modifier>();
  for (const part of text.trim() === "+" ? [] : parts) {
    const modifier = Object.hasOwn(MODIFIERS, part.toLowerCase())
      ? MODIFIERS[part.toLowerCase()]
      : undefined;
    if (!modifier) return { ok: false, problem: `"${part}" is no key that is held` };
    held.add(modifier);
  }
  const key = keyOf(last);
  if (key === undefined) {
    const problem = `"${last}" is no key: it is one character or enter, escape, tab, f1, pageup …`;
    return { ok: false, problem };
  }
  return { ok: true, chord: { modifiers: ORDER.filter((each) => held.has(each)), key } };
}

function keyOf(text: string): string | undefined {
  if (/^[!-~]$/.test(text)) return text;
  if (text === "plus") return "+";
  const name = text.toLowerCase();
  const known = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] ?? name : name;
  return NAMED_KEYS.includes(known) ? known : undefined;
}

/** A chord as {@linkcode parseChord} reads it. */
export function chordText({ modifiers, key }: Chord): string {
  return [...modifiers, key].join("+");
}

/**
 * Whether a chord may take more than the window it is struck in: it closes windows, ends the
 * session, or leaves it.
 */
export function isDrastic({ modifiers, key }: Chord): boolean {
  const held = new Set(modifiers);
  const name = key.toLowerCase();
  if (held.has("ctrl") && held.has("alt")) return true;
  if (held.has("super")) return true;
  if (held.has("alt") && name === "f4") return true;
  return held.has("ctrl") && (name === "q" || name === "w" || name === "f4");
}
