import * as z from "zod";
import type { Captured } from "../../sandbox/commands/commands.ts";
import { formatBytes, truncateOutput } from "../truncate.ts";

/** A text of bounded length: where it is longer, its head and its tail. */
export const capturedText = z.object({
  text: z.string(),
  /** Set where something was left out, in bytes. */
  truncated: z.object({ shown: z.number(), total: z.number() }).optional(),
});

export type CapturedText = z.infer<typeof capturedText>;

/** Fits a text into so many bytes. */
export function captureText(text: string, limit: number): CapturedText {
  const { stdout, truncated } = truncateOutput(captured(text), captured(""), limit);
  return { text: stdout, ...(truncated && { truncated }) };
}

function captured(text: string): Captured {
  return { head: text, tail: "", omitted: 0, bytes: new TextEncoder().encode(text).length };
}

/** The marker that says what is missing, and where it is. */
export function capturedMarker({ truncated }: CapturedText, id: string): string {
  if (!truncated) return "";
  const { shown, total } = truncated;
  return `[text truncated: ${formatBytes(shown)} of ${formatBytes(total)} shown, ` +
    `all in subagent_read_log ${id}]`;
}
