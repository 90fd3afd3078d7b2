import { EXIT } from "./exit_code.ts";

/** Why a run is stopped from outside; the reason of the abort signal that all parts share. */
export class Interruption extends Error {
  override readonly name = "AbortError";

  constructor(readonly reason: "interrupted" | "time_limit", readonly exitCode: number) {
    super(reason);
  }
}

/** The first Ctrl-C, or Esc. */
export function interruptedByPerson(): Interruption {
  return new Interruption("interrupted", EXIT.interrupted);
}

/** What a raised signal says; a signal raised without a reason of ours counts as Ctrl-C. */
export function interruptionOf(signal: AbortSignal): Interruption {
  return signal.reason instanceof Interruption ? signal.reason : interruptedByPerson();
}
