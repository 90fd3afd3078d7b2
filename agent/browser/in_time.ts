import { stopAt } from "../../sandbox/commands/timers.ts";
import type { ActOptions } from "../../tools/browser/browser.ts";
import { ActionRefused } from "./refusals.ts";
import { within } from "./within.ts";

/** How long an action may go on after its limit, or once it was stopped, in milliseconds. */
const GRACE_MS = 1_000;

/**
 * Work that ends with the signal, which the library has too: it is let come to its end, lest it get in
 * the way of the next action, but not for long.
 * @throws {ActionRefused} where it goes on past its limit, as with a page that hangs.
 */
export async function inTime<T>(work: Promise<T>, { timeoutMs, signal }: ActOptions): Promise<T> {
  using stop = stopAt(timeoutMs + GRACE_MS, signal);
  const ended = work.then(() => {}, () => {});
  const first = await Promise.race([ended, stop.reached]);
  if (first === undefined) return await work;
  if (first === "timeout") {
    const message = `Cannot go on: the page did not answer for ${timeoutMs / 1000} seconds`;
    throw new ActionRefused("timeout", message);
  }
  await within(GRACE_MS, ended);
  throw signal.reason;
}
