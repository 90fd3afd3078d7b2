import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolMessage,
  Usage,
  UserMessage,
} from "../messages.ts";
import { type Content, text } from "../../tools/tool.ts";
import type {
  AssistantRecord,
  CompactionRecord,
  JobEndRecord,
  ToolCallRecord,
  ToolResultRecord,
  Unstamped,
  UserRecord,
} from "./records.ts";

/** The text of a call's result where the call was interrupted. */
export const INTERRUPTED = "[interrupted]";

/** The record of what a person (or the program for them) said. */
export function userRecord(content: readonly Content[]): Unstamped<UserRecord> {
  return {
    type: "user",
    content: content.map((part) =>
      part.type === "text"
        ? { type: "text", text: part.text }
        : { type: "image", blob: part.blob, media_type: part.mediaType }
    ),
  };
}

/** The record of a shell command that the person ran, and of what it came to. */
export function personCommandRecord(command: string, output: string): Unstamped<UserRecord> {
  const shown = `<person_command>\n$ ${command}\n${output}\n</person_command>`;
  return { ...userRecord([text(shown)]), command };
}

/** The record of a model's answer. */
export function assistantRecord(message: AssistantMessage): Unstamped<AssistantRecord> {
  const { reasoning } = message;
  return {
    type: "assistant",
    content: message.text,
    tool_calls: message.toolCalls.map((call) => ({
      call_id: call.callId,
      name: call.name,
      arguments: call.arguments,
    })),
    ...(reasoning && {
      reasoning: {
        text: reasoning.text,
        wire: reasoning.wire,
        ...(reasoning.field !== undefined && { field: reasoning.field }),
        ...(reasoning.items && { items: [...reasoning.items] }),
      },
    }),
    model: message.model,
    usage: usageRecord(message.usage),
    finish: message.finish,
  };
}

/** The record that goes before a call runs; `args` as parsed. */
export function toolCallRecord(
  callId: string,
  name: string,
  args: unknown,
): Unstamped<ToolCallRecord> {
  return { type: "tool_call", call_id: callId, name, arguments: args ?? null };
}

/** What a call came to. */
export interface CallOutcome {
  readonly callId: string;
  readonly isError: boolean;
  /** A JSON value; absent where the tool did not come to an end. */
  readonly value?: unknown;
  readonly content: readonly Content[];
  /** Names of further files in the session's folder that belong to it, as spills. */
  readonly files?: readonly string[];
}

/** The record of a call's result; texts are joined, images follow them. */
export function toolResultRecord(outcome: CallOutcome): Unstamped<ToolResultRecord> {
  const texts: string[] = [];
  const blobs: ToolResultRecord["blobs"] = [];
  for (const part of outcome.content) {
    if (part.type === "text") texts.push(part.text);
    else blobs.push({ name: part.blob, media_type: part.mediaType });
  }
  for (const name of outcome.files ?? []) blobs.push({ name });
  return {
    type: "tool_result",
    call_id: outcome.callId,
    is_error: outcome.isError,
    ...(outcome.value !== undefined && { value: outcome.value }),
    text: texts.join("\n"),
    blobs,
  };
}

/** The record that stands for the result of a call that was interrupted. */
export function interruptedRecord(callId: string): Unstamped<ToolResultRecord> {
  return toolResultRecord({ callId, isError: false, content: [text(INTERRUPTED)] });
}

/** Tokens as they are written. */
export function usageRecord(usage: Usage): AssistantRecord["usage"] {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
  };
}

/** Tokens as they were written. */
export function usageOf(usage: AssistantRecord["usage"]): Usage {
  return {
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    outputTokens: usage.output_tokens,
    reasoningTokens: usage.reasoning_tokens,
  };
}

/** The message that a `user` record is. */
export function userMessage(record: UserRecord): UserMessage {
  return {
    role: "user",
    content: record.content.map((part) =>
      part.type === "text"
        ? text(part.text)
        : { type: "image", blob: part.blob, mediaType: part.media_type }
    ),
  };
}

/** The message that an `assistant` record is. */
export function assistantMessage(record: AssistantRecord): AssistantMessage {
  const { reasoning } = record;
  return {
    role: "assistant",
    text: record.content,
    toolCalls: record.tool_calls.map((call) => ({
      callId: call.call_id,
      name: call.name,
      arguments: call.arguments,
    })),
    ...(reasoning && {
      reasoning: {
        text: reasoning.text,
        wire: reasoning.wire,
        ...(reasoning.field !== undefined && { field: reasoning.field }),
        ...(reasoning.items && { items: reasoning.items }),
      },
    }),
    model: record.model,
    usage: usageOf(record.usage),
    finish: record.finish,
  };
}

/** The message that a `tool_result` record is, as the answer to `call`. */
export function toolMessage(call: ToolCall, record: Unstamped<ToolResultRecord>): ToolMessage {
  const content: Content[] = record.text === "" ? [] : [text(record.text)];
  for (const { name, media_type: mediaType } of record.blobs) {
    if (mediaType?.startsWith("image/")) content.push({ type: "image", blob: name, mediaType });
  }
  return {
    role: "tool",
    callId: call.callId,
    name: call.name,
    isError: record.is_error,
    content,
  };
}

/** The record of a job that ran when its session was left without an orderly end. */
export function lostJobRecord(jobId: string): Unstamped<JobEndRecord> {
  return { type: "job_end", job_id: jobId, exit_code: null, signal: null, how: "lost" };
}

/** The note that a `job_end` record is for the model. */
export function jobEndMessage(record: JobEndRecord): UserMessage {
  const { job_id, command } = record;
  const which = command === undefined ? `job ${job_id}` : `job ${job_id} (${command})`;
  return { role: "user", content: [text(`[${which} ${endingOf(record)}]`)] };
}

function endingOf({ how = "by_itself", exit_code, signal }: JobEndRecord): string {
  switch (how) {
    case "by_itself":
    case "stopped": {
      const ending = signal === null ? `exit code: ${exit_code}` : `killed by signal: ${signal}`;
      return `has ended, ${ending}, see job_output`;
    }
    case "session_end":
      return "was ended when the session was left";
    case "lost":
      return "is lost: the program ended while it ran";
  }
}

/** The note of what a hook says to the model. */
export function hookMessage(told: string): UserMessage {
  return { role: "user", content: [text(`[a hook adds]\n${told}`)] };
}

/** The message that stands for all that a compaction replaced. */
export function summaryMessage({ summary }: Pick<CompactionRecord, "summary">): Message {
  return { role: "user", content: [text(summary)] };
}
