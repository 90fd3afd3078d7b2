import { createInterface } from "node:readline/promises";
import process from "node:process";
import { ForeignTerminal, hasForeignTerminal } from "./foreign_terminal.ts";

/** How a line is read. */
export interface LineOptions {
  /** What stands there already, to be changed; without control characters, which would be keys. */
  readonly initial?: string;
  /** It is an answer, and no part of the history. */
  readonly aside?: boolean;
}

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
  return async (prompt, signal, { initial, aside = false } = {}) => {
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
