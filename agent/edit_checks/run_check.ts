import { CommandError, type Commands } from "../../sandbox/commands/commands.ts";
import { FILE_WORD } from "./checks_schema.ts";

/** A program that a check runs. */
export interface CheckProgram {
  readonly argv: readonly string[];
  readonly timeoutMs: number;
}

/** How a check's program ended. */
export type CheckRun =
  | {
    readonly ok: true;
    readonly exitCode: number;
    /** What it wrote, standard error last. */
    readonly output: string;
    /** What was done about files that it made and that are obeyed unasked. */
    readonly notes: readonly string[];
  }
  /** Half a sentence. */
  | { readonly ok: false; readonly problem: string };

/** Half a minute would be felt with each edit. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** Runs a program on a file in the workspace. */
export async function runCheck(
  { argv, timeoutMs }: CheckProgram,
  file: string | undefined,
  commands: Pick<Commands, "run">,
  workspace: string,
  signal: AbortSignal,
): Promise<CheckRun> {
  const words = argv.map((word) =>
    file === undefined ? word : word.replaceAll(FILE_WORD, () => file)
  );
  const [program = "", ...args] = words;
  try {
    const result = await commands.run([program, ...args], { cwd: workspace, timeoutMs, signal });
    const { stdout, stderr, exitCode, timedOut, signal: killedBy, notes = [] } = result;
    if (timedOut) return { ok: false, problem: `it took more than ${timeoutMs / 1000} s` };
    if (exitCode === null) return { ok: false, problem: `it was ended by ${killedBy}` };
    const output = [stdout, stderr].map(({ head, tail }) => head + tail).filter(Boolean).join("\n");
    return { ok: true, exitCode, output, notes };
  } catch (error) {
    if (error instanceof CommandError) return { ok: false, problem: error.message };
    throw error;
  }
}

/** A timeout of a configuration file, in milliseconds. */
export function timeoutOf(seconds: number | undefined): number {
  return seconds === undefined ? DEFAULT_TIMEOUT_MS : Math.ceil(seconds * 1000);
}

/** A program and its first arguments, as a person calls it. */
export function nameOfProgram(argv: readonly string[]): string {
  return argv.filter((word) => !word.includes(FILE_WORD)).slice(0, 2).join(" ");
}
