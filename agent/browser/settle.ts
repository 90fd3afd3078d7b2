import { after } from "../../sandbox/commands/timers.ts";
import type { Tab } from "./tab.ts";

/** What an action sets off begins within that time, and has ended when nothing moved for as long. */
const QUIET_MS = 150;

/** A page that never stops asking is looked at after this. */
const BUSY_MS = 2_500;

/** How often it is looked. */
const STEP_MS = 25;

/**
 * Waits until what an action has set off is there: requests have ended, a new page has come. A page
 * that never rests is not waited for long, one that is on its way until `deadline`
 * (of `performance.now()`).
 */
export async function settle(tab: Tab, deadline: number, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  while (!tab.page.isClosed() && !signal.aborted && performance.now() < deadline) {
    const waited = performance.now() - start;
    if (waited >= QUIET_MS && tab.quietMs >= QUIET_MS) return;
    if (waited >= BUSY_MS && !tab.navigates) return;
    using pause = after(STEP_MS);
    await pause.passed;
  }
}
