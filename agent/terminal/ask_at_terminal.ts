import type { Approver, Question } from "../gate/approver.ts";
import { printable, stripControls } from "./output.ts";

/** Reads one line that a person types; undefined at the end of input or when interrupted. */
export type ReadLine = (prompt: string, signal: AbortSignal) => Promise<string | undefined>;

/** Asks at the terminal for a yes; anything else is a no. */
export function askAtTerminal(readLine: ReadLine, write: (text: string) => void): Approver {
  return async (question, signal) => {
    write(describe(question));
    const line = await readLine(`${question.ask ?? "Run this?"} [y/N] `, signal);
    const yes = /^(y|yes)$/i.test(line?.trim() ?? "");
    return { decision: yes ? "allow" : "deny", by: "person" };
  };
}

function describe({ tool, arguments: args, reason, preview }: Question): string {
  const shown = preview === undefined ? "" : `${stripControls(preview)}\n`;
  return `${tool} asks: ${printable(reason)}\n  ${printable(args)}\n${shown}`;
}
