import type { Environment } from "../commands/environment.ts";
import { type PipedProcess, startPiped } from "../commands/piped_process.ts";
import { after } from "../commands/timers.ts";

export interface BwrapRun {
  /** Variables of bubblewrap and of what it starts; PATH says where bubblewrap is found. */
  readonly environment: Environment;
  /** Bytes on its standard input: the seccomp filter. */
  readonly input?: Uint8Array;
  readonly runAs?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Starts bubblewrap, the only program that runs on the host itself, and hands it the filter. To be
 * called on the main thread: `--die-with-parent` means the thread that started it.
 * @throws {CommandError} where it cannot be started.
 */
export function startBwrap(
  args: readonly string[],
  { environment, input = new Uint8Array(), runAs }: BwrapRun,
): PipedProcess & { readonly fed: Promise<void> } {
  const process = startPiped(["bwrap", ...args], { environment, cwd: "/", runAs });
  return { ...process, fed: feed(process.stdin, input) };
}

/** Resolves when the input was handed over, or could not be since the process has ended. */
async function feed(stdin: WritableStream<Uint8Array>, input: Uint8Array): Promise<void> {
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
  const process = startBwrap(args, run);
  using limit = after(run.timeoutMs);
  let timedOut = false;
  limit.passed.then(() => {
    timedOut = true;
    process.kill();
  });
  const [{ code }, stdout, stderr] = await Promise.all([
    process.status,
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
    process.fed,
  ]);
  return { code, stdout, stderr, timedOut };
}
