import type { Chord, Modifier } from "../../tools/screen/chord.ts";
import type { DesktopAct, Point } from "../../tools/screen/desktop.ts";
import { typingLimitMs } from "./typing_limit.ts";

/** What macOS is driven with for one act, one call after the other. */
export interface MacCall {
  /** `script`: arguments of `macos_desktop.jxa`; else commands of `cliclick`, each on a line. */
  readonly program: "cliclick" | "script";
  readonly args: readonly string[];
  /** How long it may take, in milliseconds, where that is more than other programs get. */
  readonly limitMs?: number;
}

/** The calls for an act, or why it cannot be done. */
export type MacCalls =
  | { readonly ok: true; readonly calls: readonly MacCall[] }
  | { readonly ok: false; readonly problem: string };

/** Between the steps of a drag, in milliseconds: programs follow a mouse that they see move. */
const DRAG_STEP_MS = 50;

/**
 * What `cliclick` (4 or later) and the script do for an act. `scale`: pixels of the screen for each point
 * that macOS counts in, 2 on Retina displays. Pure.
 */
export function macCalls(act: DesktopAct, scale: number): MacCalls {
  const at = (point: Point) => placeOf(point, scale);
  switch (act.kind) {
    case "move":
      return cliclick(`m:${at(act.at)}`);
    case "click": {
      if (act.button === "left") return cliclick(`${act.count === 2 ? "dc" : "c"}:${at(act.at)}`);
      return cliclick(...Array<string>(act.count).fill(`rc:${at(act.at)}`));
    }
    case "drag": {
      const { from, to } = act;
      const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      const path = [`dd:${at(from)}`, `dm:${at(middle)}`, `dm:${at(to)}`, `du:${at(to)}`];
      return cliclick(...path.flatMap((step, i) => i === 0 ? [step] : [`w:${DRAG_STEP_MS}`, step]));
    }
    case "scroll": {
      const [up, left] = WHEEL[act.direction];
      const turns = [up * act.amount, left * act.amount].map(String);
      const move: MacCall = { program: "cliclick", args: [`m:${at(act.at)}`] };
      return { ok: true, calls: [move, { program: "script", args: ["scroll", ...turns] }] };
    }
    case "type":
      return typing(act.text);
    case "key":
      return struck(act.chord);
    case "focus":
      return { ok: true, calls: [{ program: "script", args: ["focus", act.window] }] };
  }
}

/** What lets go of all that an act holds, for one that was given up; undefined where it holds nothing. Pure. */
export function letGo(act: DesktopAct): string | undefined {
  if (act.kind === "drag") return "du:.";
  if (act.kind !== "key" || act.chord.modifiers.length === 0) return undefined;
  return `ku:${heldNames(act.chord.modifiers)}`;
}

function cliclick(...args: readonly string[]): MacCalls {
  return { ok: true, calls: [{ program: "cliclick", args }] };
}

function typing(text: string): MacCalls {
  const call = { program: "cliclick", args: typed(text), limitMs: typingLimitMs(text) } as const;
  return { ok: true, calls: [call] };
}

/** In whole points. */
function placeOf({ x, y }: Point, scale: number): string {
  return [x, y].map((each) => Math.floor(each / scale)).join(",");
}

/** Notches up and to the left. */
const WHEEL = { up: [1, 0], down: [-1, 0], left: [0, 1], right: [0, -1] } as const;

/** Characters that end a line for `cliclick`: what follows one would be read as a command. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** A text as commands of one line each. `cliclick` cuts blanks at the end of a line, so these are keys. */
function typed(text: string): string[] {
  return text.split(LINE_END).flatMap((line, i) => [
    ...(i === 0 ? [] : ["kp:return"]),
    ...line.split(/(\t)/).flatMap((part) => part === "\t" ? ["kp:tab"] : typedPart(part)),
  ]);
}

function typedPart(part: string): string[] {
  const blanks = /\p{Zs}*$/u.exec(part)?.[0] ?? "";
  const words = part.slice(0, part.length - blanks.length);
  return [...(words === "" ? [] : [`t:${words}`]), ...Array.from(blanks, () => "kp:space")];
}

function struck({ modifiers, key }: Chord): MacCalls {
  const [only, ...more] = modifiers;
  const isLetter = /^[a-z]$/.test(key);
  if (isLetter && only === "shift" && more.length === 0) return cliclick(`t:${key.toUpperCase()}`);
  const press = pressOf(key);
  if (press === undefined) {
    return { ok: false, problem: `cliclick has no key "${key}", and keyboards of Macs have none` };
  }
  if (modifiers.length === 0) return cliclick(press);
  const held = heldNames(modifiers);
  return cliclick(`kd:${held}`, press, `ku:${held}`);
}

function heldNames(modifiers: readonly Modifier[]): string {
  return modifiers.map((each) => each === "super" ? "cmd" : each).join(",");
}

function pressOf(key: string): string | undefined {
  if (key.length === 1) return `t:${key}`;
  const name = /^f([1-9]|1[0-6])$/.test(key) ? key : NAMED[key];
  return name && `kp:${name}`;
}

/** Names that `cliclick` has for keys. */
const NAMED: Readonly<Record<string, string>> = {
  enter: "return",
  escape: "esc",
  tab: "tab",
  space: "space",
  backspace: "delete",
  delete: "fwd-delete",
  home: "home",
  end: "end",
  pageup: "page-up",
  pagedown: "page-down",
  up: "arrow-up",
  down: "arrow-down",
  left: "arrow-left",
  right: "arrow-right",
};
