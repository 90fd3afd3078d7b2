import type { AssistantMessage, FinishReason, Reasoning, Usage } from "../messages.ts";
import { type CallDraft, finishCalls } from "./call_drafts.ts";
import { AttemptFailure, malformed } from "./failure.ts";
import { count, isJson, isList, isString, type Json, optional } from "./json.ts";
import type { ModelEvent, ModelRequest } from "./model.ts";
import { parseRefusal } from "./refusal.ts";
import { ResponsesItems } from "./responses_items.ts";
import type { EventStream } from "./transport.ts";
import type { Dialect, Wire, WireOptions } from "./wire.ts";

/** The Responses protocol, without state on the server. */
export function responses(options: WireOptions): Wire {
  const items = new ResponsesItems(options);
  return {
    path: "/responses",
    async encode(request, dialect) {
      const input = await items.encode(request.messages);
      const rest = JSON.stringify(parameters(request, options, dialect));
      return `{"model":${JSON.stringify(options.model)},"input":${input},${rest.slice(1)}`;
    },
    decode: (events, request) => decode(events, request, options),
  };
}

function parameters(
  { system, tools }: ModelRequest,
  { maxOutputTokens }: WireOptions,
  dialect: Dialect,
): Json {
  return {
    instructions: system,
    // Strict schemas demand that every field is required; ours have optional ones.
    ...(tools.length > 0
      ? { tools: tools.map((tool) => ({ type: "function", ...tool, strict: false })) }
      : {}),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    store: false,
    ...(dialect.encryptedReasoning ? { include: ["reasoning.encrypted_content"] } : {}),
    stream: true,
  };
}

async function* decode(
  events: EventStream,
  request: ModelRequest,
  options: WireOptions,
): AsyncGenerator<ModelEvent> {
  const answer = new ResponsesAnswer();
  for await (const event of events) {
    yield* answer.add(event);
    if (answer.isFinished) events.finished();
  }
  const message = answer.finish(request, options);
  yield { type: "answer", message };
}

/** An answer as its events come. The last event tells what holds; deltas are for the screen. */
class ResponsesAnswer {
  #deltas = "";
  #summaries = 0;
  #started = 0;
  readonly #done: Json[] = [];
  #response: Json | undefined;

  get isFinished(): boolean {
    return this.#response !== undefined;
  }

  *add(event: unknown): Generator<ModelEvent> {
    if (!isJson(event)) throw malformed("an event of its stream is no object");
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta": {
        const text = readString(event.delta, "a text delta");
        this.#deltas += text;
        yield { type: "text_delta", text };
        break;
      }
      case "response.reasoning_summary_part.added":
        if (this.#summaries++ > 0) yield { type: "reasoning_delta", text: "\n\n" };
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        yield { type: "reasoning_delta", text: readString(event.delta, "a reasoning delta") };
        break;
      case "response.output_item.added":
        if (isJson(event.item) && event.item.type === "function_call") {
          this.#started++;
          yield { type: "tool_call_start", name: readString(event.item.name, "name of a call") };
        }
        break;
      case "response.output_item.done":
        this.#done.push(readItem(event.item));
        break;
      case "response.completed":
        this.#response = readItem(event.response);
        break;
      case "response.incomplete":
        this.#response = { ...readItem(event.response), status: "incomplete" };
        break;
      case "response.failed":
        throw reported(isJson(event.response) ? event.response.error : undefined);
      case "error":
        throw reported(event.error ?? event);
    }
  }

  finish(request: ModelRequest, options: WireOptions): AssistantMessage {
    const response = this.#response;
    if (!response) {
      throw new AttemptFailure({
        kind: "torn",
        sentence: "its stream ended before the answer did",
      });
    }
    const listed = (optional(response.output, isList, "output") ?? []).map(readItem);
    // Some servers leave the list of the last event empty.
    const output = listed.length > 0 ? listed : this.#done;
    const drafts = output.filter(({ type }) => type === "function_call").map(readCall);
    const finish = readFinish(response, drafts.length);
    const whole = finish !== "length";
    if (whole && drafts.length < this.#started) {
      throw malformed("it announces tool calls and does not send them");
    }
    const reasoning = readReasoning(output, whole);
    return {
      role: "assistant",
      text: readText(output) || this.#deltas,
      toolCalls: finishCalls(drafts, request, whole, options.newCallId),
      ...(reasoning ? { reasoning } : {}),
      model: options.model,
      usage: readUsage(isJson(response.usage) ? response.usage : {}),
      finish,
    };
  }
}

function reported(error: unknown): AttemptFailure {
  return new AttemptFailure(
    parseRefusal(undefined, new Headers(), JSON.stringify({ error: error ?? {} }), 0),
  );
}

function readString(value: unknown, what: string): string {
  return optional(value, isString, what) ?? "";
}

function readItem(value: unknown): Json {
  if (!isJson(value)) throw malformed("an item of its answer is no object");
  return value;
}

function readText(output: readonly Json[]): string {
  const parts = output.filter(({ type }) => type === "message")
    .flatMap(({ content }) => optional(content, isList, "content") ?? []);
  return parts.filter(isJson).map(({ text, refusal }) => readString(text ?? refusal, "text"))
    .join("");
}

function readCall(item: Json): CallDraft {
  const name = readString(item.name, "name of a call");
  if (name === "") throw malformed("a tool call has no name");
  const id = readString(item.call_id, "id of a call") || readString(item.id, "id of a call");
  const text = isJson(item.arguments)
    ? JSON.stringify(item.arguments)
    : readString(item.arguments, "arguments of a call");
  return { id, name, arguments: text };
}

function readFinish({ status, incomplete_details: details }: Json, calls: number): FinishReason {
  if (status === "incomplete") {
    return isJson(details) && details.reason === "content_filter" ? "content_filter" : "length";
  }
  return calls > 0 ? "tool_calls" : "stop";
}

/**
 * The answer's items, where all of its reasoning can go back: without encrypted or open content the
 * server would look for it in a state that it does not keep.
 */
function readReasoning(output: readonly Json[], whole: boolean): Reasoning | undefined {
  const thoughts = output.filter(({ type }) => type === "reasoning");
  if (thoughts.length === 0) return undefined;
  const text = thoughts.flatMap((
    { summary, content },
  ) => [...textsOf(summary), ...textsOf(content)])
    .join("\n\n");
  const returnable = thoughts.every(({ encrypted_content: secret, content }) =>
    (isString(secret) && secret !== "") || textsOf(content).length > 0
  );
  return { text, wire: "responses", ...(whole && returnable ? { items: output } : {}) };
}

function textsOf(parts: unknown): string[] {
  return (isList(parts) ? parts : []).filter(isJson).map(({ text }) => text).filter(isString);
}

function readUsage(usage: Json): Usage {
  const input = isJson(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output = isJson(usage.output_tokens_details) ? usage.output_tokens_details : {};
  return {
    inputTokens: count(usage.input_tokens),
    cachedInputTokens: count(input.cached_tokens),
    outputTokens: count(usage.output_tokens),
    reasoningTokens: count(output.reasoning_tokens),
  };
}
