import type { Desktop } from "../../tools/screen/desktop.ts";
import type { Screen } from "../../tools/screen/screen.ts";
import { CAPTURE_PROGRAMS, type CaptureProgram, takeCapture } from "./capture.ts";
import type { Display } from "./display.ts";
import { findPrograms, type FoundProgram, type ProgramPlaces } from "./find_programs.ts";
import { x11Desktop } from "./x11_desktop.ts";
import { x11Windows } from "./x11_windows.ts";

/** The person's screen, or why there is none for a tool, with what helps. */
export type OpenedScreen =
  | { readonly ok: true; readonly screen: Screen; readonly desktop: OpenedDesktop }
  | { readonly ok: false; readonly reason: string };

/** The desktop on it, or why nothing can be done there, with what helps. */
export type OpenedDesktop =
  | { readonly ok: true; readonly desktop: Desktop }
  | { readonly ok: false; readonly reason: string };

/** The Python for which a distribution installs what asks programs for their elements. */
const SYSTEM_PYTHON = "/usr/bin/python3";

/** What a screen is opened with. */
export interface ScreenParts {
  /** Undefined: there is none. */
  readonly display: Display | undefined;
  readonly places: Omit<ProgramPlaces, "path">;
  /** Makes a folder for its owner alone; the caller removes it. */
  readonly privateFolder: () => Promise<string>;
}

/** Finds out whether the screen can be looked at from here, and by which program. */
export async function openScreen(
  { display, places, privateFolder }: ScreenParts,
): Promise<OpenedScreen> {
  if (!display) {
    return no("there is no display: start Cordon in a desktop session, where DISPLAY is set");
  }
  const programs = CAPTURE_PROGRAMS[display.kind];
  const path = display.environment["PATH"] ?? "/usr/bin:/bin";
  const names = [...programs.map(({ name }) => name), "xdotool"];
  const found = await findPrograms(names, { ...places, path });
  const program = programs.find(({ name }) => found[name]?.ok);
  const place = program && found[program.name];
  if (!program || !place?.ok) return no(whyNone(programs, found));
  const capture = { program, path: place.path, display, privateFolder };
  const { environment } = display;
  const xdotool = display.kind === "x11" ? found["xdotool"] : undefined;
  const x11 = xdotool?.ok ? { xdotool: xdotool.path, environment } : undefined;
  const screen: Screen = {
    capture: (signal) => takeCapture(capture, signal),
    windows: async (signal) => x11 && await x11Windows(x11, signal),
  };
  const desktop: OpenedDesktop = x11
    ? { ok: true, desktop: x11Desktop({ ...x11, python: SYSTEM_PYTHON }, screen) }
    : { ok: false, reason: whyNoDesktop(display.kind, xdotool) };
  return { ok: true, screen, desktop };
}

function whyNoDesktop(kind: Display["kind"], xdotool: FoundProgram | undefined): string {
  switch (kind) {
    case "x11":
      return xdotool && !xdotool.ok && xdotool.missing === "not granted"
        ? "--allow-run=xdotool"
        : "xdotool is not installed: apt-get install xdotool";
    case "wayland":
      return "Wayland lets no program use mouse and keyboard for a person: log in to an X11 session";
    case "macos":
      return "mouse and keyboard of macOS are not supported yet";
  }
}

function whyNone(
  programs: readonly CaptureProgram[],
  found: Readonly<Record<string, FoundProgram>>,
): string {
  const forbidden = programs.filter(({ name }) => {
    const each = found[name];
    return each && !each.ok && each.missing === "not granted";
  });
  if (forbidden.length > 0) return `--allow-run=${forbidden.map(({ name }) => name).join("|")}`;
  const names = programs.map(({ name }) => name).join(", ");
  const [first] = programs;
  const fix = first?.debianPackage ? `: apt-get install ${first.debianPackage}` : "";
  return `no program that takes screenshots is installed (${names})${fix}`;
}

function no(reason: string): OpenedScreen {
  return { ok: false, reason };
}
