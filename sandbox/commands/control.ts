/** Takes terminal control sequences out of text that comes in pieces. */
export interface ControlStripper {
  /** The next piece, stripped; what may belong to a sequence is held back until it is known. */
  strip(text: string): string;
  /** What was held back, once no piece follows. */
  end(): string;
}

type State = "text" | "escape" | "escape_intermediate" | "csi" | "string" | "string_escape";

/** No real CSI is longer (ECMA-48 has a handful of parameters); past it, text is text again. */
const MAX_CSI_CHARS = 256;

/** A device control string (an image) longer than this is taken as never ended, in characters. */
const MAX_STRING_CHARS = 1024 * 1024;

// Runs, so that megabytes of NUL bytes cost one match and not a million.
// deno-lint-ignore no-control-regex
const SPECIAL = /[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]+|\x1b|[\x80-\x9f]|\p{Bidi_Control}/gu;

/**
 * A stripper of CSI, OSC, DCS and the other string sequences, of C0 and C1 controls except tab and
 * newline (ECMA-48). A lone carriage return becomes a newline, so that the states of a progress
 * line stay apart; CR LF stays. Bidirectional controls become visible, as `<U+202E>`.
 */
export function controlStripper(): ControlStripper {
  let state: State = "text";
  let length = 0;
  let isOsc = false;
  let carriageReturn = false;

  function strip(text: string): string {
    let out = "";
    let at = 0;
    while (at < text.length) {
      if (state === "text") {
        const next = plainText(text, at);
        out += next.out;
        at = next.at;
      } else {
        at = step(text, at);
      }
    }
    return out;
  }

  /** Copies up to the next sequence; `carriageReturn` survives the border of two pieces. */
  function plainText(text: string, start: number): { out: string; at: number } {
    let out = "";
    let at = start;
    if (carriageReturn) {
      if (text[at] !== "\r") {
        out += text[at] === "\n" ? "\r" : "\n";
        carriageReturn = false;
      }
    }
    SPECIAL.lastIndex = at;
    for (let found = SPECIAL.exec(text); found; found = SPECIAL.exec(text)) {
      out += text.slice(at, found.index);
      const run = found[0];
      at = found.index + run.length;
      if (enter(run)) return { out, at };
      if (run.charCodeAt(0) > 0x9f) out += visible(run);
      else if (run.includes("\r")) {
        // Only at the very end of a run can a newline follow.
        if (at === text.length) {
          carriageReturn = true;
          return { out, at };
        }
        out += text[at] === "\n" && run.endsWith("\r") ? "\r" : "\n";
      }
    }
    return { out: out + text.slice(at), at: text.length };
  }

  function enter(control: string): boolean {
    length = 0;
    switch (control) {
      case "\x1b":
        state = "escape";
        return true;
      case "\x9b":
        state = "csi";
        return true;
      case "\x90":
      case "\x98":
      case "\x9d":
      case "\x9e":
      case "\x9f":
        state = "string";
        isOsc = control === "\x9d";
        return true;
      default:
        return false;
    }
  }

  /** Takes one character of a sequence; answers where to go on. */
  function step(text: string, at: number): number {
    const char = text[at] ?? "";
    switch (state) {
      case "escape":
        return afterEscape(char, at);
      case "escape_intermediate":
        if (char >= " " && char <= "/" && ++length < MAX_CSI_CHARS) return at + 1;
        state = "text";
        return char >= "0" && char <= "~" ? at + 1 : at;
      case "csi":
        if (char >= " " && char <= "?" && ++length < MAX_CSI_CHARS) return at + 1;
        state = "text";
        return char >= "@" && char <= "~" ? at + 1 : at;
      case "string_escape":
        if (char === "\\") {
          state = "text";
          return at + 1;
        }
        // Any other sequence ends the string and begins.
        state = "escape";
        length = 0;
        return at;
      case "string":
        return inString(text, at);
      case "text":
        return at;
    }
  }

  function afterEscape(char: string, at: number): number {
    if (char === "[") state = "csi";
    else if (char === "]" || char === "P" || char === "X" || char === "^" || char === "_") {
      state = "string";
      isOsc = char === "]";
    } else if (char >= " " && char <= "/") state = "escape_intermediate";
    else {
      state = "text";
      return char >= "0" && char <= "~" ? at + 1 : at;
    }
    return at + 1;
  }

  function inString(text: string, start: number): number {
    // deno-lint-ignore no-control-regex
    const end = isOsc ? /[\x07\x18\x1a\x1b\x9c\n]/g : /[\x18\x1a\x1b\x9c]/g;
    end.lastIndex = start;
    const found = end.exec(text);
    const stop = found?.index ?? text.length;
    if (length + stop - start > MAX_STRING_CHARS) {
      state = "text";
      return start + Math.max(0, MAX_STRING_CHARS - length);
    }
    length += stop - start;
    if (!found) return stop;
    state = found[0] === "\x1b" ? "string_escape" : "text";
    // A title never spans lines: one that was not ended must not swallow the rest.
    return found[0] === "\n" ? stop : stop + 1;
  }

  return {
    strip,
    end() {
      const held = carriageReturn ? "\n" : "";
      carriageReturn = false;
      return held;
    },
  };
}

function visible(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
