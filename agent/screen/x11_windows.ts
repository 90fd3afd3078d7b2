import type { ScreenWindow } from "../../tools/screen/screen.ts";
import type { Environment } from "../../sandbox/commands/environment.ts";
import { runProgram } from "./run_program.ts";

/** How windows of X11 are found. */
export interface X11 {
  /** Where `xdotool` is; absolute. */
  readonly xdotool: string;
  readonly environment: Environment;
}

/** Every window that can be seen and has a name, the hindmost first. */
export async function x11Windows(
  { xdotool, environment }: X11,
  signal: AbortSignal,
): Promise<readonly ScreenWindow[]> {
  const text = async (...args: readonly string[]) => {
    const { stdout } = await runProgram([xdotool, ...args], environment, signal);
    return new TextDecoder().decode(stdout);
  };
  const search = ["search", "--onlyvisible", "--name", "."];
  const found = geometries(await text(...search, "getwindowgeometry", "--shell", "%@"));
  const windows = await Promise.all(found.map(async (window) => {
    const title = await text("getwindowname", window.id);
    return { ...window, title: title.replace(/\n$/, "") };
  }));
  // Those that have closed meanwhile have no name any more.
  return windows.filter(({ title }) => title !== "");
}

/** What `getwindowgeometry --shell` prints: a block of `NAME=number` lines for each window. */
export function geometries(output: string): Omit<ScreenWindow, "title">[] {
  return output.split(/^(?=WINDOW=)/m).flatMap((block) => {
    const values = new Map(
      block.split("\n").map((line) => [line.split("=")[0] ?? "", line.split("=")[1] ?? ""]),
    );
    const id = values.get("WINDOW");
    const [x, y, width, height] = ["X", "Y", "WIDTH", "HEIGHT"].map((name) =>
      Number.parseInt(values.get(name) ?? "", 10)
    );
    if (!id || x === undefined || y === undefined || !width || !height) return [];
    return [{ id, place: { x, y, width, height } }];
  });
}
