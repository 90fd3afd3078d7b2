import type { PipedProcess } from "../commands/piped_process.ts";

/**
 * The protocol of a browser that was started with `--remote-debugging-pipe`, over its standard input
 * and output: JSON, each message ended by a NUL. Nothing listens anywhere, so nobody else can drive it.
 */
export interface CdpPipe {
  send(message: object): void;
  /** Ends the browser. */
  close(): void;
  /** To be set before the first message can come. */
  onmessage?: (message: object) => void;
  /** Called once, when no message comes any more. */
  onclose?: (reason?: string) => void;
}

/** A picture of a long page in base64 is a third of that, in bytes. */
export const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

/** Talks to a browser that {@linkcode pipedCommand} has started. */
export function cdpPipe(
  process: Pick<PipedProcess, "stdin" | "stdout" | "kill">,
  maxBytes = MAX_MESSAGE_BYTES,
): CdpPipe {
  const encoder = new TextEncoder();
  const writer = process.stdin.getWriter();
  const pipe: CdpPipe = {
    send(message) {
      // Where it has ended, the end of its output says so.
      writer.write(encoder.encode(`${JSON.stringify(message)}\0`)).catch(() => {});
    },
    close: () => process.kill(),
  };
  listen();
  return pipe;

  async function listen(): Promise<void> {
    let reason: string | undefined;
    try {
      for await (const message of messagesOf(process.stdout, maxBytes)) pipe.onmessage?.(message);
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
      process.kill();
    }
    pipe.onclose?.(reason);
  }
}

/**
 * The messages of a stream; what follows the last NUL is half a message and is dropped.
 * @throws {RangeError} for one of more than `maxBytes`.
 * @throws {SyntaxError} for what is no JSON object.
 */
export async function* messagesOf(
  stream: ReadableStream<Uint8Array>,
  maxBytes = MAX_MESSAGE_BYTES,
): AsyncGenerator<object> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    let start = 0;
    for (let end = piece.indexOf(0); end >= 0; end = piece.indexOf(0, start)) {
      yield parsed([...pieces, piece.subarray(start, end)]);
      [pieces, length, start] = [[], 0, end + 1];
    }
    const rest = piece.subarray(start);
    length += rest.length;
    if (length > maxBytes) throw new RangeError("Cannot read the browser: a message is too long");
    if (rest.length > 0) pieces.push(rest);
  }
}

function parsed(pieces: readonly Uint8Array[]): object {
  const decoder = new TextDecoder();
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("");
  const message: unknown = JSON.parse(text + decoder.decode());
  if (typeof message === "object" && message !== null) return message;
  throw new SyntaxError("Cannot read the browser: a message is no object");
}

/** Our pipes become descriptors 3 and 4, where browsers look for them. */
const REDIRECT = 'exec 3<&0 4>&1 </dev/null >&2; exec -- "$@"';

/** A command whose standard input and output are what a browser takes for its two pipes. */
export function pipedCommand(argv: readonly string[]): [string, ...string[]] {
  return ["bash", "--noprofile", "--norc", "-c", REDIRECT, "cordon", ...argv];
}
