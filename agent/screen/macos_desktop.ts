import type { Desktop, DesktopAct } from "../../tools/screen/desktop.ts";
import type { Screen } from "../../tools/screen/screen.ts";
import { letGo, type MacCall, macCalls } from "./cliclick.ts";
import { type MacLook, type Osascript, readMacLook, runMacScript } from "./macos_look.ts";
import { missingRight, rightText } from "./macos_rights.ts";
import { type ProgramOptions, runProgram } from "./run_program.ts";

/** The screen of a Mac: `capture` takes its pictures, `osascript` tells its windows. */
export function macScreen(mac: Osascript, capture: Screen["capture"]): Screen {
  return {
    async capture(signal) {
      // Without the right the picture is that of an empty desktop, and nothing says so. Where macOS
      // does not answer, the picture is taken all the same.
      const mayRecord = await look(mac, signal).then((seen) => seen.mayRecord, () => true);
      if (mayRecord) return await capture(signal);
      throw new Error(`Cannot take a picture of the screen: ${rightText("Screen Recording")}`);
    },
    windows: async (signal) => (await look(mac, signal)).windows,
  };
}

/** The desktop of a Mac, driven by `cliclick` and, where that has no command, by `osascript`. */
export function macDesktop(
  mac: Osascript & {
    /** Absolute. */
    readonly cliclick: string;
  },
  screen: Screen,
): Desktop {
  const call = async ({ program, args, ...limit }: MacCall, signal: AbortSignal) => {
    if (program === "script") await runMacScript(mac, args, signal);
    else await runCliclick(mac, args, signal, limit);
  };
  return {
    ...screen,
    size: async (signal) => (await look(mac, signal)).size,
    apps: async (signal) => (await look(mac, signal)).windows,
    focused: async (signal) => (await look(mac, signal)).focused,
    elements: () => Promise.resolve({ ok: false, message: NO_ELEMENTS }),
    async act(act, signal) {
      const { scale } = await look(mac, signal);
      const made = macCalls(act, scale);
      if (!made.ok) throw new Error(`Cannot ${act.kind}: ${made.problem}`);
      try {
        for (const each of made.calls) await call(each, signal);
      } catch (error) {
        await release(act, mac);
        throw error;
      }
    },
  };
}

const NO_ELEMENTS = "Cannot tell the elements of windows: on macOS nothing here asks for them";

async function look(mac: Osascript, signal: AbortSignal): Promise<MacLook> {
  return readMacLook(await runMacScript(mac, ["look"], signal));
}

type Cliclick = Pick<Parameters<typeof macDesktop>[0], "cliclick" | "environment">;

/** On standard input no other process sees what is typed, as it would an argument. */
async function runCliclick(
  { cliclick, environment }: Cliclick,
  commands: readonly string[],
  signal: AbortSignal,
  limit: Pick<ProgramOptions, "limitMs"> = {},
): Promise<void> {
  const input = commands.map((line) => `${line}\n`).join("");
  const { code, stdout, words } = await runProgram(
    [cliclick, "-f", "-"],
    environment,
    signal,
    { input, ...limit },
  );
  // It says what is wrong on standard output, and ends well where it lacks a right.
  const said = `${words} ${new TextDecoder().decode(stdout)}`;
  const right = missingRight(said);
  if (right === undefined && code === 0) return;
  // What else it says may hold what was typed.
  throw new Error(`Cannot use mouse and keyboard by cliclick: ${right ?? `exit code ${code}`}`);
}

/** Keys and buttons that nobody lets go of would spoil whatever the person does next. */
async function release(act: DesktopAct, mac: Cliclick): Promise<void> {
  const command = letGo(act);
  if (command === undefined) return;
  // The first error is the one to tell.
  await runCliclick(mac, [command], new AbortController().signal).catch(() => {});
}
