import { AttemptFailure, type Refusal } from "../model/failure.ts";
import type { ModelError } from "../model/model.ts";

/** What a server says of sizes when it refuses a conversation as too long. */
export interface ToldSizes {
  /** Tokens that the model's window holds. */
  readonly window?: number;
  /** Tokens that the request had, by the server's count. */
  readonly requested?: number;
}

/** A number of tokens; some servers write `8,192`. */
const N = String.raw`(\d[\d,]*)`;

/** How servers tell the window, the surest wording first. */
const WINDOW_WORDS = [
  // llama.cpp has it as a field of its error.
  String.raw`"n_ctx"\s*:\s*${N}`,
  // Anthropic, whose prompts and answers share one limit.
  String.raw`(?:too long|exceed context limit)[^>]{0,60}> ?${N}`,
  // OpenAI, vLLM, OpenRouter, DeepSeek; SGLang; llama.cpp; LM Studio.
  String.raw`context (?:length|size|window|limit) ?(?:is|of|:)? ?(?:only )?\(?${N}`,
  // Mistral.
  String.raw`${N} (?:tokens )?maximum context`,
  // vLLM, Gemini, xAI.
  String.raw`maximum (?:model |prompt |input )?(?:length|number of tokens)[^\d.]{0,16}${N}`,
  // Text Generation Inference.
  String.raw`tokens[^.]{0,30} must be <= ?${N}`,
].map((words) => new RegExp(words, "i"));

const REQUESTED_WORDS = [
  String.raw`"n_prompt_tokens"\s*:\s*${N}`,
  String
    .raw`(?:requested|resulted in|passed|contains)(?: about| a total of)? ${N} (?:input )?tokens`,
  String
    .raw`(?:request|input|token count|total length|prompt)[ (]*(?:length )?\(?${N}(?: tokens)?\)`,
  String.raw`too long: ${N} tokens`,
].map((words) => new RegExp(words, "i"));

/** Windows are not smaller, so a smaller number is something else. */
const LEAST_WINDOW = 256;

/** The sizes in the words and the body of a refusal; empty where it has none. */
export function toldSizes(error: ModelError): ToldSizes {
  const refusal = refusalOf(error);
  return sizesIn(refusal ? `${refusal.sentence}\n${refusal.body ?? ""}` : error.message);
}

/** The server's no behind an error of a model. */
export function refusalOf(error: ModelError): Refusal | undefined {
  const { cause } = error.options;
  const failure = cause instanceof AttemptFailure ? cause.failure : undefined;
  return failure?.kind === "refused" ? failure : undefined;
}

/** The sizes in a server's words. */
export function sizesIn(said: string): ToldSizes {
  // JSON of Go servers escapes what HTML reads.
  const text = said.replaceAll("\\u003e", ">").replaceAll("\\u003c", "<");
  const window = firstNumber(WINDOW_WORDS, text);
  const requested = firstNumber(REQUESTED_WORDS, text);
  return {
    ...(window !== undefined && window >= LEAST_WINDOW && { window }),
    ...(requested !== undefined && requested > 0 && { requested }),
  };
}

function firstNumber(patterns: readonly RegExp[], text: string): number | undefined {
  for (const pattern of patterns) {
    const digits = pattern.exec(text)?.[1]?.replaceAll(",", "");
    if (digits) return Number(digits);
  }
  return undefined;
}
