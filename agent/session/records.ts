import * as z from "zod";
import { lazily } from "../lazily.ts";

/** The format that this program writes, and the newest that it reads. */
export const FORMAT = 1;

// Made when a log is read: that takes 5 ms, which a new session need not wait for.
const content = lazily(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({ type: z.literal("image"), blob: z.string(), media_type: z.string() }),
  ])
);

const usage = lazily(() =>
  z.object({
    input_tokens: z.number(),
    cached_input_tokens: z.number(),
    output_tokens: z.number(),
    reasoning_tokens: z.number(),
  })
);

const time = lazily(() => z.iso.datetime({ offset: true }));

const stamp = lazily(() => ({ id: z.string(), parent: z.string(), time: time() }));

const header = lazily(() =>
  z.object({
    type: z.literal("header"),
    format: z.number(),
    /** The session's id. */
    id: z.string(),
    /** The session that this one was forked from. */
    parent: z.string().nullable(),
    time: time(),
    cwd: z.string(),
    created: time(),
    /** Of the program that began the session. */
    version: z.string(),
    /** It is the work of a sub-agent, in this role, and `parent` started it. */
    child: z.object({ role: z.string() }).exactOptional(),
  })
);

const user = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("user"),
    content: z.array(content()),
    /** The shell command that the person ran, where the content is what it came to and no prompt. */
    command: z.string().exactOptional(),
  })
);

const assistant = lazily(() =>
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

const toolCall = lazily(() =>
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

const toolResult = lazily(() =>
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

const approval = lazily(() =>
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

/** How the session is run from here on; each record is whole, absent is not set. */
const settings = lazily(() =>
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

const snapshot = lazily(() =>
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

const jobEnd = lazily(() =>
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
const childEnd = lazily(() =>
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
const childQuestion = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("child_question"),
    child_id: z.string(),
    question: z.string(),
    options: z.array(z.string()).exactOptional(),
  })
);

const compaction = lazily(() =>
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

/** A connection of a command or a tool, once it has ended. */
const egress = lazily(() =>
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
const hook = lazily(() =>
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
const name = lazily(() => z.object({ ...stamp(), type: z.literal("name"), name: z.string() }));

const end = lazily(() =>
  z.object({
    ...stamp(),
    type: z.literal("end"),
    reason: z.string(),
    /** The session's name, said again so that a list need not read the whole log. */
    name: z.string().exactOptional(),
  })
);

const known = lazily(() =>
  z.discriminatedUnion("type", [
    user(),
    assistant(),
    toolCall(),
    toolResult(),
    approval(),
    settings(),
    snapshot(),
    jobEnd(),
    childEnd(),
    childQuestion(),
    compaction(),
    egress(),
    hook(),
    name(),
    end(),
  ])
);

const foreign = lazily(() => z.object({ ...stamp(), type: z.string() }));

const KNOWN_TYPES = {
  user: true,
  assistant: true,
  tool_call: true,
  tool_result: true,
  approval: true,
  settings: true,
  snapshot: true,
  job_end: true,
  child_end: true,
  child_question: true,
  compaction: true,
  egress: true,
  hook: true,
  name: true,
  end: true,
} as const satisfies Record<SessionRecord["type"], true>;

/** The first record of a log. */
export type HeaderRecord = z.infer<ReturnType<typeof header>>;
export type UserRecord = z.infer<ReturnType<typeof user>>;
export type AssistantRecord = z.infer<ReturnType<typeof assistant>>;
export type ToolCallRecord = z.infer<ReturnType<typeof toolCall>>;
export type ToolResultRecord = z.infer<ReturnType<typeof toolResult>>;
export type ApprovalRecord = z.infer<ReturnType<typeof approval>>;
export type SettingsRecord = z.infer<ReturnType<typeof settings>>;
export type SnapshotRecord = z.infer<ReturnType<typeof snapshot>>;
export type JobEndRecord = z.infer<ReturnType<typeof jobEnd>>;
export type ChildEndRecord = z.infer<ReturnType<typeof childEnd>>;
export type ChildQuestionRecord = z.infer<ReturnType<typeof childQuestion>>;
export type CompactionRecord = z.infer<ReturnType<typeof compaction>>;
export type EgressRecord = z.infer<ReturnType<typeof egress>>;
export type HookRecord = z.infer<ReturnType<typeof hook>>;
export type NameRecord = z.infer<ReturnType<typeof name>>;
export type EndRecord = z.infer<ReturnType<typeof end>>;

/** A record that this version knows, the header apart. */
export type SessionRecord = z.infer<ReturnType<typeof known>>;

/** A record of a type that this version does not know; kept, and otherwise passed over. */
export type ForeignRecord = z.infer<ReturnType<typeof foreign>>;

/** Any record that follows the header. */
export type LogRecord = SessionRecord | ForeignRecord;

/** A record to append; the log gives it id, parent and time. */
export type NewRecord = Unstamped<SessionRecord>;

/** `R` without what the log itself adds. */
export type Unstamped<R> = R extends unknown ? Omit<R, "id" | "parent" | "time"> : never;

export type ParsedRecord<R> =
  | { readonly ok: true; readonly record: R }
  | { readonly ok: false; readonly problem: string };

/** True for records that this version knows. */
export function isKnown(record: LogRecord): record is SessionRecord {
  return Object.hasOwn(KNOWN_TYPES, record.type);
}

/** Whether a record is something that a person said, and no command that they ran. */
export function isPrompt(record: LogRecord): record is UserRecord {
  return isKnown(record) && record.type === "user" && record.command === undefined;
}

/** Reads a value as the header of a log, unknown fields kept. */
export function parseHeader(value: unknown): ParsedRecord<HeaderRecord> {
  return checked<HeaderRecord>(header(), value);
}

/** Reads a value as a record that follows the header, unknown types and fields kept. */
export function parseRecord(value: unknown): ParsedRecord<LogRecord> {
  const parsed = checked<ForeignRecord>(foreign(), value);
  if (!parsed.ok || !Object.hasOwn(KNOWN_TYPES, parsed.record.type)) return parsed;
  return checked<SessionRecord>(known(), value);
}

/**
 * A record as its line, line feed included. U+2028 and U+2029 are escaped for readers that split
 * there; lone surrogates and control characters are escaped by JSON itself.
 */
export function recordLine(record: HeaderRecord | LogRecord): string {
  const json = JSON.stringify(record);
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029") + "\n";
}

function checked<R>(type: z.ZodType<R>, value: unknown): ParsedRecord<R> {
  const parsed = type.safeParse(value);
  // The value itself and not zod's copy, which lacks unknown fields: no schema here transforms or
  // fills in, so what passed is an R.
  if (parsed.success) return { ok: true, record: value as R };
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".");
  return { ok: false, problem: where ? `${where}: ${issue?.message}` : `${issue?.message}` };
}
