import { EXIT } from "../exit_code.ts";
import { interruptedByPerson, Interruption } from "../interruption.ts";

/** A second Ctrl-C within this time quits at once, in milliseconds. */
const QUIT_WINDOW_MS = 2_000;

/** What signals do to a run. */
export interface SignalHandlers {
  /** Stops the turn; the run comes to its end by itself. */
  interrupt(reason: Interruption): void;
  /** Ends the process now. */
  quit(reason: Interruption): void | Promise<void>;
}

/** Listens until disposed. */
export interface SignalWatch extends Disposable {
  /** Takes a Ctrl-C that a terminal hands over as a key, while a line is typed. */
  press(): void;
}

/** Listens to SIGINT, SIGTERM and SIGHUP. */
export function onSignals({ interrupt, quit }: SignalHandlers): SignalWatch {
  let lastInterrupt = -Infinity;
  function press(): void {
    const now = performance.now();
    const again = now - lastInterrupt < QUIT_WINDOW_MS;
    lastInterrupt = now;
    if (again) quit(interruptedByPerson());
    else interrupt(interruptedByPerson());
  }
  const listeners: [Deno.Signal, () => void][] = [
    ["SIGINT", press],
    ["SIGTERM", () => interrupt(new Interruption("interrupted", EXIT.terminated))],
    ["SIGHUP", () => interrupt(new Interruption("interrupted", EXIT.hangup))],
  ];
  // Windows has no SIGTERM and no SIGHUP to listen to.
  const known = Deno.build.os === "windows" ? listeners.slice(0, 1) : listeners;
  for (const [signal, listener] of known) Deno.addSignalListener(signal, listener);
  return {
    press,
    [Symbol.dispose]() {
      for (const [signal, listener] of known) Deno.removeSignalListener(signal, listener);
    },
  };
}
