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
  /**
   * Starts a program that nothing ends but itself, {@linkcode RunningCommand.stop} and the end of
   * this process (without a kernel view only where that is an orderly one); resolves once it runs.
   * @throws {CommandError} where the program cannot be started.
   */
  start(argv: readonly [string, ...string[]], options: StartOptions): Promise<RunningCommand>;
}

export interface StartOptions {
  /** Absolute; default {@linkcode Commands.cwd}. */
  readonly cwd?: string;
  /** Variables on top of the fixed environment of commands. */
  readonly env?: Readonly<Record<string, string>>;
  /** Name of the spill file in the session's folder for output past the memory limit. */
  readonly spill?: string;
  /** Text as it comes, control sequences removed. */
  onOutput?(stream: "stdout" | "stderr", text: string): void;
}

export interface CommandOptions extends StartOptions {
  /** After this the process group is ended. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A program that runs, and whose output is looked at as it comes. */
export interface RunningCommand {
  /** Of its process on the host, in a kernel view that of the sandbox around it. */
  readonly pid: number;
  /** When it was started, as `performance.now()`. */
  readonly startedAt: number;
  /**
   * Resolves when nothing of it is left; the output is what no look has shown. `aborted` where
   * `stop` ended it.
   */
  readonly ended: Promise<CommandResult>;
  /** What it has written since the look before; nothing once `ended` has resolved. */
  look(): Look;
  /** The same without counting as a look: what it shows is new for the next one still. */
  peek(): Look;
  /** Calls the listener with text as it comes, control sequences removed, until disposed. */
  listen(listener: (stream: "stdout" | "stderr", text: string) => void): Disposable;
  /** SIGTERM to all of it, SIGKILL after the grace; resolves when it has ended. */
  stop(graceMs: number): Promise<void>;
}

/** New output of a running command: every byte of it is in one look, or counted in it as omitted. */
export interface Look {
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** As in {@linkcode CommandResult}, so far. */
  readonly spill?: Spilled;
}

/** Where output lies on disk: from the first byte on, up to a limit. */
export interface Spilled {
  readonly path: string;
  readonly bytes: number;
  /** The text of both streams from the start on, in bytes: where it is more, the rest is dropped. */
  readonly of: number;
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
  /** The signal given in the options was raised, or it was stopped. */
  readonly aborted: boolean;
  readonly durationMs: number;
  /** Processes that it left running and that were ended. */
  readonly backgroundEnded: number;
  /** What was done about files that it made and that are obeyed unasked; absent: nothing. */
  readonly notes?: readonly string[];
  /** Where the whole output lies; absent where it was never more than memory holds. */
  readonly spill?: Spilled;
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
