import { cleanLine } from "../web/outside.ts";
import type { Screen, ScreenWindow } from "./screen.ts";

/** A window, or why none is meant. */
export type FoundWindow =
  | { readonly ok: true; readonly window: ScreenWindow }
  | {
    readonly ok: false;
    readonly reason: "unavailable" | "no_window" | "ambiguous";
    readonly message: string;
  };

/** Titles that a refusal lists at the most. */
const MAX_LISTED = 20;

/** The one window whose title is, or else holds, the text; letter case plays no part. */
export async function findWindow(
  title: string,
  screen: Pick<Screen, "windows">,
  signal: AbortSignal,
): Promise<FoundWindow> {
  const windows = await screen.windows(signal);
  if (!windows) {
    const message =
      `Cannot find "${title}": windows are told by xdotool on X11, and on macOS: take ` +
      "all of the screen, or a region";
    return { ok: false, reason: "unavailable", message };
  }
  const found = matching(title, windows.map(cleaned));
  const [window] = found;
  if (window && found.length === 1) return { ok: true, window };
  const some = found.length > 0;
  const titles = listed((some ? found : windows).map((each) => cleaned(each).title));
  return some
    ? { ok: false, reason: "ambiguous", message: `Several windows are "${title}": ${titles}` }
    : { ok: false, reason: "no_window", message: `No window is "${title}"; there is ${titles}` };
}

/** Titles are written by whoever made the window. */
function cleaned(window: ScreenWindow): ScreenWindow {
  return { ...window, title: cleanLine(window.title) };
}

function matching(title: string, windows: readonly ScreenWindow[]): readonly ScreenWindow[] {
  const exact = windows.filter((window) => window.title === title);
  if (exact.length > 0) return exact;
  const wanted = title.toLowerCase();
  return windows.filter((window) => window.title.toLowerCase().includes(wanted));
}

function listed(titles: readonly string[]): string {
  if (titles.length === 0) return "none";
  const shown = titles.slice(0, MAX_LISTED).map((title) => JSON.stringify(title)).join(", ");
  return titles.length > MAX_LISTED ? `${shown} and ${titles.length - MAX_LISTED} more` : shown;
}
