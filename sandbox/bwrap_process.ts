import { CommandError } from "./commands.ts";
import type { Environment } from "./environment.ts";

export interface BwrapRun {
  /** Variables of bubblewrap and of what it starts; PATH says where bubblewrap is found. */
  readonly environment: Environment;
  /** Bytes on its standard input: the seccomp filter. */
  readonly input?: Uint8Array<ArrayBuffer>;
  readonly runAs?: { readonly uid: number; readonly gid: number } | undefined;
}

/** A bubblewrap that was started. */
export interface BwrapProcess {
  readonly child: Deno.ChildProcess;
  /** Resolves when the filter was handed over, or could not be since the process has ended. */
  readonly fed: Promise<void>;
}

/**
 * Starts bubblewrap, the only program that runs on the host itself. To be called on the main
 * thread: `--die-with-parent` means the thread that started it.
 * @throws {CommandError} where it cannot be started.
 */
export function startBwrap(args: readonly string[], run: BwrapRun): BwrapProcess {
  const child = spawnBwrap(args, run);
  return { child, fed: feed(child, run.input ?? new Uint8Array()) };
}

function spawnBwrap(args: readonly string[], { environment, runAs }: BwrapRun): Deno.ChildProcess {
  try {
    return new Deno.Command("bwrap", {
      args: [...args],
      cwd: "/",
      clearEnv: true,
      env: { ...environment },
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      ...runAs,
    }).spawn();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`Cannot start "bwrap": ${why}`, { cause });
  }
}

async function feed({ stdin }: Deno.ChildProcess, input: Uint8Array<ArrayBuffer>): Promise<void> {
  const writer = stdin.getWriter();
  try {
    if (input.length > 0) await writer.write(input);
    await writer.close();
  } catch (error) {
    // It ended before it read the filter, and says why on standard error.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** How a run of bubblewrap ended that answers by its output. */
export interface BwrapAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/**
 * Runs a script of ours to its end.
 * @throws {CommandError} where bubblewrap cannot be started.
 */
export async function askBwrap(
  args: readonly string[],
  run: BwrapRun & { readonly timeoutMs: number },
): Promise<BwrapAnswer> {
  const { child, fed } = startBwrap(args, run);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, run.timeoutMs);
  try {
    const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
    const [{ code }, [stdout = "", stderr = ""]] = await Promise.all([
      child.status,
      Promise.all(texts),
      fed,
    ]);
    return { code, stdout, stderr, timedOut };
  } finally {
    clearTimeout(timer);
  }
}
