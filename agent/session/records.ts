import * as z from "zod";
import { lazily } from "../lazily.ts";
import {
  childEnd,
  childQuestion,
  egress,
  end,
  hook,
  jobEnd,
  name,
  settings,
  snapshot,
} from "./course_records.ts";
import {
  approval,
  assistant,
  compaction,
  toolCall,
  toolResult,
  user,
  type UserRecord,
} from "./dialogue_records.ts";
import { stamp, time } from "./record_fields.ts";

export type {
  ChildEndRecord,
  ChildQuestionRecord,
  JobEndRecord,
  SettingsRecord,
  SnapshotRecord,
} from "./course_records.ts";
export type {
  ApprovalRecord,
  AssistantRecord,
  CompactionRecord,
  ToolCallRecord,
  ToolResultRecord,
  UserRecord,
} from "./dialogue_records.ts";

/** The format that this program writes, and the newest that it reads. */
export const FORMAT = 1;

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
