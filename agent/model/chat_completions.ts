import type { AssistantMessage, FinishReason, Reasoning, ToolCall, Usage } from "../messages.ts";
import { type CallDraft, finishCalls } from "./call_drafts.ts";
import { type CallDelta, type Chunk, readChunk } from "./chat_chunks.ts";
import { ChatMessages } from "./chat_messages.ts";
import { AttemptFailure, malformed } from "./failure.ts";
import { isString, type Json } from "./json.ts";
import type { ModelEvent, ModelRequest, ToolSpec } from "./model.ts";
import type { EventStream } from "./transport.ts";
import type { Dialect, Wire, WireOptions } from "./wire.ts";

const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** The Chat Completions protocol. */
export function chatCompletions(options: WireOptions): Wire {
  const messages = new ChatMessages(options);
  return {
    path: "/chat/completions",
    async encode({ system, messages: history, tools }, dialect) {
      const list = await messages.encode(system, history);
      const rest = JSON.stringify(parameters(tools, options, dialect));
      return `{"model":${JSON.stringify(options.model)},"messages":${list},${rest.slice(1)}`;
    },
    decode: (events, request) => decode(events, request, options),
  };
}

function parameters(
  tools: readonly ToolSpec[],
  { maxOutputTokens }: WireOptions,
  dialect: Dialect,
): Json {
  return {
    ...(tools.length > 0
      ? { tools: tools.map((tool) => ({ type: "function", function: tool })) }
      : {}),
    ...(maxOutputTokens === undefined ? {} : { [dialect.maxTokensField]: maxOutputTokens }),
    stream: true,
    ...(dialect.streamOptions ? { stream_options: { include_usage: true } } : {}),
  };
}

async function* decode(
  events: EventStream,
  request: ModelRequest,
  options: WireOptions,
): AsyncGenerator<ModelEvent> {
  const answer = new ChatAnswer();
  for await (const event of events) {
    const chunk = readChunk(event);
    yield* answer.add(chunk);
    if (chunk.finish) events.finished();
  }
  const message = answer.finish(request, options);
  yield { type: "answer", message };
}

/** An answer as its chunks come. */
class ChatAnswer {
  #text = "";
  #reasoning = "";
  #field: string | undefined;
  readonly #details: Json[] = [];
  readonly #calls: (CallDraft & { index?: number; isWhole: boolean })[] = [];
  #finish: FinishReason | undefined;
  #usage = NO_USAGE;

  *add(chunk: Chunk): Generator<ModelEvent> {
    if (chunk.usage) this.#usage = chunk.usage;
    // Some servers repeat their last chunk; an answer is over once it says why.
    if (this.#finish) return;
    if (chunk.reasoning) {
      this.#field ??= chunk.reasoning.field;
      this.#reasoning += chunk.reasoning.text;
      yield { type: "reasoning_delta", text: chunk.reasoning.text };
    }
    for (const detail of chunk.details) {
      addDetail(this.#details, detail);
      const text = chunk.reasoning ? "" : detailText(detail);
      this.#reasoning += text;
      if (text !== "") yield { type: "reasoning_delta", text };
    }
    if (chunk.text !== "") {
      this.#text += chunk.text;
      yield { type: "text_delta", text: chunk.text };
    }
    for (const delta of chunk.calls) yield* this.#addCall(delta);
    this.#finish = chunk.finish;
  }

  *#addCall(delta: CallDelta): Generator<ModelEvent> {
    const draft = this.#find(delta);
    if (!draft) {
      if (delta.name === "") throw malformed("a tool call begins without a name");
      this.#calls.push({ ...delta });
      yield { type: "tool_call_start", name: delta.name };
      return;
    }
    const mixed = draft.isWhole || (delta.isWhole && draft.arguments !== "");
    if (mixed && delta.arguments !== "") {
      throw malformed("arguments of a tool call come as text and as an object");
    }
    draft.arguments += delta.arguments;
    draft.isWhole ||= delta.isWhole;
  }

  /** The call that a delta continues; undefined where it begins one. Never a guess. */
  #find(delta: CallDelta): (CallDraft & { isWhole: boolean }) | undefined {
    if (delta.index === undefined) {
      if (delta.id !== "") return this.#calls.find(({ id }) => id === delta.id);
      if (delta.name !== "") return undefined;
      throw malformed("part of a tool call has neither index nor id");
    }
    // Servers are known that give every call of an answer the index 0, with ids of their own.
    const draft = this.#calls.findLast(({ index }) => index === delta.index);
    return draft && delta.id !== "" && draft.id !== "" && delta.id !== draft.id ? undefined : draft;
  }

  finish(request: ModelRequest, options: WireOptions): AssistantMessage {
    if (!this.#finish) {
      throw new AttemptFailure({
        kind: "torn",
        sentence: "its stream ended before the answer did",
      });
    }
    const whole = this.#finish !== "length";
    const toolCalls = finishCalls(this.#calls, request, whole, options.newCallId);
    const reasoning = this.#reasoningOf();
    return {
      role: "assistant",
      text: this.#text,
      toolCalls,
      ...(reasoning ? { reasoning } : {}),
      model: options.model,
      usage: this.#usage,
      finish: settle(this.#finish, toolCalls),
    };
  }

  #reasoningOf(): Reasoning | undefined {
    if (this.#field === undefined && this.#details.length === 0) return undefined;
    return {
      text: this.#reasoning,
      wire: "chat",
      ...(this.#field === undefined ? {} : { field: this.#field }),
      ...(this.#details.length > 0 ? { items: this.#details } : {}),
    };
  }
}

/** Servers end with `stop` after calls too; without any, `tool_calls` means that they were lost. */
function settle(finish: FinishReason, calls: readonly ToolCall[]): FinishReason {
  if (finish === "stop" && calls.length > 0) return "tool_calls";
  if (finish === "tool_calls" && calls.length === 0) {
    throw malformed("it announces tool calls and sends none");
  }
  return finish;
}

/** `reasoning_details` come in pieces: texts of one index belong together (OpenRouter's rule). */
function addDetail(details: Json[], detail: Json): void {
  const last = details.at(-1);
  const isText = detail.type === "reasoning.text" || detail.type === "reasoning.summary";
  if (!last || !isText || last.type !== detail.type || last.index !== detail.index) {
    details.push({ ...detail });
    return;
  }
  for (const [name, value] of Object.entries(detail)) {
    if (name === "text" || name === "summary") last[name] = `${last[name] ?? ""}${value ?? ""}`;
    else if (value !== null) last[name] = value;
  }
}

function detailText({ text, summary }: Json): string {
  return [text, summary].find(isString) ?? "";
}
