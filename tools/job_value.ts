import * as z from "zod";
import type { Job } from "../sandbox/commands/jobs.ts";
import { exitMarker, joinParts, outputParts, truncationMarker } from "./command_text.ts";
import { commandValue } from "./command_value.ts";
import type { Infer } from "./tool.ts";
import { truncateOutput } from "./truncate.ts";

const { stdout, stderr, truncated, spill, duration_ms, signal } = commandValue.shape;

/** Ids are text that looks like a number, and many models send it as one. */
export const jobId = z.union([z.string(), z.number().transform(String)]);

const unknownJob = z.object({ found: z.literal(false), job_id: z.string() });

/** What a look at a job showed; `exit_code` and `signal` only once it has ended. */
const knownJob = z.object({
  found: z.literal(true),
  job_id: z.string(),
  running: z.boolean(),
  exit_code: commandValue.shape.exit_code.optional(),
  signal: signal.optional(),
  /** As of a command, once it has ended. */
  notes: commandValue.shape.notes,
  duration_ms,
  stdout,
  stderr,
  truncated,
  spill,
  /** What was waited for (without `until` anything new), and whether it came. */
  wait: z.object({ until: z.string().optional(), ms: z.number(), met: z.boolean() }).optional(),
  /** `job_kill` was called: it ended the job, or found it ended. */
  kill: z.enum(["ended", "had_ended"]).optional(),
});

export const jobValue = z.discriminatedUnion("found", [knownJob, unknownJob]);

/** A look at a job, or that there is none of that id. */
export type JobValue = Infer<typeof jobValue>;

/** Takes a look at a job: what is new in its output, and whether it runs. */
export function lookAt(job: Job): Infer<typeof knownJob> {
  const { end } = job;
  const look = job.look();
  return {
    found: true,
    job_id: job.id,
    running: end === undefined,
    ...(end && { exit_code: end.exitCode, signal: end.signal }),
    ...(end && end.notes.length > 0 && { notes: [...end.notes] }),
    duration_ms: job.durationMs,
    ...truncateOutput(look.stdout, look.stderr),
    ...(look.spill && { spill: look.spill }),
  };
}

/** The model's text: what is new, then markers. */
export function renderJob(value: JobValue): string {
  if (!value.found) return `[no job ${value.job_id}: job_list shows them]`;
  const silent = value.stdout === "" && value.stderr === "";
  return joinParts([
    ...outputParts(value),
    silent ? "[no new output]" : "",
    ...(value.notes ?? []).map((note) => `[${note}]`),
    waitMarker(value),
    ...(value.running ? [] : endMarkers(value)),
    truncationMarker(value),
    value.running ? `[job ${value.job_id} is running]` : "",
  ]);
}

function waitMarker({ wait, running }: Infer<typeof knownJob>): string {
  if (!wait || wait.met) return "";
  const missed = missedText(wait.until);
  return running ? `[waited ${wait.ms}ms: ${missed}]` : `[${missed}]`;
}

function missedText(until: string | undefined): string {
  switch (until) {
    case undefined:
      return "nothing new";
    case "exit":
      return "not ended";
    case "idle":
      return "not idle";
    default:
      return `not seen in its new output: ${until}`;
  }
}

function endMarkers({ job_id, kill, exit_code = null, signal = null }: Infer<typeof knownJob>) {
  const killed = kill === "had_ended" ? " had ended before" : " has ended";
  return [`[job ${job_id}${killed}]`, exitMarker({ exit_code, signal })];
}
