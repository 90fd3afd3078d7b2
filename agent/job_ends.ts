import type { Job, JobRegistry } from "../sandbox/commands/jobs.ts";
import type { JobEvent } from "./events.ts";
import type { Session } from "./session/session.ts";
import type { JobEndRecord, Unstamped } from "./session/records.ts";

/** How much of a command a note shows, in characters. */
const SHOWN_CHARACTERS = 80;

/** What the event stream tells of a job that has begun or has ended. */
export function jobEvent({ id, command, end }: Job): JobEvent {
  const state = end === undefined ? "running" : end.how === "session_end" ? "stopped" : "ended";
  return { type: "job", job_id: id, state, command };
}

/** Logs the jobs that have ended since the last time, which tells the model of them, once. */
export async function logEndedJobs(
  jobs: Pick<JobRegistry, "takeEnded">,
  append: Session["append"],
): Promise<void> {
  for (const job of jobs.takeEnded()) await append(jobEndRecord(job));
}

/** What the model knows from a tool's result already, it is not told again. */
function jobEndRecord({ id, command, end }: Job): Unstamped<JobEndRecord> {
  return {
    type: "job_end",
    job_id: id,
    exit_code: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    command: shortened(command),
    how: end?.how ?? "by_itself",
    ...(end?.told && { told: true }),
  };
}

function shortened(command: string): string {
  const [line = ""] = command.trim().split("\n");
  const cut = line.length > SHOWN_CHARACTERS || line !== command.trim();
  return cut ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
