import type { SessionValues } from "../../tools/tool.ts";
import type { Schema } from "../../tools/schema.ts";
import type { Message, ToolCall, Usage } from "../messages.ts";
import { addUsage, NO_USAGE } from "./add_usage.ts";
import { ChildUsage } from "./child_usage.ts";
import { childEndMessage, childQuestionMessage } from "./child_records.ts";
import { MessageHistory, type SaidByPerson } from "./message_history.ts";
import { RunningChildren } from "./running_children.ts";
import { RunningJobs } from "./running_jobs.ts";
import { TouchedFiles } from "./touched_files.ts";
import { assistantMessage, hookMessage, jobEndMessage, usageOf, userMessage } from "./convert.ts";
import {
  type ApprovalRecord,
  type AssistantRecord,
  type CompactionRecord,
  isKnown,
  type JobEndRecord,
  type LogRecord,
  type SessionRecord,
  type SettingsRecord,
  type SnapshotRecord,
  type ToolResultRecord,
} from "./records.ts";

/**
 * What a log's records come to. The same fold runs while a session is written and when it is read
 * back, so both see the same. It takes any sequence of records; what `messages` promise stands at
 * {@linkcode MessageHistory}.
 */
export class Conversation implements SessionValues {
  readonly #history = new MessageHistory();
  readonly #values = new Map<string, unknown>();
  #usage: Usage = NO_USAGE;
  #turns = 0;
  #settings: SettingsRecord | undefined;
  readonly #snapshots: SnapshotRecord[] = [];
  readonly #standing: ApprovalRecord[] = [];
  #lastCompaction: CompactionRecord | undefined;
  #learntWindow: CompactionRecord["window"];
  readonly #jobs = new RunningJobs();
  readonly #children = new RunningChildren();
  readonly #landings = new Set<string>();
  readonly #childUsage = new ChildUsage();
  readonly #touched = new TouchedFiles();
  #name: string | undefined;

  /** What goes to the model, in order; a live view, to be copied by whoever keeps it. */
  get messages(): readonly Message[] {
    return this.#history.messages;
  }

  /** The id of the record that a message came from, as `replaces_to` of a compaction wants it. */
  sourceOf(index: number): string | undefined {
    return this.#history.sourceOf(index);
  }

  /** Calls of the last assistant message that have no result yet. */
  get unanswered(): readonly ToolCall[] {
    return this.#history.unanswered;
  }

  /** Tokens of all answers and summaries so far, also of those that were replaced since. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Answers of the model so far. */
  get turns(): number {
    return this.#turns;
  }

  /** The last `settings` record. */
  get settings(): SettingsRecord | undefined {
    return this.#settings;
  }

  /** What a person calls the session. */
  get name(): string | undefined {
    return this.#name;
  }

  /** The `snapshot` records, in order. */
  get snapshots(): readonly SnapshotRecord[] {
    return this.#snapshots;
  }

  /** The `approval` records that hold beyond their call, in order. */
  get standingApprovals(): readonly ApprovalRecord[] {
    return this.#standing;
  }

  /** Ids of the jobs that results told of and whose end is not known. */
  get runningJobs(): readonly string[] {
    return this.#jobs.ids;
  }

  /** The highest number of a job so far; 0 where there was none. */
  get lastJob(): number {
    return this.#jobs.last;
  }

  /** Ids of the sub-agents that results told of and whose end is not known. */
  get runningChildren(): readonly string[] {
    return this.#children.ids;
  }

  /** The highest number of a sub-agent so far; 0 where there was none. */
  get lastChild(): number {
    return this.#children.last;
  }

  /** Whether it was told what became of a sub-agent's worktree. */
  hasLanding(childId: string): boolean {
    return this.#landings.has(childId);
  }

  /** What sub-agents used that have ended. */
  get childUsage(): Omit<ChildUsage, "add"> {
    return this.#childUsage;
  }

  /** All that the person said, in order, also what a summary stands for. */
  get said(): readonly SaidByPerson[] {
    return this.#history.said;
  }

  /** The last compaction that made a summary. */
  get lastCompaction(): CompactionRecord | undefined {
    return this.#lastCompaction;
  }

  /** The window of a model, as far as its server told it by an error. */
  get learntWindow(): CompactionRecord["window"] {
    return this.#learntWindow;
  }

  /** The files that tools say they touched, compacted or not. */
  get touched(): Omit<TouchedFiles, "note"> {
    return this.#touched;
  }

  latest<V>(tool: { readonly name: string; readonly result: Schema<V> }): V | undefined {
    if (!this.#values.has(tool.name)) return undefined;
    const parsed = tool.result.parse(this.#values.get(tool.name));
    return parsed.ok ? parsed.value : undefined;
  }

  /** Takes the next record; a result without its call is passed over. Never throws. */
  apply(record: LogRecord): void {
    if (isKnown(record)) this.#applyKnown(record);
    this.#history.endRecord(record.id);
  }

  #applyKnown(record: SessionRecord): void {
    switch (record.type) {
      case "user":
        return record.command === undefined
          ? this.#history.hear(userMessage(record))
          : this.#history.sayNote(userMessage(record));
      case "assistant":
        return this.#answer(record);
      case "tool_call":
        return this.#history.start(record.call_id, record.name);
      case "tool_result":
        return this.#finish(record);
      case "compaction":
        return this.#compact(record);
      case "settings":
        this.#settings = record;
        return;
      case "name":
        this.#name = record.name || undefined;
        return;
      case "snapshot":
        this.#snapshots.push(record);
        return;
      case "job_end":
        return this.#endJob(record);
      case "child_end":
        this.#children.end(record.child_id);
        if (record.worktree !== undefined) this.#landings.add(record.child_id);
        this.#childUsage.add(record);
        if (!record.told) this.#history.sayNote(childEndMessage(record));
        return;
      case "child_question":
        return this.#history.sayNote(childQuestionMessage(record));
      case "hook":
        if (record.told !== undefined) this.#history.sayNote(hookMessage(record.told));
        return;
      case "approval":
        if (record.rules) this.#standing.push(record);
        return;
      case "egress":
      case "end":
        return;
      default:
        record satisfies never;
    }
  }

  #answer(record: AssistantRecord): void {
    const message = assistantMessage(record);
    this.#usage = addUsage(this.#usage, message.usage);
    this.#turns++;
    this.#history.answer(message);
  }

  #finish(record: ToolResultRecord): void {
    const tool = this.#history.finish(record);
    if (tool === undefined || record.is_error || record.value === undefined) return;
    this.#values.set(tool, record.value);
    this.#jobs.note(record.value);
    this.#children.note(record.value);
    this.#touched.note(tool, record.value);
  }

  #endJob(record: JobEndRecord): void {
    this.#jobs.end(record.job_id);
    if (!record.told) this.#history.sayNote(jobEndMessage(record));
  }

  #compact(record: CompactionRecord): void {
    if (record.usage) this.#usage = addUsage(this.#usage, usageOf(record.usage));
    this.#learntWindow = record.window ?? this.#learntWindow;
    if (this.#history.compact(record)) this.#lastCompaction = record;
  }
}

/** A conversation for those who read it; only its session adds to it. */
export type ConversationView = Omit<Conversation, "apply">;
