import type { ProcessOpener } from "./open_process.ts";
import type { Shell } from "./shell.ts";

/**
 * The capability `commands`: runs programs by argument array, confined as this machine and profile
 * allow. Two implementations: a process group (`process_group.ts`) and the kernel view.
 */
export interface Commands extends ProcessOpener {
  /** The shell's working folder, absolute: where a command starts unless it says otherwise. */
  readonly cwd: string;
  /** Where the `bash` tool keeps its state between calls. */
  readonly shell: Shell;
  /**
   * Runs a program to its end, its time limit or the abort of `signal`; nothing of its process
   * group is left behind. A non-zero exit is a result, not an error.
   * @throws {CommandError} where the program cannot be started.
   */
  run(argv: readonly [string, ...string[]], options: CommandOptions): Promise<CommandResult>;
}

export interface CommandOptions {
  /** Absolute; default {@linkcode Commands.cwd}. */
  readonly cwd?: string;
  /** Variables on top of the fixed environment of commands. */
  readonly env?: Readonly<Record<string, string>>;
  /** After this the process group is ended. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Name of the spill file in the session's folder for output past the memory limit. */
  readonly spill?: string;
  /** Text as it comes, control sequences removed. */
  onOutput?(stream: "stdout" | "stderr", text: string): void;
}

/** How a command ended; the same fields for every ending. */
export interface CommandResult {
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  /** As "SIGTERM"; null where it ended by itself. */
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The signal given in the options was raised. */
  readonly aborted: boolean;
  readonly durationMs: number;
  /** Processes that it left running and that were ended. */
  readonly backgroundEnded: number;
  /** Where the whole output lies, of which `bytes` were kept; absent where all is in memory. */
  readonly spill?: { readonly path: string; readonly bytes: number };
}

/** One stream of output, bounded in memory: all of it, or its head and tail. */
export interface Captured {
  readonly head: string;
  /** Empty where nothing was left out. */
  readonly tail: string;
  /** Bytes that the command wrote, before control sequences were removed. */
  readonly bytes: number;
  /** Bytes of text (UTF-8, control sequences removed) left out between head and tail. */
  readonly omitted: number;
}

/** A program could not be started. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
