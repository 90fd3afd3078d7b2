import { CODES, CONTROLS, LETTERS, NUMBERS } from "./key_tables.ts";

/** What a person did at the keyboard. */
export type Key =
  /** Characters that were typed. */
  | { readonly kind: "text"; readonly text: string }
  /** What was pasted, line ends as LF. */
  | { readonly kind: "paste"; readonly text: string }
  /** Any other key by its name: modifiers in the order ctrl, alt, shift, as `ctrl+alt+left`. */
  | { readonly kind: "key"; readonly name: string };

const ESC = "\x1b";
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;

// deno-lint-ignore no-control-regex -- this is what terminals send
const SS3 = /^\x1bO(\d*)([A-Za-z])/;
// A Linux console sends `CSI [ A` for F1.
// deno-lint-ignore no-control-regex -- this is what terminals send
const CSI = /^\x1b\[(\[?[0-9:;<=>?]*)([@-~])/;

/** No key's sequence is longer; what is longer was none, in characters. */
const MAX_SEQUENCE_CHARS = 64;

/**
 * Reads what a terminal sends as keys. A sequence may come in pieces: what could still grow is held
 * back until it is known, or until {@linkcode KeyDecoder.flush} says that nothing follows. Text is
 * expected in whole characters.
 */
export class KeyDecoder {
  #held = "";
  /** Pieces of a paste that has not ended. */
  #paste: string[] | undefined;

  /** The keys that the text completes. */
  push(text: string): Key[] {
    const keys: Key[] = [];
    this.#held += text;
    while (this.#held !== "") {
      const used = this.#paste ? this.#readPaste(this.#paste, keys) : this.#readKey(keys);
      if (used === 0) break;
      this.#held = this.#held.slice(used);
    }
    return keys;
  }

  /**
   * Whether what is held back may be a key already: an ESC, or an Alt with what begins a sequence.
   * A longer piece is a torn sequence, whose rest comes.
   */
  get waits(): boolean {
    return !this.#paste && this.#held !== "" && this.#held.length <= 2;
  }

  /** Nothing follows within the time that a terminal takes for a sequence. */
  flush(): Key[] {
    if (!this.waits) return [];
    const [, second] = this.#held;
    this.#held = "";
    return [second === undefined ? named("escape") : withAlt(second)];
  }

  #readPaste(pieces: string[], keys: Key[]): number {
    const end = this.#held.indexOf(PASTE_END);
    if (end >= 0) {
      pieces.push(this.#held.slice(0, end));
      keys.push({ kind: "paste", text: pieces.join("").replaceAll(/\r\n?/g, "\n") });
      this.#paste = undefined;
      return end + PASTE_END.length;
    }
    // The mark of the end may be torn, so its possible begin stays.
    const safe = Math.max(0, this.#held.length - (PASTE_END.length - 1));
    if (safe > 0) pieces.push(this.#held.slice(0, safe));
    return safe;
  }

  /** Reads one key from what is held; resolves to its length, 0 where more is needed. */
  #readKey(keys: Key[]): number {
    const held = this.#held;
    if (held.startsWith(PASTE_START)) {
      this.#paste = [];
      return PASTE_START.length;
    }
    if (!held.startsWith(ESC)) return readPlain(held, keys);
    if (held.length === 1) return 0;
    if (held[1] === "[" || held[1] === "O") return readSequence(held, keys);
    if (held[1] === "]" || held[1] === "P" || held[1] === "_") return readReply(held);
    // ESC ESC: the first was the key, unless a sequence follows that Alt was held for.
    if (held[1] === ESC) {
      keys.push(named("escape"));
      return 1;
    }
    const [, second = ""] = held;
    keys.push(withAlt(second));
    return ESC.length + second.length;
  }
}

/** A run of characters, or one control byte. */
function readPlain(held: string, keys: Key[]): number {
  const [first = ""] = held;
  if (isControl(first)) {
    keys.push(named(controlName(first)));
    return first.length;
  }
  // deno-lint-ignore no-control-regex
  const text = /^[^\x00-\x1f\x7f]+/.exec(held)?.[0] ?? first;
  keys.push({ kind: "text", text });
  return text.length;
}

/** `CSI parameters letter` and `SS3 letter`. */
function readSequence(held: string, keys: Key[]): number {
  const pattern = held[1] === "O" ? SS3 : CSI;
  const [whole, parameters = "", final = ""] = pattern.exec(held) ?? [];
  if (whole === undefined) {
    if (mayGrow(held)) return 0;
    // No sequence at all: Alt was held with the bracket.
    const [, second = ""] = held;
    keys.push(withAlt(second));
    return 2;
  }
  const key = sequenceKey(parameters, final);
  if (key) keys.push(key);
  return whole.length;
}

function mayGrow(held: string): boolean {
  // deno-lint-ignore no-control-regex
  return held.length < MAX_SEQUENCE_CHARS && /^\x1b(O\d*|\[\[?[0-9:;<=>?]*)$/.test(held);
}

function sequenceKey(parameters: string, final: string): Key | undefined {
  const [first = "", second = "", third = ""] = parameters.split(";");
  switch (final) {
    case "~":
      // xterm's modifyOtherKeys: CSI 27 ; modifiers ; code ~
      if (first === "27" && third !== "") return codeKey(Number(third), second);
      return NUMBERS[first] === undefined ? undefined : modified(second, NUMBERS[first]);
    case "u":
      return codeKey(Number(first.split(":")[0]), second);
    default: {
      if (/[<=>?[]/.test(parameters)) return undefined;
      const name = LETTERS[final];
      return name === undefined ? undefined : modified(second, name);
    }
  }
}

function codeKey(code: number, modifiers: string): Key | undefined {
  if (/:3$/.test(modifiers)) return undefined;
  const name = CODES[code];
  if (name !== undefined) return modified(modifiers, name);
  // The private area holds keys without a character, as Caps Lock.
  if (!(code >= 32 && code <= 0x10ffff) || (code >= 0xe000 && code <= 0xf8ff)) return undefined;
  const character = String.fromCodePoint(code);
  const { ctrl, alt, shift } = modifiersOf(modifiers);
  if (!ctrl && !alt) {
    return { kind: "text", text: shift ? character.toUpperCase() : character };
  }
  return modified(modifiers, character === " " ? "space" : character);
}

/** The number of xterm and kitty: one more than a sum of bits. */
function modifiersOf(text: string): { ctrl: boolean; alt: boolean; shift: boolean } {
  const bits = Math.max(0, (Number.parseInt(text, 10) || 1) - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 };
}

function modified(modifiers: string, name: string): Key | undefined {
  // Terminals that tell releases do so in a part of their own.
  if (/:3$/.test(modifiers)) return undefined;
  const { ctrl, alt, shift } = modifiersOf(modifiers);
  const prefix = `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}`;
  return named(prefix + name);
}

/** What a terminal says by itself (its colours, its name): no key. Its length, 0 where torn. */
function readReply(held: string): number {
  // deno-lint-ignore no-control-regex
  const end = /\x07|\x1b\\/.exec(held.slice(2));
  if (end) return 2 + end.index + end[0].length;
  return held.length < MAX_SEQUENCE_CHARS * 16 ? 0 : held.length;
}

function withAlt(character: string): Key {
  return named(`alt+${isControl(character) ? controlName(character) : character}`);
}

function controlName(character: string): string {
  return CONTROLS[character] ??
    `ctrl+${String.fromCharCode(character.charCodeAt(0) + 0x60)}`;
}

function isControl(character: string): boolean {
  return character < " " || character === "\x7f";
}

function named(name: string): Key {
  return { kind: "key", name };
}
