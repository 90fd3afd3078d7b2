import * as z from "zod";
import { MAX_AWAITED_CHARACTERS } from "../sandbox/commands/job_texts.ts";
import type { Job, JobWait } from "../sandbox/commands/jobs.ts";
import { jobId, jobValue, lookAt, renderJob } from "./job_value.ts";
import { schema } from "./schema.ts";
import { defineTool, text } from "./tool.ts";

/** How long is waited where only `until` is given, in milliseconds. */
const DEFAULT_WAIT_MS = 30_000;

/** The longest that one call waits, in milliseconds: as long as a command may take. */
const MAX_WAIT_MS = 600_000;

const parameters = z.strictObject({
  job_id: jobId,
  until: z.string().min(1).max(MAX_AWAITED_CHARACTERS).optional().describe(
    '"exit", "idle" (1 s without output) or a text that it writes.',
  ),
  wait_ms: z.number().nonnegative().optional().describe(
    `Default ${DEFAULT_WAIT_MS} with until, else 0; at most ${MAX_WAIT_MS}.`,
  ),
});

/** The tool `job_output`: what a job wrote since the last look, now or after a while. */
export const jobOutput = defineTool({
  name: "job_output",
  description: "Show the new output of a job. Its end is told to you without asking.",
  parameters: schema(parameters),
  needs: { uses: ["jobs"] },
  plan: () => ({ touches: [] }),
  async run({ job_id, until, wait_ms }, { jobs, signal }) {
    const job = jobs.find(job_id);
    if (!job) return { found: false as const, job_id };
    const ms = Math.min(wait_ms ?? (until === undefined ? 0 : DEFAULT_WAIT_MS), MAX_WAIT_MS);
    const wait = until === undefined && ms === 0
      ? undefined
      : await waitFor(job, until, ms, signal);
    const value = lookAt(job);
    return { ...value, ...(wait && { wait: { ...wait, met: wait.met || shows(value, until) } }) };
  },
  result: schema(jobValue),
  render: (value) => [text(renderJob(value))],
});

/** A job that ended while its text was waited for may have written it last. */
function shows({ stdout, stderr }: { stdout: string; stderr: string }, until?: string): boolean {
  const condition = conditionOf(until);
  if (typeof condition === "string") return false;
  return stdout.includes(condition.text) || stderr.includes(condition.text);
}

async function waitFor(job: Job, until: string | undefined, ms: number, signal: AbortSignal) {
  const waited = await job.wait({ until: conditionOf(until), ms, signal });
  const met = waited === "met" || (waited === "ended" && (until === undefined || until === "exit"));
  return { ...(until !== undefined && { until }), ms, met };
}

function conditionOf(until: string | undefined): JobWait["until"] {
  switch (until) {
    case undefined:
      return "output";
    case "exit":
    case "idle":
      return until;
    default:
      return { text: until };
  }
}
