import type { Size } from "../image/picture.ts";

/** The person's screen, to look at; it lies outside of whatever confines commands. */
export interface Screen {
  /**
   * A picture of all of it.
   * @throws {Error} where the program that takes it fails; the message is one sentence.
   */
  capture(signal: AbortSignal): Promise<Capture>;
  /** Its windows, the hindmost first; undefined where nothing here can tell them. */
  windows(signal: AbortSignal): Promise<readonly ScreenWindow[] | undefined>;
}

/** A picture of the screen as the program made it. */
export interface Capture {
  readonly png: Uint8Array;
  /** The program that took it. */
  readonly program: string;
}

/** A window that can be seen. */
export interface ScreenWindow {
  /** As its system knows it. */
  readonly id: string;
  readonly title: string;
  /** On the screen, in its pixels; parts may lie outside. */
  readonly place: Size & { readonly x: number; readonly y: number };
}
