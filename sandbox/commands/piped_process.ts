import { CommandError } from "./commands.ts";
import type { Environment } from "./environment.ts";

/** A process that is talked to over its pipes, wherever and however confined it runs. */
export interface PipedProcess {
  /** Of the process on the host. */
  readonly pid: number;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** Resolves when it has ended. */
  readonly status: Promise<PipedStatus>;
  /** Ends it for certain, by SIGKILL; does nothing where it has ended. */
  kill(): void;
}

/** How a process ended. */
export interface PipedStatus {
  readonly code: number;
  /** As "SIGKILL"; null where it ended by itself. */
  readonly signal: string | null;
}

export interface PipedOptions {
  readonly environment: Environment;
  /** Absolute; default that of this process. */
  readonly cwd?: string;
  /** Another user, where this process is root. */
  readonly runAs?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Starts a program by its argument array, with pipes to all three streams and this whole
 * environment.
 * @throws {CommandError} where it cannot be started.
 */
export function startPiped(
  [program, ...args]: readonly [string, ...string[]],
  { environment, cwd, runAs }: PipedOptions,
): PipedProcess {
  try {
    const child = new Deno.Command(program, {
      args,
      ...(cwd !== undefined && { cwd }),
      clearEnv: true,
      env: { ...environment },
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      ...runAs,
    }).spawn();
    return pipedProcess(child);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`Cannot start "${program}": ${why}`, { cause });
  }
}

function pipedProcess(child: Deno.ChildProcess): PipedProcess {
  let ended = false;
  const status = child.status.then((status) => {
    ended = true;
    return status;
  });
  const { pid, stdin, stdout, stderr } = child;
  return {
    pid,
    stdin,
    stdout,
    stderr,
    status,
    kill() {
      // To a process that has ended no signal can be sent: Deno throws.
      if (!ended) child.kill("SIGKILL");
    },
  };
}
