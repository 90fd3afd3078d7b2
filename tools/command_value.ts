import * as z from "zod";
import type { Infer } from "./tool.ts";

const bytes = z.number().int().nonnegative();

/** What happened, as data; `render` and the screen make words of it. */
export const commandValue = z.object({
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  interrupted: z.boolean(),
  /** The limit that held. */
  timeout_ms: z.number(),
  /** The limit that was asked for, where it was too long. */
  requested_timeout_ms: z.number().optional(),
  duration_ms: z.number(),
  /** As shown: control sequences removed, head and tail. */
  stdout: z.string(),
  stderr: z.string(),
  /** Of text, where not all of it is shown. */
  truncated: z.object({ shown: bytes, total: bytes }).optional(),
  /** What the command wrote. */
  bytes: z.object({ stdout: bytes, stderr: bytes }),
  /** `of`: the whole text until then; absent in logs before there were jobs. */
  spill: z.object({ path: z.string(), bytes, of: bytes.optional() }).optional(),
  /** The job that the command goes on as; then what else is told of its end does not hold. */
  job_id: z.string().optional(),
  /** With `job_id`: it runs. */
  running: z.literal(true).optional(),
  background_ended: z.number().int().nonnegative(),
  /** Where the shell is now, absolute; a resumed session goes there. */
  cwd: z.string(),
  /** What became of variables, functions and the rest. */
  state: z.enum(["adopted", "too_large", "absent"]),
  /** Why a command that met its limit did not go on as a job, where it was to. */
  no_job: z.string().optional(),
  folder_gone: z.boolean(),
  /** What was done about files that it made and that are obeyed unasked. */
  notes: z.array(z.string()).exactOptional(),
});

/** How a command ended and what it wrote. */
export type CommandValue = Infer<typeof commandValue>;
