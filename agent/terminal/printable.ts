import { controlStripper } from "../../sandbox/commands/control.ts";

/** Text of models and tools on one line of a terminal: control characters cannot act. */
export function printable(text: string): string {
  return stripControls(text).replaceAll("\n", " ");
}

/** Text without what a terminal obeys: control sequences go, bidirectional controls show. */
export function stripControls(text: string): string {
  const stripper = controlStripper();
  return stripper.strip(text) + stripper.end();
}
