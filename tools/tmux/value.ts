import * as z from "zod";
import type { Infer } from "../tool.ts";

const state = z.object({
  running: z.boolean(),
  exit_code: z.number().nullable(),
  signal: z.string().nullable(),
});

const shown = z.object({
  name: z.string(),
  text: z.string(),
  truncated: z.object({ shown: z.number(), total: z.number() }).optional(),
  state,
});

/** What a call did, as data. */
export const tmuxValue = z.union([
  z.object({ ok: z.literal(true), action: z.enum(["new", "send", "kill"]), name: z.string() }),
  shown.extend({ ok: z.literal(true), action: z.literal("capture") }),
  shown.extend({
    ok: z.literal(true),
    action: z.literal("wait"),
    met: z.enum(["text", "exit", "idle", "timeout", "interrupted"]),
    timeout_ms: z.number(),
  }),
  z.object({
    ok: z.literal(true),
    action: z.literal("list"),
    windows: z.array(
      z.object({ name: z.string(), width: z.number(), height: z.number(), state }),
    ),
  }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(["no_window", "exists", "too_many", "ended", "bad_key", "tmux"]),
    message: z.string(),
  }),
]);

/** What a call of `tmux` came to. */
export type TmuxValue = Infer<typeof tmuxValue>;

/** A call that was not done, and why. */
export type TmuxRefusal = Extract<TmuxValue, { ok: false }>;
