import { cleanLine } from "../web/outside.ts";
import type { DesktopAct, DesktopLook, DesktopWindow, Point } from "./desktop.ts";
import { findWindow } from "./find_window.ts";
import type { ScreenRefusal } from "./screen_picture.ts";

/** An act, and the window that it would go to. */
export interface Target {
  readonly act: DesktopAct;
  /** Undefined where nobody can tell, or there is none. */
  readonly window: DesktopWindow | undefined;
}

/** The window that an act goes to as the desktop is now: of keys the focused one, else that below. */
export async function targetOf(
  act: DesktopAct,
  desktop: DesktopLook,
  signal: AbortSignal,
): Promise<Target> {
  return { act, window: cleaned(await windowOf(act, desktop, signal)) };
}

async function windowOf(
  act: DesktopAct,
  desktop: DesktopLook,
  signal: AbortSignal,
): Promise<DesktopWindow | undefined> {
  switch (act.kind) {
    case "type":
    case "key":
      return await desktop.focused(signal);
    case "focus":
      return (await desktop.apps(signal)).find(({ id }) => id === act.window);
    case "move":
    case "click":
    case "scroll":
      return foremost(await desktop.apps(signal), act.at);
    case "drag":
      return foremost(await desktop.apps(signal), act.from);
  }
}

/** What it takes to bring the window of a title to the front, or why none is meant. */
export async function focusTarget(
  title: string,
  desktop: DesktopLook,
  signal: AbortSignal,
): Promise<Target | ScreenRefusal> {
  const found = await findWindow(title, { windows: () => desktop.apps(signal) }, signal);
  if (!found.ok) return found;
  return await targetOf({ kind: "focus", window: found.window.id }, desktop, signal);
}

function foremost(windows: readonly DesktopWindow[], { x, y }: Point): DesktopWindow | undefined {
  return windows.findLast(({ place }) =>
    x >= place.x && y >= place.y && x < place.x + place.width && y < place.y + place.height
  );
}

/** Titles are written by whoever made the window. */
function cleaned(window: DesktopWindow | undefined): DesktopWindow | undefined {
  return window && { ...window, title: cleanLine(window.title) };
}
