import * as z from "zod";
import type { Size } from "../image/picture.ts";
import { parseChord } from "./chord.ts";
import type { DesktopAct, Point } from "./desktop.ts";
import { onScreen } from "./scale.ts";

/** Texts typed at once at the most, in characters. */
const MAX_TEXT = 10_000;

const MAX_NOTCHES = 50;

/** How long a wait lasts where the call does not say, and at the most; in milliseconds. */
export const DEFAULT_WAIT_MS = 5_000;
export const MAX_WAIT_MS = 60_000;

/** The parameters of the tool `computer`. */
export const computerParameters = z.strictObject({
  action: z.enum([
    "screenshot",
    "move",
    "click",
    "double_click",
    "right_click",
    "drag",
    "scroll",
    "type",
    "key",
    "wait",
    "windows",
    "elements",
    "focus",
  ]),
  x: z.int().min(0).optional(),
  y: z.int().min(0).optional(),
  to_x: z.int().min(0).optional(),
  to_y: z.int().min(0).optional(),
  direction: z.enum(["up", "down", "left", "right"]).optional(),
  amount: z.int().min(1).max(MAX_NOTCHES).describe("scroll: notches, default 3").optional(),
  text: z.string().max(MAX_TEXT).optional(),
  keys: z.string().describe("As ctrl+shift+t").optional(),
  window: z.string().describe("focus: part of its title").optional(),
  timeout_ms: z.int().min(0).max(MAX_WAIT_MS).describe("wait: for a change").optional(),
});

/** The arguments of the tool `computer`. */
export type ComputerArguments = z.infer<typeof computerParameters>;

/** What a call asks for. */
export type Deed =
  | { readonly kind: "screenshot" }
  | { readonly kind: "windows" }
  | { readonly kind: "elements" }
  | { readonly kind: "wait"; readonly timeoutMs: number }
  | { readonly kind: "focus"; readonly title: string }
  | { readonly kind: "act"; readonly act: Exclude<DesktopAct, { kind: "focus" }> };

/** A deed, or what keeps the arguments from being one. */
export type ReadDeed =
  | { readonly ok: true; readonly deed: Deed }
  | { readonly ok: false; readonly problem: string };

/** Reads the arguments; coordinates of the picture become those of a screen of this size. Pure. */
export function readDeed(args: ComputerArguments, screen: Size): ReadDeed {
  const { action, text, keys, window, timeout_ms } = args;
  switch (action) {
    case "screenshot":
    case "windows":
    case "elements":
      return { ok: true, deed: { kind: action } };
    case "wait":
      return { ok: true, deed: { kind: "wait", timeoutMs: timeout_ms ?? DEFAULT_WAIT_MS } };
    case "focus":
      return window
        ? { ok: true, deed: { kind: "focus", title: window } }
        : lacks(action, "window");
    case "type":
      return text ? does({ kind: "type", text }) : lacks(action, "text");
    case "key": {
      if (!keys) return lacks(action, "keys");
      const parsed = parseChord(keys);
      return parsed.ok ? does({ kind: "key", chord: parsed.chord }) : parsed;
    }
    case "move":
    case "click":
    case "double_click":
    case "right_click":
    case "drag":
    case "scroll":
      return readPointing(action, args, screen);
  }
}

type Pointing = "move" | "click" | "double_click" | "right_click" | "drag" | "scroll";

function readPointing(action: Pointing, args: ComputerArguments, screen: Size): ReadDeed {
  const { x, y, to_x, to_y, direction, amount = 3 } = args;
  if (x === undefined || y === undefined) return lacks(action, "x and y");
  const at = onScreen({ x, y }, screen);
  if (!at) return outside({ x, y });
  switch (action) {
    case "move":
      return does({ kind: "move", at });
    case "click":
    case "double_click":
    case "right_click": {
      const button = action === "right_click" ? "right" : "left";
      return does({ kind: "click", at, button, count: action === "double_click" ? 2 : 1 });
    }
    case "scroll":
      return direction
        ? does({ kind: "scroll", at, direction, amount })
        : lacks(action, "direction");
    case "drag": {
      if (to_x === undefined || to_y === undefined) return lacks(action, "to_x and to_y");
      const to = onScreen({ x: to_x, y: to_y }, screen);
      return to ? does({ kind: "drag", from: at, to }) : outside({ x: to_x, y: to_y });
    }
  }
}

function does(act: Exclude<DesktopAct, { kind: "focus" }>): ReadDeed {
  return { ok: true, deed: { kind: "act", act } };
}

function lacks(action: string, what: string): ReadDeed {
  return { ok: false, problem: `${action} needs ${what}` };
}

function outside({ x, y }: Point): ReadDeed {
  return { ok: false, problem: `${x}, ${y} lies outside of the picture of the screen` };
}
