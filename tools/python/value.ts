import * as z from "zod";
import { commandValue } from "../command_value.ts";
import type { Infer } from "../tool.ts";

const image = z.object({
  /** Of the file that was written; empty for what was only drawn. */
  path: z.string(),
  media_type: z.string(),
  bytes: z.number(),
  /** In the session's folder; absent where it is too large to be shown. */
  blob: z.string().optional(),
});

/** What a cell did, as data. */
export const pythonValue = commandValue
  .pick({
    exit_code: true,
    signal: true,
    timed_out: true,
    interrupted: true,
    timeout_ms: true,
    requested_timeout_ms: true,
    duration_ms: true,
    stdout: true,
    stderr: true,
    truncated: true,
    spill: true,
  })
  .extend({
    /** The exception that ended it, whose traceback stands in `stderr`. */
    error: z.object({ name: z.string(), message: z.string() }).optional(),
    images: z.array(image),
    /** Variables, functions and imports are gone: the interpreter ended with the cell. */
    state_lost: z.boolean(),
  });

/** How a cell ended, what it wrote and what it drew. */
export type PythonValue = Infer<typeof pythonValue>;

/** An image of a cell. */
export type PythonImage = Infer<typeof image>;
