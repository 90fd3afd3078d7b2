import type { Attributes } from "@opentelemetry/api";
import { clipped } from "../../clipped.ts";
import type { RequestEnded } from "../observation.ts";
import { ATTR } from "./attributes.ts";
import type { SpanFailure } from "./span_tree.ts";

/** The longest content that a span holds, in UTF-16 units. */
export const MAX_CONTENT_CHARS = 8 * 1024;

/** What a request came to. */
export function answerAttributes(
  { finish, answered_by, usage, first_ms, retries }: RequestEnded,
): Attributes {
  return {
    [ATTR.retries]: retries,
    ...(finish !== undefined && { [ATTR.finishReasons]: [finish] }),
    ...(answered_by !== undefined && { [ATTR.responseModel]: answered_by }),
    ...(first_ms !== undefined && { [ATTR.firstChunk]: first_ms / 1000 }),
    ...(usage && {
      [ATTR.inputTokens]: usage.input_tokens,
      [ATTR.cachedTokens]: usage.cached_input_tokens,
      [ATTR.outputTokens]: usage.output_tokens,
      [ATTR.reasoningTokens]: usage.reasoning_tokens,
    }),
  };
}

/** Why a request has no answer; undefined where it has one. */
export function requestFailure(
  { outcome, status, error, message }: RequestEnded,
): SpanFailure | undefined {
  switch (outcome) {
    case "answered":
      return undefined;
    case "stopped":
      return { type: "interrupted" };
    case "failed":
      return { type: status === undefined ? error ?? "_OTHER" : String(status), message };
  }
}

/** What the model said and asked for. */
export function answerContent({ answer }: RequestEnded): Attributes {
  if (!answer) return {};
  const share = Math.ceil(MAX_CONTENT_CHARS / answer.tool_calls.length);
  const calls = answer.tool_calls.map(({ name, arguments: args }) => ({
    type: "tool_call",
    ...{ name: clipped(name, share), arguments: clipped(args, share) },
  }));
  return { [ATTR.outputMessages]: messages("assistant", answer.text, calls) };
}

/** A message in the form of the conventions, as JSON. */
export function messages(
  role: "user" | "assistant",
  text: string,
  more: readonly unknown[] = [],
): string {
  const said = { type: "text", content: clipped(text, MAX_CONTENT_CHARS) };
  return JSON.stringify([{ role, parts: [...(text === "" ? [] : [said]), ...more] }]);
}

/** Arguments or a result, as text. */
export function contentOf(value: unknown): string {
  return clipped(typeof value === "string" ? value : JSON.stringify(value), MAX_CONTENT_CHARS);
}

/** What a command ended with; the values of other tools have no such field. */
export function exitCodeIn(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("exit_code" in value)) return undefined;
  return typeof value.exit_code === "number" ? value.exit_code : undefined;
}
