import * as z from "zod";
import { lazily } from "../lazily.ts";
import { stamp, usage } from "./record_fields.ts";

/** How the session is run from here on; each record is whole, absent is not set. */
export const settings = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("settings"),
    model: z.string().exactOptional(),
    base_url: z.string().exactOptional(),
    wire: z.string().exactOptional(),
    tool_format: z.string().exactOptional(),
    tools: z.array(z.string()).exactOptional(),
    profile: z.string().exactOptional(),
    tier: z.string().exactOptional(),
    approval: z.string().exactOptional(),
  })
);

/** The state of the files at a moment, or a move between such states. */
export const snapshot = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("snapshot"),
    /** The call before which it was taken. */
    call_id: z.string().exactOptional(),
    /** Names the state of the files in the snapshot store; of `undo` and `redo` the one aimed at. */
    tree: z.string(),
    /**
     * `before` the first change that a task made, `after` its last one; `undo` and `redo` put the
     * files back. Absent: a snapshot that nothing hangs on.
     */
    role: z.enum(["before", "after", "undo", "redo"]).exactOptional(),
    /** With `before`: the beginning of what the person had said. */
    prompt: z.string().exactOptional(),
    /** No snapshot could be taken of a task, for this reason; `tree` is empty then. */
    lost: z.string().exactOptional(),
    /** With `undo` and `redo`: how many tasks. */
    steps: z.int().exactOptional(),
    /** With `undo` and `redo`: written before the first file is touched, and after the last. */
    state: z.enum(["begun", "done"]).exactOptional(),
    /** With `done`: paths that were left as they are. */
    kept: z.array(z.string()).exactOptional(),
  })
);

/** The end of a background job. */
export const jobEnd = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("job_end"),
    job_id: z.string(),
    /** Null where a signal ended it, or where it is not known. */
    exit_code: z.number().nullable(),
    signal: z.string().nullable(),
    /** Its first line, as far as it is shown. */
    command: z.string().exactOptional(),
    /** By itself (also when absent), by `job_kill`, with its session, or with a session that died. */
    how: z.enum(["by_itself", "stopped", "session_end", "lost"]).exactOptional(),
    /** The model knows it from a result, so that nothing more is said. */
    told: z.boolean().exactOptional(),
  })
);

/** The end of a sub-agent; its usage counts as the session's. */
export const childEnd = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("child_end"),
    child_id: z.string(),
    /** Of tools/subagent/children.ts, or of a later version. */
    state: z.string(),
    /** What is shown of it by name: its role, and what it was for. */
    title: z.string().exactOptional(),
    reason: z.string().exactOptional(),
    /** The beginning of its last message. */
    text: z.string().exactOptional(),
    /** What became of its worktree, in words; absent where it had none, or that is not known yet. */
    worktree: z.string().exactOptional(),
    turns: z.number().exactOptional(),
    usage: usage().exactOptional(),
    /** In US dollars; absent where a price is unknown. */
    cost_usd: z.number().exactOptional(),
    /** Its session. */
    session: z.string().exactOptional(),
    /** The model knows it from a result, so that nothing more is said. */
    told: z.boolean().exactOptional(),
  })
);

/** A sub-agent asks the agent that started it. */
export const childQuestion = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("child_question"),
    child_id: z.string(),
    question: z.string(),
    options: z.array(z.string()).exactOptional(),
  })
);

/** A connection of a command or a tool, once it has ended. */
export const egress = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("egress"),
    source: z.enum(["command", "tool"]),
    host: z.string(),
    port: z.number(),
    bytes_up: z.number(),
    bytes_down: z.number(),
  })
);

/** A hook has run. */
export const hook = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("hook"),
    /** As `PreToolUse`. */
    event: z.string(),
    command: z.string(),
    origin: z.enum(["user", "project"]),
    outcome: z.enum(["passed", "blocked", "failed"]),
    /** The call that it was about. */
    call_id: z.string().exactOptional(),
    /** Null where it did not end by itself. */
    exit_code: z.number().nullable(),
    duration_ms: z.number(),
    decision: z.enum(["allow", "deny", "ask"]).exactOptional(),
    /** Why it said no, or what went wrong. */
    reason: z.string().exactOptional(),
    /** What it made of the call's arguments. */
    arguments: z.unknown().exactOptional(),
    /** What the model is told, by a note of its own. */
    told: z.string().exactOptional(),
  })
);

/** What a person calls the session from here on; the empty text takes a name away. */
export const name = lazily(() =>
  z.object({ ...stamp(), type: z.literal("name"), name: z.string() })
);

/** The session has ended; it may be resumed. */
export const end = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("end"),
    reason: z.string(),
    /** The session's name, said again so that a list need not read the whole log. */
    name: z.string().exactOptional(),
  })
);

export type SettingsRecord = z.infer<ReturnType<typeof settings>>;
export type SnapshotRecord = z.infer<ReturnType<typeof snapshot>>;
export type JobEndRecord = z.infer<ReturnType<typeof jobEnd>>;
export type ChildEndRecord = z.infer<ReturnType<typeof childEnd>>;
export type ChildQuestionRecord = z.infer<ReturnType<typeof childQuestion>>;
