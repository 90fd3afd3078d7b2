import type { Desktop, DesktopAct, DesktopWindow, Point } from "../../tools/screen/desktop.ts";
import type { Accessible } from "../../tools/screen/accessible.ts";
import type { Chord } from "../../tools/screen/chord.ts";
import type { Screen } from "../../tools/screen/screen.ts";
import { accessibleTree } from "./accessibility.ts";
import { type ProgramOptions, runProgram } from "./run_program.ts";
import { typingLimitMs } from "./typing_limit.ts";
import { type X11, x11Windows } from "./x11_windows.ts";

/** Window classes of programs that run what is typed into them. */
const TERMINALS = "^(.*term.*|.*terminal.*|konsole|alacritty|kitty|tilix|ghostty|foot|rxvt|urxvt|" +
  "st|yakuake|guake|terminator|org\\.wezfurlong\\.wezterm|emacs)$";

/** The desktop of X11, driven by `xdotool`. */
export function x11Desktop(
  x11: X11 & {
    /** Absolute; need not be there. */
    readonly python: string;
  },
  screen: Screen,
): Desktop {
  const { xdotool, environment } = x11;
  const run = async (argv: readonly string[], signal: AbortSignal, options?: ProgramOptions) =>
    await runProgram([xdotool, ...argv], environment, signal, options);
  const text = async (argv: readonly string[], signal: AbortSignal) =>
    new TextDecoder().decode((await run(argv, signal)).stdout);
  async function apps(signal: AbortSignal): Promise<DesktopWindow[]> {
    const [windows, found] = await Promise.all([
      x11Windows(x11, signal),
      text(["search", "--onlyvisible", "--class", TERMINALS], signal),
    ]);
    const terminals = new Set(found.split("\n"));
    return windows.map((window) => ({ ...window, isTerminal: terminals.has(window.id) }));
  }
  const elements = (signal: AbortSignal) =>
    accessibleTree({ python: x11.python, environment }, signal);
  let tellsElements = true;
  async function inSecretField(signal: AbortSignal): Promise<boolean> {
    if (!tellsElements) return false;
    const tree = await elements(signal);
    // Where nobody tells, nobody is asked again.
    tellsElements = tree.ok;
    return tree.ok && tree.elements.some(isSecretField);
  }
  return {
    ...screen,
    ...{ apps, elements },
    async size(signal) {
      const [width = "", height = ""] = (await text(["getdisplaygeometry"], signal)).split(" ");
      return { width: Number(width), height: Number(height.trim()) };
    },
    async focused(signal) {
      const [id, windows, hidesKeys] = await Promise.all([
        focusedId(text, signal),
        apps(signal),
        inSecretField(signal),
      ]);
      const window = windows.find((each) => each.id === id);
      return window && { ...window, hidesKeys };
    },
    async act(act, signal) {
      const { argv, ...options } = xdotoolCall(act);
      try {
        const end = await run(argv, signal, options);
        if (end.code !== 0) throw new Error(`Cannot ${act.kind}: ${end.words || "xdotool failed"}`);
      } catch (error) {
        // A button that nobody lets go of would drag along whatever the person does next.
        if (act.kind === "drag") await run(["mouseup", "1"], new AbortController().signal);
        throw error;
      }
    },
  };
}

/** By the role that AT-SPI has for it. */
function isSecretField({ role, states }: Accessible): boolean {
  return role === "password text" && states.includes("focused");
}

/** Without a window manager keys go to the window under the pointer. */
async function focusedId(
  text: (argv: readonly string[], signal: AbortSignal) => Promise<string>,
  signal: AbortSignal,
): Promise<string> {
  const id = (await text(["getwindowfocus"], signal)).trim();
  // X knows two more values: nothing has the focus (0), and whatever is under the pointer (1).
  if (id !== "1") return id;
  const pointer = await text(["getmouselocation", "--shell"], signal);
  return /^WINDOW=(\d+)$/m.exec(pointer)?.[1] ?? "";
}

/** The arguments of `xdotool` for an act, what it reads on standard input, and how long it may take. Pure. */
export function xdotoolCall(
  act: DesktopAct,
): ProgramOptions & { readonly argv: readonly string[] } {
  switch (act.kind) {
    case "move":
      return { argv: moveTo(act.at) };
    case "click": {
      const button = act.button === "right" ? "3" : "1";
      const repeat = ["--repeat", String(act.count), "--delay", "60"];
      return { argv: [...moveTo(act.at), "click", ...repeat, button] };
    }
    case "drag": {
      const { from, to } = act;
      const middle = { x: Math.round((from.x + to.x) / 2), y: Math.round((from.y + to.y) / 2) };
      // Programs begin to drag when they see the mouse move while it is held.
      const path = [middle, to].flatMap((point) => ["sleep", "0.05", ...moveTo(point)]);
      return {
        argv: [...moveTo(from), "mousedown", "1", ...path, "sleep", "0.05", "mouseup", "1"],
      };
    }
    case "scroll": {
      const repeat = ["--repeat", String(act.amount), "--delay", "20"];
      return { argv: [...moveTo(act.at), "click", ...repeat, WHEEL[act.direction]] };
    }
    case "type":
      // On standard input no other process sees it, as it would an argument.
      return {
        argv: ["type", "--clearmodifiers", "--delay", "12", "--file", "-"],
        input: act.text,
        limitMs: typingLimitMs(act.text),
      };
    case "key":
      return { argv: ["key", "--clearmodifiers", keysyms(act.chord)] };
    case "focus":
      return { argv: ["windowraise", act.window, "windowfocus", act.window] };
  }
}

/** Wheels are buttons. */
const WHEEL = { up: "4", down: "5", left: "6", right: "7" } as const;

function moveTo({ x, y }: Point): string[] {
  return ["mousemove", String(x), String(y)];
}

function keysyms({ modifiers, key }: Chord): string {
  return [...modifiers, keysym(key)].join("+");
}

/** The name that X has for a key (X11/keysymdef.h). */
function keysym(key: string): string {
  if (/^[a-z0-9]$/i.test(key)) return key;
  if (/^f\d+$/.test(key)) return key.toUpperCase();
  if (key.length > 1) return NAMED[key] ?? capitalised(key);
  return PUNCTUATION[key] ?? key;
}

const PUNCTUATION: Readonly<Record<string, string>> = {
  "!": "exclam",
  '"': "quotedbl",
  "#": "numbersign",
  "$": "dollar",
  "%": "percent",
  "&": "ampersand",
  "'": "apostrophe",
  "(": "parenleft",
  ")": "parenright",
  "*": "asterisk",
  "+": "plus",
  ",": "comma",
  "-": "minus",
  ".": "period",
  "/": "slash",
  ":": "colon",
  ";": "semicolon",
  "<": "less",
  "=": "equal",
  ">": "greater",
  "?": "question",
  "@": "at",
  "[": "bracketleft",
  "\\": "backslash",
  "]": "bracketright",
  "^": "asciicircum",
  "_": "underscore",
  "`": "grave",
  "{": "braceleft",
  "|": "bar",
  "}": "braceright",
  "~": "asciitilde",
};

const NAMED: Readonly<Record<string, string>> = {
  enter: "Return",
  space: "space",
  backspace: "BackSpace",
  pageup: "Prior",
  pagedown: "Next",
  printscreen: "Print",
};

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
