import * as z from "zod";
import { lazily } from "../lazily.ts";

// Schemas are made when a log is read: that takes 5 ms, which a new session need not wait for.

/** A part of a message. */
export const content = lazily(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({ type: z.literal("image"), blob: z.string(), media_type: z.string() }),
  ])
);

/** Tokens that an answer took. */
export const usage = lazily(() =>
  z.object({
    input_tokens: z.number(),
    cached_input_tokens: z.number(),
    output_tokens: z.number(),
    reasoning_tokens: z.number(),
  })
);

/** A moment, with its offset from UTC. */
export const time = lazily(() => z.iso.datetime({ offset: true }));

/** What the log gives every record. */
export const stamp = lazily(() => ({ id: z.string(), parent: z.string(), time: time() }));
