import { after } from "../../sandbox/commands/timers.ts";
import { cleanState } from "../clean_state.ts";
import { logEndedJobs } from "../job_ends.ts";
import type { Session } from "../session/log.ts";
import { usingState } from "../state_error.ts";
import type { AgentParts } from "./agent_parts.ts";

/** Enough to start what ends jobs, which goes on without us; a person who quits does not wait. */
const ABANDON_MS = 250;

/** Has what still runs ended, and waits no longer than it takes to say so. */
export async function abandonAgent({ children, backing, logError }: AgentParts): Promise<void> {
  using patience = after(ABANDON_MS);
  children?.abandon();
  const ended = backing.jobs[Symbol.asyncDispose]().catch(logError);
  await Promise.race([ended, patience.passed]);
}

/** Ends what still runs, in the order in which nothing misses what it needs, and the session last. */
export async function closeAgent(
  parts: AgentParts,
  append: Session["append"],
  reason: string,
): Promise<void> {
  const { launch, session, children } = parts;
  await children?.[Symbol.asyncDispose]();
  await children?.tell(append);
  await parts.hooks?.tasks.sessionEnds(reason);
  await parts.edits?.[Symbol.asyncDispose]();
  await parts.foreign?.[Symbol.asyncDispose]();
  await parts.backing[Symbol.asyncDispose]();
  await parts.egress[Symbol.asyncDispose]();
  parts.snapshots.close();
  await logEndedJobs(parts.backing.jobs, append);
  await session.close(reason);
  // Who keeps no log leaves nothing behind, not even the mark of a cleaning.
  if (session.path !== undefined && launch.places.state !== undefined) {
    await clean(launch.places.state, parts);
  }
}

/** What cannot be cleaned is told, and takes nothing from a run that has done its work. */
async function clean(state: string, { session, logError }: AgentParts): Promise<void> {
  const options = { now: Date.now, keep: new Set([session.id]) };
  try {
    await usingState(state, () => cleanState(state, options));
  } catch (error) {
    logError(error);
  }
}
