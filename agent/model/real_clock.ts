import type { Clock } from "./retry.ts";

/** Time and chance as they are. */
export function realClock(): Clock {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(done, ms);
        signal.addEventListener("abort", done);
        function done() {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          resolve();
        }
        if (signal.aborted) done();
      }),
  };
}
