import * as z from "zod";
import { jobId, jobValue, lookAt, renderJob } from "./job_value.ts";
import { schema } from "./schema.ts";
import { defineTool, text } from "./tool.ts";

/** The tool `job_kill`: ends a job, with its last output. */
export const jobKill = defineTool({
  name: "job_kill",
  description: "End a job: SIGTERM, and SIGKILL after 3 s.",
  parameters: schema(z.strictObject({ job_id: jobId })),
  needs: { uses: ["jobs"] },
  plan: ({ job_id }) => ({ touches: [{ kind: "job", id: job_id }] }),
  async run({ job_id }, { jobs }) {
    const job = jobs.find(job_id);
    if (!job) return { found: false as const, job_id };
    const kill = job.end ? "had_ended" as const : "ended" as const;
    await job.stop();
    return { ...lookAt(job), kill };
  },
  result: schema(jobValue),
  render: (value) => [text(renderJob(value))],
});
