import { ModelError, type ModelErrorKind } from "./model.ts";
import type { Provider } from "./provider.ts";

/** How one attempt at an answer failed. */
export type Failure =
  /** The server said no: by an HTTP status, or by an error within the stream. */
  | {
    readonly kind: "refused";
    /** HTTP status, or the one that stands for `code`; missing where neither is known. */
    readonly status?: number;
    /** The server's own code, as `model_not_found`. */
    readonly code?: string;
    /** The server's sentence, cut to one line. */
    readonly sentence: string;
    /** The body as it came, cut; for what a sentence leaves out. */
    readonly body?: string;
    /** What the server asks us to wait. */
    readonly retryAfterMs?: number;
  }
  /** No response at all: refused, no such host, reset before the first header. */
  | { readonly kind: "unreachable"; readonly sentence: string }
  /** The answer broke off. */
  | { readonly kind: "torn"; readonly sentence: string }
  /** The stream holds what no answer holds. */
  | { readonly kind: "malformed"; readonly sentence: string }
  /** Asking again would change nothing: a redirect, a page for people, a missing right. */
  | { readonly kind: "misconfigured"; readonly sentence: string };

/** An attempt failed; the retry rules decide what comes of it. */
export class AttemptFailure extends Error {
  override readonly name = "AttemptFailure";

  constructor(readonly failure: Failure, cause?: unknown) {
    super(failure.sentence, { cause });
  }
}

/** The stream holds what no answer holds. */
export function malformed(sentence: string): AttemptFailure {
  return new AttemptFailure({ kind: "malformed", sentence });
}

const CONTEXT_CODES = new Set(["context_length_exceeded", "context_window_exceeded"]);

/** Wordings of servers whose codes say nothing; tests/agent/compaction has them in full. */
const CONTEXT_WORDS = new RegExp(
  [
    // OpenAI, llama.cpp, vLLM, SGLang, OpenRouter, Ollama, LM Studio.
    "context (length|size|window|limit)|maximum context|too many tokens",
    "exceeds? the (available|model'?s?) context",
    // Anthropic, Bedrock, Ollama, vLLM.
    "(prompt|input) (is )?too long|too long to fit|longer than the maximum (model )?length",
    // Gemini, xAI, Text Generation Inference.
    "exceeds the maximum number of tokens|maximum prompt length|tokens[^.]{0,30} must be <=",
  ].join("|"),
  "i",
);

/** What OpenRouter says in place of the words of the server behind it, which are in the body. */
const RELAYED = /^provider returned error$/i;

const MODEL_WORDS =
  /\bmodel\b.*\b(not found|does not exist|not exist)|(no such|unknown|not a valid) model\b/i;

/** A server's no. */
export type Refusal = Failure & { readonly kind: "refused" };

/** Whether the server says that it does not have the model. */
export function saysModelMissing({ status, code, sentence }: Refusal): boolean {
  if (code === "model_not_found") return true;
  return (status === 400 || status === 404) && MODEL_WORDS.test(sentence);
}

function saysContextOverflow({ status, code, sentence, body = "" }: Refusal): boolean {
  if (CONTEXT_CODES.has(code ?? "")) return true;
  // llama.cpp answers 500 for it, and error events have no status at all.
  const fits = status === undefined || [400, 413, 422, 500].includes(status);
  return fits && CONTEXT_WORDS.test(RELAYED.test(sentence) ? body : sentence);
}

/** Whether the same request may do better later. */
export function isRetriable(failure: Failure): boolean {
  switch (failure.kind) {
    case "refused":
      return mayPass(failure);
    case "unreachable":
    case "torn":
    case "malformed":
      return true;
    case "misconfigured":
      return false;
  }
}

function mayPass(failure: Refusal): boolean {
  // `insufficient_quota` is a 429 that no waiting cures.
  if (saysContextOverflow(failure) || failure.code === "insufficient_quota") return false;
  const { status } = failure;
  return status === undefined || [408, 409, 429].includes(status) || status >= 500;
}

/** What the server said, its status before it. */
export function wordsOf(failure: Failure): string {
  const status = failure.kind === "refused" ? failure.status : undefined;
  return status === undefined ? failure.sentence : `${status}: ${failure.sentence}`;
}

/** Who was asked, for sentences. */
export interface Asked {
  readonly provider: Provider;
  readonly model: string;
  readonly hasKey: boolean;
}

/** The failure as the caller of a model sees it: a kind to act on, and a sentence for people. */
export function toModelError(failure: Failure, asked: Asked, cause?: unknown): ModelError {
  const [kind, message] = describe(failure, asked);
  const { status = undefined, retryAfterMs = undefined } = failure.kind === "refused"
    ? failure
    : {};
  return new ModelError(kind, message, {
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    cause,
  });
}

function describe(failure: Failure, asked: Asked): [ModelErrorKind, string] {
  const { baseUrl } = asked.provider;
  switch (failure.kind) {
    case "refused":
      return describeRefusal(failure, asked);
    case "unreachable":
      return ["try_later", `Cannot reach "${baseUrl}": ${failure.sentence}`];
    case "torn":
      return ["try_later", `Cannot get an answer from "${baseUrl}": ${failure.sentence}`];
    case "malformed":
      return ["failed", `Cannot read the answer of "${baseUrl}": ${failure.sentence}`];
    case "misconfigured":
      return ["configuration", `Cannot use "${baseUrl}": ${failure.sentence}`];
  }
}

function describeRefusal(failure: Refusal, asked: Asked): [ModelErrorKind, string] {
  const { provider: { baseUrl }, model } = asked;
  const { status, retryAfterMs } = failure;
  const said = wordsOf(failure);
  if (saysContextOverflow(failure)) {
    return ["context_overflow", `Cannot ask "${model}": the conversation is too long (${said})`];
  }
  if (status === 401 || status === 403) {
    return ["credentials", `Cannot use "${baseUrl}": ${keyTrouble(asked)} (${said})`];
  }
  if (status === 404 || saysModelMissing(failure)) {
    return ["model_unavailable", `Cannot use model "${model}" at "${baseUrl}": ${said}`];
  }
  if (retryAfterMs !== undefined && mayPass(failure)) {
    const wait = `the server asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    return ["try_later", `Cannot ask "${model}" at "${baseUrl}": ${wait} (${said})`];
  }
  const isLater = mayPass(failure) || status === 429;
  return [isLater ? "try_later" : "failed", `Cannot ask "${model}" at "${baseUrl}": ${said}`];
}

function keyTrouble({ provider: { keyVariable }, hasKey }: Asked): string {
  if (!hasKey) return keyVariable ? `it wants a key, set ${keyVariable}` : "it wants a key";
  return keyVariable ? `the key in ${keyVariable} was refused` : "the key was refused";
}
