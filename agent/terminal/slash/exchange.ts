import type { Desk } from "./desk.ts";
import type { Change } from "./seat.ts";

/**
 * Exchanges the agent at a desk, and tells where that cannot be; true where it could. Jobs end with
 * the agent that started them, so the person is asked first where some run.
 */
export async function exchange(desk: Desk, change: Change): Promise<boolean> {
  const { runningJobs } = desk.seat.agent.session.conversation;
  if (runningJobs.length > 0) {
    const jobs = runningJobs.length === 1
      ? "A job still runs"
      : `${runningJobs.length} jobs still run`;
    if (!await desk.confirm(`${jobs} and would be ended. Go on?`)) return false;
  }
  const exchanged = await desk.seat.exchange(change);
  if (!exchanged.ok) desk.warn(exchanged.problem);
  return exchanged.ok;
}
