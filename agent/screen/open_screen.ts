import type { Screen } from "../../tools/screen/screen.ts";
import { CAPTURE_PROGRAMS, type CaptureProgram, takeCapture } from "./capture.ts";
import type { Display } from "./display.ts";
import { findPrograms, type FoundProgram, type ProgramPlaces } from "./find_programs.ts";
import { x11Windows } from "./x11_windows.ts";

/** The person's screen, or why there is none for a tool, with what helps. */
export type OpenedScreen =
  | { readonly ok: true; readonly screen: Screen }
  | { readonly ok: false; readonly reason: string };

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
  const xdotool = display.kind === "x11" ? found["xdotool"] : undefined;
  return {
    ok: true,
    screen: {
      capture: (signal) => takeCapture(capture, signal),
      async windows(signal) {
        if (!xdotool?.ok) return undefined;
        const { environment } = display;
        return await x11Windows({ xdotool: xdotool.path, environment }, signal);
      },
    },
  };
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
