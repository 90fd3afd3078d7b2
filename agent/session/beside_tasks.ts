import type { Session } from "./session.ts";
import { summarise } from "./list.ts";
import { openSession } from "./log.ts";

/** A session that nobody works on, open for what is written into it beside its tasks. */
export interface SessionBesideTasks extends AsyncDisposable {
  readonly session: Session;
}

/**
 * Opens a session for a change beside its tasks; disposed, it ends as it ended before.
 * @throws {SessionLogError}
 */
export async function openBesideTasks(folder: string, id: string): Promise<SessionBesideTasks> {
  const before = await summarise(folder, id);
  const session = await openSession({ folder, id, now: () => new Date() });
  return {
    session,
    async [Symbol.asyncDispose]() {
      // One that broke off had been interrupted.
      await session.close(before?.endReason ?? "interrupted");
    },
  };
}
