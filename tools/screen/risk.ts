import type { ScreenAct } from "../tool.ts";
import { type Chord, chordText, isDrastic } from "./chord.ts";
import type { DesktopAct, DesktopWindow, Point } from "./desktop.ts";

/** Titles of windows that ask for what nobody but the person should give. */
const SECRETIVE =
  /passw|passphrase|passcode|\bpin\b|log ?in|sign ?in|unlock|keyring|wallet|authenticat|polkit|sudo|credential|2fa|one-time/i;

/**
 * How much an act may do, by the window that it goes to: what is typed into a terminal is run, what
 * asks for a password gets what is typed, and where nobody knows the window it may be either.
 */
export function riskOf(act: DesktopAct, window: DesktopWindow | undefined): ScreenAct {
  switch (act.kind) {
    case "move":
    case "scroll":
    case "focus":
      return "act";
    case "click":
    case "drag":
      return window && asksForSecret(window) ? "sensitive" : "act";
    case "type":
      return goesAstray(window) ? "sensitive" : "act";
    case "key":
      return goesAstray(window) || isDrastic(act.chord) ? "sensitive" : "act";
  }
}

function goesAstray(window: DesktopWindow | undefined): boolean {
  return !window || window.isTerminal || asksForSecret(window);
}

function asksForSecret({ title, hidesKeys }: DesktopWindow): boolean {
  return hidesKeys === true || SECRETIVE.test(title);
}

/** What an act does, as half a sentence; of a text it has the length alone, of a window the kind. */
export function actText(act: DesktopAct, window: DesktopWindow | undefined): string {
  const where = ` in ${windowText(window)}`;
  switch (act.kind) {
    case "move":
      return `moves the mouse to ${pointText(act.at)}`;
    case "click":
      return `${clickText(act)} at ${pointText(act.at)}${where}`;
    case "drag":
      return `drags from ${pointText(act.from)} to ${pointText(act.to)}${where}`;
    case "scroll":
      return `scrolls ${act.direction} by ${act.amount} at ${pointText(act.at)}${where}`;
    case "type":
      return `types ${lengthText(act.text)}${where}`;
    case "key":
      return `strikes ${keyText(act.chord)}${where}`;
    case "focus":
      return `brings ${windowText(window)} to the front`;
  }
}

function windowText(window: DesktopWindow | undefined): string {
  if (!window) return "a window that is not known";
  if (window.isTerminal) return "a terminal";
  return asksForSecret(window) ? "a window that asks for a secret" : "a window";
}

/** How long a text is, which is all that is kept of it. */
export function lengthText(text: string): string {
  const count = [...text].length;
  return `${count} character${count === 1 ? "" : "s"}`;
}

/** A chord; of a letter alone that it is one, since words can be struck letter by letter. */
export function keyText(chord: Chord): string {
  const printed = chord.key.length === 1 && chord.modifiers.every((held) => held === "shift");
  return printed ? lengthText(chord.key) : chordText(chord);
}

function clickText({ button, count }: Extract<DesktopAct, { kind: "click" }>): string {
  if (count === 2) return "double-clicks";
  return button === "right" ? "right-clicks" : "clicks";
}

function pointText({ x, y }: Point): string {
  return `${x}, ${y}`;
}
