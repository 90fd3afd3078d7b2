import type { Job } from "../sandbox/jobs.ts";
import type { JobEvent } from "./events.ts";
import type { JobEndRecord, Unstamped } from "./session/records.ts";

/** How much of a command a note shows, in characters. */
const SHOWN_CHARACTERS = 80;

/** What the event stream tells of a job that has begun or has ended. */
export function jobEvent({ id, command, end }: Job): JobEvent {
  const state = end === undefined ? "running" : end.how === "session_end" ? "stopped" : "ended";
  return { type: "job", job_id: id, state, command };
}

/** The record of a job's end; of one that no tool's result has told, the model is told. */
export function jobEndRecord({ id, command, end }: Job): Unstamped<JobEndRecord> {
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
