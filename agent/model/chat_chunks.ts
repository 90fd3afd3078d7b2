import type { FinishReason, Usage } from "../messages.ts";
import { malformed } from "./failure.ts";
import { count, isJson, isList, isString, type Json, optional } from "./json.ts";

/** What one chunk of Chat Completions holds, checked. */
export interface Chunk {
  readonly text: string;
  readonly reasoning?: { readonly field: string; readonly text: string };
  /** Entries of `reasoning_details`, as they came. */
  readonly details: readonly Json[];
  readonly calls: readonly CallDelta[];
  readonly finish?: FinishReason;
  readonly usage?: Usage;
}

/** A part of a call. `arguments` that came as an object are whole. */
export interface CallDelta {
  readonly index?: number;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly isWhole: boolean;
}

const REASONING_FIELDS = ["reasoning_content", "reasoning"];

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  end_turn: "stop",
  eos: "stop",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  max_tokens: "length",
  content_filter: "content_filter",
};

/**
 * Checks a chunk by hand: a schema library would cost more than the stream.
 * @throws {AttemptFailure} "malformed" where a field has a shape that could hide part of an answer.
 */
export function readChunk(value: unknown): Chunk {
  if (!isJson(value)) throw malformed("a chunk of its stream is no object");
  const usage = isJson(value.usage) ? { usage: readUsage(value.usage) } : {};
  const choice = firstChoice(value.choices);
  if (!choice) return { text: "", details: [], calls: [], ...usage };
  const delta = optional(choice.delta, isJson, "delta") ?? {};
  const finish = readFinish(choice.finish_reason);
  const reasoning = readReasoning(delta);
  return {
    text: readText(delta.content) + readText(delta.refusal),
    details: (optional(delta.reasoning_details, isList, "reasoning_details") ?? [])
      .filter(isJson),
    calls: (optional(delta.tool_calls, isList, "tool_calls") ?? []).map(readCall),
    ...(reasoning ? { reasoning } : {}),
    ...(finish ? { finish } : {}),
    ...usage,
  };
}

/** Chunks without choices are usual: the one with usage has none. */
function firstChoice(choices: unknown): Json | undefined {
  const list = optional(choices, isList, "choices") ?? [];
  return list.filter(isJson).find((choice) => (choice.index ?? 0) === 0);
}

function readText(value: unknown): string {
  if (Array.isArray(value)) {
    return value.filter(isJson).map((part) => part.type === "text" ? readText(part.text) : "")
      .join("");
  }
  return optional(value, isString, "content") ?? "";
}

function readReasoning(delta: Json): Chunk["reasoning"] {
  for (const field of REASONING_FIELDS) {
    const text = delta[field];
    if (typeof text === "string" && text !== "") return { field, text };
  }
}

function readFinish(value: unknown): FinishReason | undefined {
  const reason = optional(value, isString, "finish_reason");
  if (!reason) return undefined;
  if (reason === "error") throw malformed("the server ended its answer with an error");
  return Object.hasOwn(FINISH, reason) ? FINISH[reason] : "stop";
}

function readCall(value: unknown): CallDelta {
  if (!isJson(value)) throw malformed("a tool call is no object");
  const index = optional(value.index, isIndex, "index of a tool call");
  const fn = optional(value.function, isJson, "function of a tool call") ?? {};
  const isWhole = isJson(fn.arguments);
  return {
    ...(index === undefined ? {} : { index }),
    id: optional(value.id, isString, "id of a tool call") ?? "",
    name: optional(fn.name, isString, "name of a tool call") ?? "",
    arguments: isWhole
      ? JSON.stringify(fn.arguments)
      : optional(fn.arguments, isString, "arguments of a tool call") ?? "",
    isWhole,
  };
}

function readUsage(usage: Json): Usage {
  const prompt = isJson(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isJson(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return {
    inputTokens: count(usage.prompt_tokens),
    cachedInputTokens: count(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens),
    outputTokens: count(usage.completion_tokens),
    reasoningTokens: count(completion.reasoning_tokens),
  };
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value);
}
