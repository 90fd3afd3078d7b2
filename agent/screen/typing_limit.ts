import { PROGRAM_LIMIT_MS } from "./run_program.ts";

/**
 * For each character, in milliseconds. `xdotool` took 7 for a small letter and 10 for a capital on an idle
 * machine (Xvfb, 500 each); `cliclick` has not been measured. Five times that is for busy machines.
 */
const CHARACTER_LIMIT_MS = 50;

/** How long a program may take that types a text, in milliseconds: keys are struck one by one. Pure. */
export function typingLimitMs(text: string): number {
  return PROGRAM_LIMIT_MS + text.length * CHARACTER_LIMIT_MS;
}
