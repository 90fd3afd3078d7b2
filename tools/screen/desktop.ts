import type { Size } from "../image/picture.ts";
import type { AccessibleTree } from "./accessible.ts";
import type { Chord } from "./chord.ts";
import type { Screen, ScreenWindow } from "./screen.ts";

/** The person's desktop, to look at and to act on as they would. */
export interface Desktop extends Screen, DesktopLook {
  /**
   * Acts, and resolves once the display has taken it; what programs make of it comes later.
   * @throws {Error} where it cannot be done; the message is one sentence.
   */
  act(act: DesktopAct, signal: AbortSignal): Promise<void>;
}

/** What of a desktop can be seen without a picture. */
export interface DesktopLook {
  /** Of all of the screen, in its pixels. */
  size(signal: AbortSignal): Promise<Size>;
  /** The windows that can be seen, the hindmost first. */
  apps(signal: AbortSignal): Promise<readonly DesktopWindow[]>;
  /** What programs tell of the elements of their windows. */
  elements(signal: AbortSignal): Promise<AccessibleTree>;
  /** The window that keys go to; undefined where nobody can tell. */
  focused(signal: AbortSignal): Promise<DesktopWindow | undefined>;
}

/** A window, and what it is as far as that matters for what is typed into it. */
export interface DesktopWindow extends ScreenWindow {
  readonly isTerminal: boolean;
  /** The field that keys go to does not show what is typed. */
  readonly hidesKeys?: boolean;
}

/** A place on the screen, in its pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One thing that a hand does at a mouse or a keyboard. */
export type DesktopAct =
  | { readonly kind: "move"; readonly at: Point }
  /** `count`: 2 is a double click. */
  | {
    readonly kind: "click";
    readonly at: Point;
    readonly button: "left" | "right";
    readonly count: 1 | 2;
  }
  | { readonly kind: "drag"; readonly from: Point; readonly to: Point }
  | {
    readonly kind: "scroll";
    readonly at: Point;
    readonly direction: "up" | "down" | "left" | "right";
    /** Notches of a wheel. */
    readonly amount: number;
  }
  | { readonly kind: "type"; readonly text: string }
  | { readonly kind: "key"; readonly chord: Chord }
  | { readonly kind: "focus"; readonly window: string };
