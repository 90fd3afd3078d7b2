import type { Content } from "../tools/tool.ts";

/** A message of the conversation, as it travels between log, loop and model. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: "user";
  readonly content: readonly Content[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly reasoning?: Reasoning;
  /** The model that said it. */
  readonly model: string;
  readonly usage: Usage;
  readonly finish: FinishReason;
}

/** The answer to one call; every call has exactly one. */
export interface ToolMessage {
  readonly role: "tool";
  readonly callId: string;
  readonly name: string;
  readonly isError: boolean;
  readonly content: readonly Content[];
}

/** A call as the model wrote it; the executor is the first to trust it, or not to. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  /** Raw text, meant to be a JSON object. */
  readonly arguments: string;
  /** Why it cannot be a call, where the text that it was read from is cut off or at odds; never run. */
  readonly problem?: string;
}

/** What a model thought, in the form in which its server wants it back. */
export interface Reasoning {
  /** For people; empty where the server keeps it to itself. */
  readonly text: string;
  /** Which wire made it: reasoning never goes back over another. */
  readonly wire: "chat" | "responses";
  /** Name of the field that chat servers read it back from, as `reasoning_content`. */
  readonly field?: string;
  /** Items of the Responses API, or `reasoning_details` of chat servers, passed back unread. */
  readonly items?: readonly unknown[];
}

/** Tokens of one answer. `inputTokens` include the cached ones, `outputTokens` the reasoning. */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** `length`: cut off by the token limit, so its calls are never run. */
export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter";
