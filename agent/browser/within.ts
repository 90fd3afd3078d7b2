import { after } from "../../sandbox/commands/timers.ts";

/**
 * What comes within so many milliseconds, and does not fail: a page can close, crash or hang at any
 * moment. What comes later is nobody's.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  using patience = after(ms);
  return await Promise.race([work.catch(() => undefined), patience.passed]);
}
