import type { Captured } from "./commands.ts";
import type { PipedStatus } from "./piped_process.ts";

/** The part of `commands` for programs that are talked to: interpreters, terminals, servers. */
export interface ProcessOpener {
  /**
   * Starts a program with pipes to its three streams, confined as every command; it lives until it
   * ends, is killed or the session ends. That it could not be started shows in its end, with the
   * reason on its standard error, where something of ours had to be started before it.
   * @throws {CommandError} where nothing could be started at all.
   */
  open(argv: readonly [string, ...string[]], options?: OpenOptions): Promise<OpenProcess>;
  /** Keeps output of an opened program as that of a command is kept: bounded, the whole in a file. */
  collect(options?: CollectOptions): OutputCollector;
}

export interface OpenOptions {
  /** Absolute; default the shell's working folder. */
  readonly cwd?: string;
  /** Variables on top of the fixed environment of commands. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that is talked to over its pipes. */
export interface OpenProcess {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** Resolves when it has ended. */
  readonly status: Promise<PipedStatus>;
  /**
   * Ends it and what it started: with a kernel view all of it at once, without one its process
   * group, by SIGTERM first. Resolves when it has ended.
   */
  kill(): Promise<void>;
}

export interface CollectOptions {
  /** Name of the spill file in the session's folder for output past the memory limit. */
  readonly spill?: string;
  /** Text as it comes, control sequences removed. */
  onOutput?(stream: "stdout" | "stderr", text: string): void;
}

/** Takes the bytes of two streams and keeps them in bounded memory and disk. */
export interface OutputCollector {
  write(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** Ends both streams; to be called once. */
  close(): CollectedOutput;
}

/** What was collected; `spill` as in the result of a command. */
export interface CollectedOutput {
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly spill?: { readonly path: string; readonly bytes: number };
}

/** The opened processes of a session, so that none outlives it. */
export class OpenProcesses implements AsyncDisposable {
  readonly #living = new Set<OpenProcess>();

  /** Remembers a process until it has ended. */
  add(process: OpenProcess): OpenProcess {
    this.#living.add(process);
    process.status.then(() => this.#living.delete(process));
    return process;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#living].map((process) => process.kill()));
  }
}
