import * as z from "zod";
import { lazily } from "../lazily.ts";
import { content, stamp, usage } from "./record_fields.ts";

/** What a person said, or a shell command that they ran. */
export const user = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("user"),
    content: z.array(content()),
    /** The shell command that the person ran, where the content is what it came to and no prompt. */
    command: z.string().exactOptional(),
  })
);

/** An answer of the model, as a whole. */
export const assistant = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("assistant"),
    content: z.string(),
    /** `arguments` is the raw text, JSON or not. */
    tool_calls: z.array(z.object({ call_id: z.string(), name: z.string(), arguments: z.string() })),
    reasoning: z.object({
      text: z.string(),
      wire: z.enum(["chat", "responses"]),
      field: z.string().exactOptional(),
      items: z.array(z.unknown()).exactOptional(),
    }).exactOptional(),
    model: z.string(),
    usage: usage(),
    finish: z.enum(["stop", "tool_calls", "length", "content_filter"]),
  })
);

/** A call that is about to be planned and run. */
export const toolCall = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("tool_call"),
    call_id: z.string(),
    /** The tool that runs, where the model called it by another name. */
    name: z.string(),
    /** As parsed, defaults filled in. */
    arguments: z.unknown(),
  })
);

/** The one result of a call. */
export const toolResult = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("tool_result"),
    call_id: z.string(),
    is_error: z.boolean(),
    /** What the tool found; absent where it did not come to an end. */
    value: z.unknown().exactOptional(),
    text: z.string(),
    /** Files in the session's folder; those with an image's media type are shown to the model. */
    blobs: z.array(z.object({ name: z.string(), media_type: z.string().exactOptional() })),
  })
);

/** What was decided of a call at the gate, or of its kind for the session. */
export const approval = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("approval"),
    call_id: z.string(),
    decision: z.enum(["allow", "deny", "unavailable"]),
    /** Who decided: `person`, `policy`, `rule`, `silence`, … */
    by: z.string(),
    /** How far it holds: `call`, `session`, … */
    scope: z.string(),
    /** With scope `session`: what it holds for, as `agent/gate/rules.ts` reads it. */
    rules: z.array(z.unknown()).exactOptional(),
    /** What the person said with a no. */
    remark: z.string().exactOptional(),
    /** What the person made of the call's arguments, as parsed. */
    arguments: z.unknown().exactOptional(),
  })
);

/** A summary that stands for the older part of the conversation, or why there is none. */
export const compaction = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("compaction"),
    /** Id of the last record whose message the summary stands for; empty with `failed`. */
    replaces_to: z.string(),
    summary: z.string(),
    /** What making the summary cost. */
    usage: usage().exactOptional(),
    /** Why there is no summary, where tokens were spent on one that could not be used. */
    failed: z.string().exactOptional(),
    /** Tokens that the model's window holds, where its server told it in an error. */
    window: z.object({ model: z.string(), tokens: z.number() }).exactOptional(),
  })
);

export type UserRecord = z.infer<ReturnType<typeof user>>;
export type AssistantRecord = z.infer<ReturnType<typeof assistant>>;
export type ToolCallRecord = z.infer<ReturnType<typeof toolCall>>;
export type ToolResultRecord = z.infer<ReturnType<typeof toolResult>>;
export type ApprovalRecord = z.infer<ReturnType<typeof approval>>;
export type CompactionRecord = z.infer<ReturnType<typeof compaction>>;
