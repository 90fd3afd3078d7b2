import * as z from "zod";
import { commandValue } from "./command_value.ts";
import { schema } from "./schema.ts";
import { defineTool, type Infer, text } from "./tool.ts";
import { formatBytes } from "./truncate.ts";

/** How much of a command a list shows, in characters. */
const SHOWN_CHARACTERS = 100;

const row = z.object({
  job_id: z.string(),
  command: z.string(),
  running: z.boolean(),
  exit_code: commandValue.shape.exit_code.optional(),
  signal: commandValue.shape.signal.optional(),
  duration_ms: z.number(),
  new_bytes: z.number(),
});

/** The tool `job_list`: the jobs that run, and those that ended of late. */
export const jobList = defineTool({
  name: "job_list",
  description: "List the jobs of this session.",
  parameters: schema(z.strictObject({})),
  needs: { uses: ["jobs"] },
  plan: () => ({ touches: [] }),
  run: (_, { jobs }) =>
    Promise.resolve({
      jobs: jobs.list().map(({ id, command, end, durationMs, newBytes }) => ({
        job_id: id,
        command,
        running: end === undefined,
        ...(end && { exit_code: end.exitCode, signal: end.signal }),
        duration_ms: durationMs,
        new_bytes: newBytes,
      })),
    }),
  result: schema(z.object({ jobs: z.array(row) })),
  render: ({ jobs }) => [text(jobs.length === 0 ? "[no jobs]" : jobs.map(line).join("\n"))],
});

function line(job: Infer<typeof row>): string {
  const seconds = Math.round(job.duration_ms / 1000);
  const more = job.new_bytes > 0 ? `, ${formatBytes(job.new_bytes)} new` : "";
  return `${job.job_id}: ${state(job)}, ${seconds} s${more}: ${shortened(job.command)}`;
}

function state({ running, exit_code, signal }: Infer<typeof row>): string {
  if (running) return "running";
  if (signal !== null && signal !== undefined) return `killed by ${signal}`;
  return typeof exit_code === "number" ? `exit code ${exit_code}` : "ended";
}

/** A command on one line, cut where it is long. */
function shortened(command: string): string {
  const line = command.trim().replaceAll(/\s*\n\s*/g, "; ");
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
