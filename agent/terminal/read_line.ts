import { createInterface } from "node:readline/promises";
import process from "node:process";
import { ForeignTerminal, hasForeignTerminal } from "./foreign_terminal.ts";

/** How a line is read. */
export interface LineOptions {
  /** What stands there already, to be changed; without control characters, which would be keys. */
  readonly initial?: string;
  /** It is an answer, and no part of the history. */
  readonly aside?: boolean;
  /** What was typed before it was asked for is dropped, and no part of it. */
  readonly fresh?: boolean;
}

/** What was typed before is there at once; so long it is waited for, in milliseconds. */
const TYPED_BEFORE_MS = 30;

/** Reads one line that a person types; undefined at the end of input or when interrupted. */
export type ReadLine = (
  prompt: string,
  signal: AbortSignal,
  options?: LineOptions,
) => Promise<string | undefined>;

/**
 * Reads lines from the terminal with history and line editing; the prompt goes to stderr. A Ctrl-C
 * ends the line, and is handed on: a terminal that edits lines makes no signal of it.
 */
export function terminalLines(
  onInterrupt: () => void,
  foreign: boolean = hasForeignTerminal(),
): ReadLine {
  const history: string[] = [];
  const input = foreign ? new ForeignTerminal() : process.stdin;
  return async (prompt, signal, { initial, aside = false, fresh = false } = {}) => {
    if (fresh && await dropTyped(input) && !signal.aborted) onInterrupt();
    if (signal.aborted) return undefined;
    const lines = createInterface({
      input,
      output: process.stderr,
      terminal: true,
      history: aside ? [] : [...history],
    });
    const closed = Promise.withResolvers<undefined>();
    lines.on("close", () => closed.resolve(undefined));
    lines.on("SIGINT", () => {
      lines.close();
      onInterrupt();
    });
    try {
      const typed = lines.question(prompt, { signal });
      if (initial !== undefined) lines.write(initial);
      const line = await Promise.race([typed, closed.promise]);
      if (line && !aside) history.unshift(line);
      return line;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      lines.close();
    }
  };
}

/** Drops what was typed; whether a Ctrl-C was among it. */
async function dropTyped(input: typeof process.stdin | ForeignTerminal): Promise<boolean> {
  let interrupted = false;
  const drop = (typed: Uint8Array | string) => {
    interrupted ||= typed.toString().includes("\x03");
  };
  // A line that was not ended yet is only had without the terminal's own line editing.
  input.setRawMode(true);
  input.on("data", drop);
  input.resume();
  await new Promise((resolve) => setTimeout(resolve, TYPED_BEFORE_MS));
  input.off("data", drop);
  input.pause();
  input.setRawMode(false);
  return interrupted;
}
