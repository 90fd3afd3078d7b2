import { startPiped } from "../../sandbox/commands/piped_process.ts";
import type { Environment } from "../../sandbox/commands/environment.ts";
import { jsonLines } from "./lines.ts";
import { type FromChild, messageLine, type ToChild } from "./messages.ts";

/** How a child's process is started. */
export interface ChildStart {
  readonly argv: readonly [string, ...string[]];
  /** All of it. */
  readonly environment: Environment;
  /** Absolute. */
  readonly cwd: string;
}

/** How a child's process ended. */
export interface ProcessEnd {
  readonly code: number;
  readonly signal: string | null;
  /** The end of what it said on standard error. */
  readonly lastWords: string;
  /** What was wrong with what it sent. */
  readonly problem?: string;
}

/** A parent's side of the line to a child. */
export interface ChildLine {
  readonly pid: number;
  /** Says something, in order; to a child that is gone, nothing. */
  send(message: ToChild): void;
  /** Ends its process for certain. */
  kill(): void;
  /** Resolves when the process has ended and everything that it sent was taken. */
  readonly ended: Promise<ProcessEnd>;
}

/** How much of standard error is kept, in characters: the end of it, where a crash is told. */
const LAST_WORDS_CHARS = 4 * 1024;

/** How long its pipes may stay open after its end: what it left behind may hold them. In ms. */
const DRAIN_MS = 1_000;

/**
 * Starts a child's process. It lives as long as its input stays open, and so no longer than this one.
 * @throws {CommandError} where it cannot be started.
 */
export function openChildLine(start: ChildStart, take: (message: FromChild) => void): ChildLine {
  const process = startPiped(start.argv, start);
  const { pid, stdin, status } = process;
  const drained = new AbortController();
  const until = (stream: ReadableStream<Uint8Array>) =>
    stream.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal: drained.signal });
  const writer = stdin.getWriter();
  const encoder = new TextEncoder();
  async function takeAll(): Promise<string | undefined> {
    try {
      // The other end is this very program.
      for await (const message of jsonLines(until(process.stdout))) take(message as FromChild);
      return undefined;
    } catch (error) {
      if (drained.signal.aborted) return undefined;
      process.kill();
      return error instanceof Error ? error.message : String(error);
    }
  }
  async function untilEnd(): Promise<ProcessEnd> {
    const taken = Promise.all([takeAll(), endOf(until(process.stderr))]);
    const { code, signal } = await status;
    const limit = setTimeout(() => drained.abort(), DRAIN_MS);
    const [problem, lastWords] = await taken;
    clearTimeout(limit);
    await writer.close().catch(() => {});
    return { code, signal, lastWords, ...(problem !== undefined && { problem }) };
  }
  return {
    pid,
    send(message) {
      // A child that has left takes no more; how it ended is told by its end.
      writer.write(encoder.encode(messageLine(message))).catch(() => {});
    },
    kill: () => process.kill(),
    ended: untilEnd(),
  };
}

async function endOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of stream) {
      text = (text + decoder.decode(bytes, { stream: true })).slice(-LAST_WORDS_CHARS);
    }
  } catch {
    // Nobody waits any longer for the end of the stream.
  }
  return text;
}
