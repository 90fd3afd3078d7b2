import * as z from "zod";
import type { Environment } from "../../sandbox/commands/environment.ts";
import type { DesktopWindow } from "../../tools/screen/desktop.ts";
import type { Size } from "../../tools/image/picture.ts";
import { missingRight } from "./macos_rights.ts";
import { runProgram } from "./run_program.ts";

/** How macOS is asked. */
export interface Osascript {
  /** Where `osascript` is; absolute. */
  readonly osascript: string;
  readonly environment: Environment;
}

/** What `macos_desktop.jxa look` answers; lengths in points. */
const answer = z.object({
  screen: z.object({ width: z.number(), height: z.number(), scale: z.number().positive() }),
  mayRecord: z.boolean(),
  hidesKeys: z.boolean(),
  front: z.number(),
  windows: z.array(z.object({
    id: z.number(),
    pid: z.number(),
    program: z.string(),
    title: z.string(),
    asksForSecret: z.boolean(),
    ...{ x: z.number(), y: z.number(), width: z.number(), height: z.number() },
  })),
});

/** A Mac's desktop at one moment; lengths in pixels of the screen. */
export interface MacLook {
  readonly size: Size;
  /** Pixels for each point: 2 on Retina displays. */
  readonly scale: number;
  readonly mayRecord: boolean;
  /** The hindmost first. */
  readonly windows: readonly DesktopWindow[];
  readonly focused: DesktopWindow | undefined;
}

/** Programs that run what is typed into them. */
const TERMINALS = /term|^(kitty|alacritty|ghostty|warp|hyper|tabby|rio|emacs)$/i;

/**
 * Runs `macos_desktop.jxa`; the arguments are never part of the script.
 * @throws {Error} where it fails, in one sentence, with the right that is missing.
 */
export async function runMacScript(
  { osascript, environment }: Osascript,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const { default: script } = await import("./macos_desktop.jxa", { with: { type: "bytes" } });
  const argv = [osascript, "-l", "JavaScript", "-", ...args] as const;
  const input = new TextDecoder().decode(script);
  const end = await runProgram(argv, environment, signal, { input });
  if (end.code === 0) return new TextDecoder().decode(end.stdout);
  const why = missingRight(end.words) ?? (end.words || `it ended with exit code ${end.code}`);
  throw new Error(`Cannot ask macOS by osascript: ${why}`);
}

/** Reads what the script answers. Pure. @throws {Error} where that is nothing of the kind. */
export function readMacLook(output: string): MacLook {
  const { screen, mayRecord, hidesKeys, front, windows } = parsed(output);
  const { scale } = screen;
  const pixels = (points: number) => Math.round(points * scale);
  const shown = windows.map(({ id, pid, program, title, asksForSecret, x, y, width, height }) => ({
    pid,
    window: {
      id: String(id),
      // Titles need the right to record the screen; without it the program is told.
      title: title || program,
      place: { x: pixels(x), y: pixels(y), width: pixels(width), height: pixels(height) },
      isTerminal: TERMINALS.test(program),
      ...(asksForSecret && { hidesKeys: true }),
    },
  })).filter(({ window }) => window.title !== "");
  // Who asks for the person's password takes the keyboard, whichever program is in front.
  const first = shown.find(({ window }) => window.hidesKeys) ??
    shown.find(({ pid }) => pid === front);
  return {
    size: { width: pixels(screen.width), height: pixels(screen.height) },
    ...{ scale, mayRecord },
    windows: shown.map(({ window }) => window).reverse(),
    focused: first && (hidesKeys ? { ...first.window, hidesKeys } : first.window),
  };
}

function parsed(output: string): z.infer<typeof answer> {
  try {
    return answer.parse(JSON.parse(output));
  } catch (cause) {
    throw new Error("Cannot understand what macOS says of its windows", { cause });
  }
}
