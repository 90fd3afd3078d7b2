import * as z from "zod";
import type { Refusal } from "../sandbox/files/answer.ts";

/** A file capability's "no", as a value of a tool. */
export const refusal = z.object({
  ok: z.literal(false),
  reason: z.string(),
  path: z.string(),
  message: z.string(),
});

/** A refusal as stored: without the file's content, which a stale one carries. */
export function refusalValue({ reason, path, message }: Refusal<string>): z.infer<typeof refusal> {
  return { ok: false, reason, path, message };
}

/** The model's view of a refusal. */
export function renderRefusal({ reason, message }: Refusal<string>): string {
  return `${reason}: ${message}`;
}
