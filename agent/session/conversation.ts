import type { Content, SessionValues } from "../../tools/tool.ts";
import type { Schema } from "../../tools/schema.ts";
import type { Message, ToolCall, Usage, UserMessage } from "../messages.ts";
import { isEmptyAnswer } from "../empty_answer.ts";
import { addUsage, NO_USAGE } from "./add_usage.ts";
import { ChildUsage } from "./child_usage.ts";
import { childEndMessage, childQuestionMessage } from "./child_records.ts";
import { RunningChildren } from "./running_children.ts";
import { RunningJobs } from "./running_jobs.ts";
import { TouchedFiles } from "./touched_files.ts";
import { wholeTurns } from "./whole_turns.ts";
import {
  assistantMessage,
  hookMessage,
  interruptedRecord,
  jobEndMessage,
  summaryMessage,
  toolMessage,
  usageOf,
  userMessage,
} from "./convert.ts";
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
  type ToolCallRecord,
  type ToolResultRecord,
} from "./records.ts";

/** A call without its result. */
interface OpenCall {
  readonly call: ToolCall;
  /** The tool that ran, once its `tool_call` record came. */
  ranAs?: string;
}

/** Something that a person said. */
export interface SaidByPerson {
  readonly content: readonly Content[];
  /** Where it stands in `messages`; undefined where a summary stands for it. */
  readonly index: number | undefined;
}

/**
 * What a log's records come to. The same fold runs while a session is written and when it is read
 * back, so both see the same. It takes any sequence of records and keeps one promise: in
 * `messages`, each assistant message is followed by exactly one result for each of its calls
 * before anything else comes; only the last one's calls may be open.
 */
export class Conversation implements SessionValues {
  readonly #messages: Message[] = [];
  /** The id of the record that made each message. */
  readonly #sources: string[] = [];
  /** By record: how many messages had been made when it was applied, those replaced included. */
  readonly #madeBy = new Map<string, number>();
  /** `#messages[i]` is message number `#replaced + i`. */
  #replaced = 0;
  #open: OpenCall[] = [];
  readonly #values = new Map<string, unknown>();
  #usage: Usage = NO_USAGE;
  #turns = 0;
  #settings: SettingsRecord | undefined;
  readonly #snapshots: SnapshotRecord[] = [];
  readonly #standing: ApprovalRecord[] = [];
  readonly #said: { readonly content: readonly Content[]; readonly number: number }[] = [];
  #lastCompaction: CompactionRecord | undefined;
  #learntWindow: CompactionRecord["window"];
  readonly #jobs = new RunningJobs();
  readonly #children = new RunningChildren();
  readonly #landings = new Set<string>();
  readonly #childUsage = new ChildUsage();
  readonly #touched = new TouchedFiles();
  /** The last message, where it holds nothing but notes of ours. */
  #note: UserMessage | undefined;
  #name: string | undefined;

  /** What goes to the model, in order; a live view, to be copied by whoever keeps it. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The id of the record that a message came from, as `replaces_to` of a compaction wants it. */
  sourceOf(index: number): string | undefined {
    return this.#sources[index];
  }

  /** Calls of the last assistant message that have no result yet. */
  get unanswered(): readonly ToolCall[] {
    return this.#open.map(({ call }) => call);
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
    return this.#said.map(({ content, number }) => {
      const index = number - this.#replaced;
      return { content, index: this.#isReplaced(number) ? undefined : index };
    });
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
    while (this.#sources.length < this.#messages.length) this.#sources.push(record.id);
    this.#madeBy.set(record.id, this.#replaced + this.#messages.length);
  }

  #applyKnown(record: SessionRecord): void {
    switch (record.type) {
      case "user":
        return record.command === undefined
          ? this.#hear(userMessage(record))
          : this.#sayNote(userMessage(record));
      case "assistant":
        return this.#answer(record);
      case "tool_call":
        return this.#start(record);
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
        if (!record.told) this.#sayNote(childEndMessage(record));
        return;
      case "child_question":
        return this.#sayNote(childQuestionMessage(record));
      case "hook":
        if (record.told !== undefined) this.#sayNote(hookMessage(record.told));
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

  #hear(message: UserMessage): void {
    this.#say(message, this.#note);
    const number = this.#replaced + this.#messages.length - 1;
    this.#said.push({ content: message.content, number });
  }

  #answer(record: AssistantRecord): void {
    this.#closeOpenCalls();
    const message = assistantMessage(record);
    this.#usage = addUsage(this.#usage, message.usage);
    this.#turns++;
    // An answer of nothing counts and is not sent back: servers refuse messages without content.
    if (isEmptyAnswer(message)) return;
    this.#messages.push(message);
    this.#open = message.toolCalls.map((call) => ({ call }));
  }

  #start(record: ToolCallRecord): void {
    const open = this.#open.find(({ call, ranAs }) =>
      call.callId === record.call_id && ranAs === undefined
    );
    if (open) open.ranAs = record.name;
  }

  #finish(record: ToolResultRecord): void {
    const index = this.#open.findIndex(({ call }) => call.callId === record.call_id);
    const [open] = index < 0 ? [] : this.#open.splice(index, 1);
    if (!open) return;
    this.#messages.push(toolMessage(open.call, record));
    if (record.is_error || record.value === undefined) return;
    const tool = open.ranAs ?? open.call.name;
    this.#values.set(tool, record.value);
    this.#jobs.note(record.value);
    this.#children.note(record.value);
    this.#touched.note(tool, record.value);
  }

  #endJob(record: JobEndRecord): void {
    this.#jobs.end(record.job_id);
    if (!record.told) this.#sayNote(jobEndMessage(record));
  }

  /** Adds what asks for nothing: to what the user's side said last, else it waits for what it says. */
  #sayNote(message: UserMessage): void {
    const last = this.#messages.at(-1);
    const isNote = last?.role !== "user" || last === this.#note;
    const said = this.#say(message, last?.role === "user" ? last : undefined);
    if (isNote) this.#note = said;
  }

  /** Adds what the user's side says, to the message before where that is the one to be joined. */
  #say(message: UserMessage, joined: UserMessage | undefined): UserMessage {
    this.#closeOpenCalls();
    if (joined === undefined || this.#messages.at(-1) !== joined) {
      this.#messages.push(message);
      return message;
    }
    const both = { ...message, content: [...joined.content, ...message.content] };
    this.#messages[this.#messages.length - 1] = both;
    return both;
  }

  #closeOpenCalls(): void {
    for (const { call } of this.#open) {
      this.#messages.push(toolMessage(call, interruptedRecord(call.callId)));
    }
    this.#open = [];
  }

  #compact(record: CompactionRecord): void {
    if (record.usage) this.#usage = addUsage(this.#usage, usageOf(record.usage));
    this.#learntWindow = record.window ?? this.#learntWindow;
    const made = this.#madeBy.get(record.replaces_to);
    if (made === undefined) return;
    const count = wholeTurns(
      this.#messages,
      made - this.#replaced,
      this.#open.length > 0,
    );
    if (count <= 0) return;
    // The summary takes the number of the last message that it replaces.
    this.#messages.splice(0, count, summaryMessage(record));
    this.#sources.splice(0, count, record.id);
    this.#replaced += count - 1;
    this.#lastCompaction = record;
  }

  /** Whether a summary stands for message number `number`; its own number is the last such. */
  #isReplaced(number: number): boolean {
    return number < this.#replaced ||
      (this.#lastCompaction !== undefined && number === this.#replaced);
  }
}

/** A conversation for those who read it; only its session adds to it. */
export type ConversationView = Omit<Conversation, "apply">;
