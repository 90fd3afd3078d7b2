import type { OpenProcess, ProcessOpener } from "../../sandbox/commands/open_process.ts";
import { CommandError } from "../../sandbox/commands/commands.ts";
import { after, stopAt } from "../../sandbox/commands/timers.ts";

/** A program that reads one JSON object and may answer with another. */
export interface HookProgram {
  /** For `bash -c`. */
  readonly command: string;
  readonly timeoutMs: number;
}

/** How a program of a hook ended. */
export type HookRun =
  | {
    readonly kind: "ended";
    /** A signal is told as shells do, 128 and its number. */
    readonly exitCode: number;
    readonly stdout: string;
    readonly stderr: string;
  }
  | { readonly kind: "timed_out" }
  | { readonly kind: "aborted" }
  | {
    readonly kind: "not_started";
    /** As a sentence. */
    readonly problem: string;
  };

/** What is kept of each stream, in bytes; the rest is read and dropped. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/** How long output is waited for once nothing of the program should be left, in milliseconds. */
const DRAIN_MS = 2_000;

/** Runs a hook to its end or its time limit; nothing that it started goes on after it. */
export async function runHook(
  { command, timeoutMs }: HookProgram,
  input: unknown,
  opener: Pick<ProcessOpener, "open">,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<HookRun> {
  const process = await start(["bash", "-c", command], opener, options);
  if ("problem" in process) return { kind: "not_started", problem: process.problem };
  const stdout = keepStart(process.stdout);
  const stderr = keepStart(process.stderr);
  void feed(process.stdin, JSON.stringify(input));
  using limit = stopAt(timeoutMs, signal);
  const reached = await Promise.race([process.status.then(() => undefined), limit.reached]);
  await process.kill();
  using patience = after(DRAIN_MS);
  await Promise.race([Promise.all([stdout.ended, stderr.ended]), patience.passed]);
  if (reached !== undefined) return { kind: reached === "timeout" ? "timed_out" : "aborted" };
  const { code } = await process.status;
  return { kind: "ended", exitCode: code, stdout: stdout.text(), stderr: stderr.text() };
}

async function start(
  argv: readonly [string, ...string[]],
  opener: Pick<ProcessOpener, "open">,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<OpenProcess | { readonly problem: string }> {
  try {
    return await opener.open(argv, options);
  } catch (error) {
    if (error instanceof CommandError) return { problem: error.message };
    throw error;
  }
}

/** A program need not read what it is told, and may end before it has. */
async function feed(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The pipe is gone with its reader, whose end is told by its status.
  }
}

interface KeptOutput {
  readonly ended: Promise<void>;
  text(): string;
}

/** The first bytes of a stream, which is read to its end. */
function keepStart(stream: ReadableStream<Uint8Array>): KeptOutput {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  async function read(): Promise<void> {
    for await (const piece of stream) {
      const room = MAX_OUTPUT_BYTES - bytes;
      if (room > 0) pieces.push(piece.subarray(0, room));
      bytes += Math.min(piece.length, room);
    }
  }
  return {
    // A pipe that breaks has ended.
    ended: read().catch(() => {}),
    text() {
      const whole = new Uint8Array(bytes);
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.length;
      }
      return new TextDecoder().decode(whole);
    },
  };
}
