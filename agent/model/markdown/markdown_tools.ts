import type { AssistantMessage, FinishReason, ToolCall } from "../../messages.ts";
import type { Model, ToolSpec } from "../model.ts";
import { describeTools } from "./describe.ts";
import { MarkdownHistory } from "./history.ts";
import { callsIn, parseAnswer } from "./parse.ts";

/**
 * A model without function calling as one that has it: tools are told in the system prompt, blocks
 * of its answer become calls, and calls and results go back as text. Answers keep their text as it
 * was written, blocks included, so that the log holds it and the model reads what it said.
 */
export function markdownTools(model: Model, newCallId: () => string = randomCallId): Model {
  const history = new MarkdownHistory();
  return {
    name: model.name,
    prepare: () => model.prepare?.(),
    async *ask({ system, messages, tools }, signal) {
      const told = describeTools(tools);
      const asText = {
        system: told === "" ? system : `${system}\n\n${told}`,
        messages: history.translate(messages, tools),
        tools: [],
      };
      for await (const event of model.ask(asText, signal)) {
        if (event.type !== "answer") {
          yield event;
          continue;
        }
        const message = withCalls(event.message, tools, newCallId);
        const started = message.toolCalls.slice(event.message.toolCalls.length);
        for (const { name } of started) yield { type: "tool_call_start", name };
        yield { type: "answer", message };
      }
    },
  };
}

/** Calls that the model's server made on its own stay: the executor judges them like all others. */
function withCalls(
  message: AssistantMessage,
  tools: readonly ToolSpec[],
  newCallId: () => string,
): AssistantMessage {
  const cut = message.finish === "length" || message.finish === "content_filter";
  const written = callsIn(parseAnswer(message.text, tools, cut));
  if (written.length === 0) return message;
  const calls = written.map((call): ToolCall => ({ callId: newCallId(), ...call }));
  return {
    ...message,
    toolCalls: [...message.toolCalls, ...calls],
    finish: settle(message.finish),
  };
}

function settle(finish: FinishReason): FinishReason {
  return finish === "stop" ? "tool_calls" : finish;
}

/** Unique in a session, compacted or not: files of results are named by it. */
function randomCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
}
