import { join } from "node:path";
import type { Capture } from "../../tools/screen/screen.ts";
import type { Display } from "./display.ts";
import { missingRight } from "./macos_rights.ts";
import { type ProgramEnd, runProgram } from "./run_program.ts";

/** A program that takes pictures of the whole screen, as PNG. */
export interface CaptureProgram {
  readonly name: string;
  readonly debianPackage?: string;
  /** Its arguments; `file` is where it writes, for those that cannot write to standard output. */
  readonly args: (file: string) => readonly string[];
  readonly output: "stdout" | "file";
}

const GNOME: CaptureProgram = {
  name: "gnome-screenshot",
  debianPackage: "gnome-screenshot",
  args: (file) => [`--file=${file}`],
  output: "file",
};

/** By the kind of display, the best first. */
export const CAPTURE_PROGRAMS: Readonly<Record<Display["kind"], readonly CaptureProgram[]>> = {
  x11: [
    { name: "scrot", debianPackage: "scrot", args: () => ["--silent", "-"], output: "stdout" },
    {
      name: "import",
      debianPackage: "imagemagick",
      args: () => ["-silent", "-window", "root", "png:-"],
      output: "stdout",
    },
    GNOME,
  ],
  wayland: [
    { name: "grim", debianPackage: "grim", args: () => ["-t", "png", "-"], output: "stdout" },
    GNOME,
  ],
  macos: [{ name: "screencapture", args: (file) => ["-x", "-t", "png", file], output: "file" }],
};

/** How a capture is taken here. */
export interface CaptureParts {
  readonly program: CaptureProgram;
  /** Where it is; absolute. */
  readonly path: string;
  readonly display: Display;
  /** Makes a folder for its owner alone, for programs that write files; the caller removes it. */
  readonly privateFolder: () => Promise<string>;
}

/**
 * Takes a picture of the screen.
 * @throws {Error} where the program fails, in one sentence.
 */
export async function takeCapture(
  { program, path, display, privateFolder }: CaptureParts,
  signal: AbortSignal,
): Promise<Capture> {
  const { name, args, output } = program;
  const take = async (file: string) => {
    const end = await runProgram([path, ...args(file)], display.environment, signal);
    if (end.code !== 0) throw failed(name, whyFailed(end));
    return end.stdout;
  };
  if (output === "stdout") return { png: nonEmpty(name, await take("")), program: name };
  const folder = await privateFolder();
  try {
    const file = join(folder, "screen.png");
    const words = await take(file);
    return { png: nonEmpty(name, await readIfThere(file) ?? words), program: name };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Some say nothing and write nothing where the person has not allowed it. */
function nonEmpty(name: string, png: Uint8Array): Uint8Array {
  if (png.length > 0) return png;
  throw failed(name, "it made no picture, the right to record the screen may be missing");
}

async function readIfThere(file: string): Promise<Uint8Array | undefined> {
  try {
    return await Deno.readFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function whyFailed({ code, words }: ProgramEnd): string {
  return missingRight(words) ?? (words || `it ended with exit code ${code}`);
}

function failed(name: string, why: string): Error {
  return new Error(`Cannot take a picture of the screen by ${name}: ${why}`);
}
