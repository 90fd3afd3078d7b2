import type { Desktop } from "../../tools/screen/desktop.ts";
import type { Screen } from "../../tools/screen/screen.ts";
import { CAPTURE_PROGRAMS, type CaptureProgram, takeCapture } from "./capture.ts";
import type { Display } from "./display.ts";
import { findPrograms, type FoundProgram, type ProgramPlaces } from "./find_programs.ts";
import { macDesktop, macScreen } from "./macos_desktop.ts";
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
  const names = [...programs.map(({ name }) => name), "xdotool", "cliclick", "osascript"];
  const found = await findPrograms(names, { ...places, path });
  const program = programs.find(({ name }) => found[name]?.ok);
  const place = program && found[program.name];
  if (!program || !place?.ok) return no(whyNone(programs, found));
  const capture = { program, path: place.path, display, privateFolder };
  const picture: Screen["capture"] = (signal) => takeCapture(capture, signal);
  const { kind, environment } = display;
  switch (kind) {
    case "x11":
      return x11Screen(found["xdotool"], environment, picture);
    case "macos":
      return onMac({ ...found }, environment, picture);
    case "wayland":
      return {
        ok: true,
        screen: { capture: picture, windows: () => Promise.resolve(undefined) },
        desktop: { ok: false, reason: NO_HANDS_ON_WAYLAND },
      };
  }
}

const NO_HANDS_ON_WAYLAND =
  "Wayland lets no program use mouse and keyboard for a person: log in to an X11 session";

function x11Screen(
  xdotool: FoundProgram | undefined,
  environment: Display["environment"],
  capture: Screen["capture"],
): OpenedScreen {
  if (!xdotool?.ok) {
    const reason = whyNot("xdotool", xdotool, "apt-get install xdotool");
    const screen = { capture, windows: () => Promise.resolve(undefined) };
    return { ok: true, screen, desktop: { ok: false, reason } };
  }
  const x11 = { xdotool: xdotool.path, environment };
  const screen: Screen = { capture, windows: (signal) => x11Windows(x11, signal) };
  const desktop = x11Desktop({ ...x11, python: SYSTEM_PYTHON }, screen);
  return { ok: true, screen, desktop: { ok: true, desktop } };
}

function onMac(
  { cliclick, osascript }: Readonly<Record<string, FoundProgram>>,
  environment: Display["environment"],
  capture: Screen["capture"],
): OpenedScreen {
  if (!osascript?.ok) {
    const reason = whyNot("osascript", osascript, "it is part of macOS, in /usr/bin");
    const screen = { capture, windows: () => Promise.resolve(undefined) };
    return { ok: true, screen, desktop: { ok: false, reason } };
  }
  const mac = { osascript: osascript.path, environment };
  const screen = macScreen(mac, capture);
  const desktop: OpenedDesktop = cliclick?.ok
    ? { ok: true, desktop: macDesktop({ ...mac, cliclick: cliclick.path }, screen) }
    : { ok: false, reason: whyNot("cliclick", cliclick, INSTALL_CLICLICK) };
  return { ok: true, screen, desktop };
}

const INSTALL_CLICLICK =
  "brew install cliclick (nobody has tried this tool on a Mac yet: tell us how it goes)";

function whyNot(name: string, found: FoundProgram | undefined, fix: string): string {
  return found && !found.ok && found.missing === "not granted"
    ? `--allow-run=${name}`
    : `${name} is not installed: ${fix}`;
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
