import type { Content } from "../../tools/tool.ts";
import { isEmptyAnswer } from "../loop/empty_answer.ts";
import type { AssistantMessage, Message, ToolCall, UserMessage } from "../messages.ts";
import { interruptedRecord, summaryMessage, toolMessage } from "./convert.ts";
import type { CompactionRecord, ToolResultRecord } from "./records.ts";
import { wholeTurns } from "./whole_turns.ts";

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
 * The messages of a session as a model is sent them. Whatever comes in which order, it keeps one
 * promise: each assistant message is followed by exactly one result for each of its calls before
 * anything else comes; only the last one's calls may be open.
 */
export class MessageHistory {
  readonly #messages: Message[] = [];
  /** The id of the record that made each message. */
  readonly #sources: string[] = [];
  /** By record: how many messages had been made when it was applied, those replaced included. */
  readonly #madeBy = new Map<string, number>();
  /** `#messages[i]` is message number `#replaced + i`. */
  #replaced = 0;
  #open: OpenCall[] = [];
  readonly #said: { readonly content: readonly Content[]; readonly number: number }[] = [];
  /** The last message, where it holds nothing but notes of ours. */
  #note: UserMessage | undefined;
  /** A summary stands for what came before. */
  #summed = false;

  /** In order; a live view, to be copied by whoever keeps it. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The id of the record that a message came from. */
  sourceOf(index: number): string | undefined {
    return this.#sources[index];
  }

  /** Calls of the last assistant message that have no result yet. */
  get unanswered(): readonly ToolCall[] {
    return this.#open.map(({ call }) => call);
  }

  /** All that the person said, in order, also what a summary stands for. */
  get said(): readonly SaidByPerson[] {
    return this.#said.map(({ content, number }) => {
      const index = number - this.#replaced;
      return { content, index: this.#isReplaced(number) ? undefined : index };
    });
  }

  /** Notes that the messages made since the last record came from this one. */
  endRecord(id: string): void {
    while (this.#sources.length < this.#messages.length) this.#sources.push(id);
    this.#madeBy.set(id, this.#replaced + this.#messages.length);
  }

  /** Adds what a person says. */
  hear(message: UserMessage): void {
    this.#say(message, this.#note);
    const number = this.#replaced + this.#messages.length - 1;
    this.#said.push({ content: message.content, number });
  }

  /** Adds an answer, whose calls are open from now on. */
  answer(message: AssistantMessage): void {
    this.#closeOpenCalls();
    // An answer of nothing counts and is not sent back: servers refuse messages without content.
    if (isEmptyAnswer(message)) return;
    this.#messages.push(message);
    this.#open = message.toolCalls.map((call) => ({ call }));
  }

  /** Notes which tool an open call runs as. */
  start(callId: string, name: string): void {
    const open = this.#open.find(({ call, ranAs }) =>
      call.callId === callId && ranAs === undefined
    );
    if (open) open.ranAs = name;
  }

  /** Adds the result of an open call, and says which tool ran; undefined where no such call is open. */
  finish(record: ToolResultRecord): string | undefined {
    const index = this.#open.findIndex(({ call }) => call.callId === record.call_id);
    const [open] = index < 0 ? [] : this.#open.splice(index, 1);
    if (!open) return undefined;
    this.#messages.push(toolMessage(open.call, record));
    return open.ranAs ?? open.call.name;
  }

  /** Adds what asks for nothing: to what the user's side said last, else it waits for what it says. */
  sayNote(message: UserMessage): void {
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

  /** Puts a summary in the place of whole turns; false where none are there to be replaced. */
  compact(record: CompactionRecord): boolean {
    const made = this.#madeBy.get(record.replaces_to);
    if (made === undefined) return false;
    const count = wholeTurns(this.#messages, made - this.#replaced, this.#open.length > 0);
    if (count <= 0) return false;
    // The summary takes the number of the last message that it replaces.
    this.#messages.splice(0, count, summaryMessage(record));
    this.#sources.splice(0, count, record.id);
    this.#replaced += count - 1;
    this.#summed = true;
    return true;
  }

  /** Whether a summary stands for message number `number`; its own number is the last such. */
  #isReplaced(number: number): boolean {
    return number < this.#replaced || (this.#summed && number === this.#replaced);
  }
}
