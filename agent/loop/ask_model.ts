import type { Tool } from "../../tools/tool.ts";
import type { ContextKeeper, RequestFrame } from "../compaction/keeper.ts";
import type { EventSink } from "../events.ts";
import type { AssistantMessage, Message } from "../messages.ts";
import { type Model, ModelError } from "../model/model.ts";

/** What a question to the model needs. */
export interface AskParts {
  readonly model: Model;
  /** The system prompt as of now: it shows the todo list. */
  readonly system: () => string;
  readonly executor: { readonly tools: readonly Tool[] };
  readonly keeper: ContextKeeper;
  readonly emit: EventSink;
  /** Called when a call begins to show in an answer, before its arguments are there. */
  readonly onToolCall?: () => void;
}

/**
 * The model's answer to the conversation, which is made smaller as long as the server finds it too
 * large.
 * @throws {ModelError} where no answer can be had.
 * @throws {DOMException} "AbortError" where `signal` is raised.
 */
export async function askWithinWindow(
  parts: AskParts,
  signal: AbortSignal,
): Promise<AssistantMessage> {
  const { keeper } = parts;
  const frame = frameOf(parts);
  let messages = await keeper.messagesFor(frame, signal);
  for (;;) {
    try {
      const answer = await askOnce(parts, frame, messages, signal);
      keeper.learn(frame, messages, answer.usage);
      return answer;
    } catch (error) {
      if (!(error instanceof ModelError) || error.kind !== "context_overflow") throw error;
      messages = await keeper.smallerFor(frame, error, signal);
    }
  }
}

/** What goes with the messages, as of now. */
export function frameOf({ system, executor }: Pick<AskParts, "system" | "executor">): RequestFrame {
  return { system: system(), tools: executor.tools.map(toolSpec) };
}

async function askOnce(
  parts: AskParts,
  frame: RequestFrame,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<AssistantMessage> {
  for await (const event of parts.model.ask({ ...frame, messages }, signal)) {
    switch (event.type) {
      case "text_delta":
        parts.emit({ type: "text_delta", text: event.text });
        break;
      case "retry":
        parts.emit({
          type: "retry",
          attempt: event.attempt,
          delay_ms: event.delayMs,
          reason: event.reason,
        });
        break;
      case "answer":
        return event.message;
      case "tool_call_start":
        parts.onToolCall?.();
        break;
      case "reasoning_delta":
        parts.emit({ type: "reasoning_delta", text: event.text });
        break;
    }
  }
  throw new ModelError("failed", "The model ended without an answer");
}

function toolSpec(tool: Tool) {
  return { name: tool.name, description: tool.description, parameters: tool.parameters.json };
}
