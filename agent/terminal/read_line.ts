import { createInterface } from "node:readline/promises";
import process from "node:process";
import type { ReadLine } from "./ask_at_terminal.ts";
import { ForeignTerminal, hasForeignTerminal } from "./foreign_terminal.ts";

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
  return async (prompt, signal) => {
    const lines = createInterface({
      input,
      output: process.stderr,
      terminal: true,
      history: [...history],
    });
    const closed = Promise.withResolvers<undefined>();
    lines.on("close", () => closed.resolve(undefined));
    lines.on("SIGINT", () => {
      lines.close();
      onInterrupt();
    });
    try {
      const line = await Promise.race([lines.question(prompt, { signal }), closed.promise]);
      if (line) history.unshift(line);
      return line;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      lines.close();
    }
  };
}
