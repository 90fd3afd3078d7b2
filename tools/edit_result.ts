import * as z from "zod";
import type { Refusal as FileRefusal } from "../sandbox/files/answer.ts";

/** The value of an edit that was refused: nothing has changed on disk. */
export const notEdited = z.object({
  ok: z.literal(false),
  reason: z.string(),
  path: z.string(),
  /** Why, what is there instead and what to do next; begins with the reason or the hunk. */
  message: z.string(),
});

export type NotEdited = z.infer<typeof notEdited>;

/** The value of an edit of one file that landed. */
export const edited = z.object({
  ok: z.literal(true),
  path: z.string(),
  /** How the old text was found; of several hunks the most tolerant. Absent where no ladder ran. */
  rung: z.string().optional(),
  /** Places or hunks that were changed. */
  count: z.number(),
  /** Where the changes stand in the new text, from 1, both ends included. */
  lines: z.array(z.object({ first: z.number(), last: z.number() })),
  /** What was done, with the new lines and some around them. */
  message: z.string(),
  hint: z.string().optional(),
});

export type Edited = z.infer<typeof edited>;

/** A file capability's "no" as the value of an edit. */
export function notEditedValue({ reason, path, message }: FileRefusal<string>): NotEdited {
  return { ok: false, reason, path, message: `${reason}: ${message}` };
}

/** The model's view of a refused edit; its last line is the marker. */
export function renderNotEdited({ reason, message }: NotEdited): string {
  return `${message}\n[not edited: ${reason}]`;
}

/** The model's view of an edit of one file. */
export function renderEdited(value: Edited | NotEdited): string {
  if (!value.ok) return renderNotEdited(value);
  return value.hint === undefined ? value.message : `${value.message}\n${value.hint}.`;
}
