import type { Environment } from "../../sandbox/commands/environment.ts";
import { startPiped } from "../../sandbox/commands/piped_process.ts";
import { stopAt } from "../../sandbox/commands/timers.ts";

/** How a program of the screen ended. */
export interface ProgramEnd {
  readonly code: number;
  readonly stdout: Uint8Array<ArrayBuffer>;
  /** Its last words, on one line. */
  readonly words: string;
}

/** What a program is given beside its arguments. */
export interface ProgramOptions {
  /** Its standard input. */
  readonly input?: string;
  /** How long it may take, in milliseconds. */
  readonly limitMs?: number;
}

/** How long one may take, in milliseconds: a picture of a large screen takes half a second. */
export const PROGRAM_LIMIT_MS = 15_000;

/** What one may write, in bytes: four large screens as PNG that nothing compresses. */
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;

/** Its last words at the most, in characters. */
const MAX_WORDS = 300;

/**
 * Runs a program at the person's display, outside of any view, and waits for its end.
 * @throws {Error} where it cannot be started, takes too long or writes too much, in one sentence.
 * @throws the reason of `signal` where that is raised before.
 */
export async function runProgram(
  argv: readonly [string, ...string[]],
  environment: Environment,
  signal: AbortSignal,
  { input = "", limitMs = PROGRAM_LIMIT_MS }: ProgramOptions = {},
): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const process = startPiped(argv, { environment, cwd: "/" });
  using limit = stopAt(limitMs, signal);
  const writing = new Blob([input]).stream().pipeTo(process.stdin).catch(() => {});
  const ended = Promise.all([
    collect(process.stdout, MAX_OUTPUT_BYTES),
    collect(process.stderr, MAX_OUTPUT_BYTES),
    process.status,
  ]);
  // Where the limit comes first nobody looks at what else it says.
  ended.catch(() => {});
  try {
    const first = await Promise.race([ended, limit.reached]);
    if (first === "abort") throw signal.reason;
    if (first === "timeout") {
      const seconds = limitMs / 1000;
      throw new Error(`Cannot run ${argv[0]}: it took longer than ${seconds} seconds`);
    }
    const [stdout, stderr, { code }] = first;
    const said = new TextDecoder().decode(stderr).replace(/\s+/g, " ").trim();
    return { code, stdout, words: said.slice(-MAX_WORDS) };
  } finally {
    process.kill();
    await Promise.all([writing, process.status]);
  }
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes > maxBytes) {
      throw new Error("Cannot use what a program of the screen says: it is too long");
    }
    pieces.push(piece.slice());
  }
  return await new Response(new Blob(pieces)).bytes();
}
