import { ModelError, type ModelErrorKind } from "./model.ts";
import type { Provider } from "./provider.ts";

/** How one attempt at an answer failed. */
export type Failure =
  /** The server answered with this HTTP status, or said so within the stream. */
  | {
    readonly kind: "status";
    readonly status: number;
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

/** Wordings of OpenAI, llama.cpp, vLLM, OpenRouter and Ollama, whose codes say nothing. */
const CONTEXT_WORDS =
  /context (length|size|window)|maximum context|too many tokens|prompt is too long|exceeds? the (available|model'?s?) context/i;

const MODEL_WORDS =
  /\bmodel\b.*\b(not found|does not exist|not exist|no such|unknown|not available)|(no such|unknown|invalid) model/i;

/** Whether the server says that it does not have the model. */
export function saysModelMissing(failure: Failure): boolean {
  if (failure.kind !== "status") return false;
  if (failure.code === "model_not_found") return true;
  return [400, 404].includes(failure.status) && MODEL_WORDS.test(failure.sentence);
}

function saysContextOverflow(failure: Failure): boolean {
  if (failure.kind !== "status" || ![400, 413, 422, 500].includes(failure.status)) return false;
  return CONTEXT_CODES.has(failure.code ?? "") || CONTEXT_WORDS.test(failure.sentence);
}

/** Whether the same request may do better later (`insufficient_quota` is a 429 that may not). */
export function isRetriable(failure: Failure): boolean {
  switch (failure.kind) {
    case "status":
      if (saysContextOverflow(failure) || failure.code === "insufficient_quota") return false;
      return [408, 409, 429].includes(failure.status) || failure.status >= 500;
    case "unreachable":
    case "torn":
    case "malformed":
      return true;
    case "misconfigured":
      return false;
  }
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
  const status = failure.kind === "status" ? { status: failure.status } : {};
  const wait = failure.kind === "status" && failure.retryAfterMs !== undefined
    ? { retryAfterMs: failure.retryAfterMs }
    : {};
  return new ModelError(kind, message, { ...status, ...wait, cause });
}

function describe(failure: Failure, asked: Asked): [ModelErrorKind, string] {
  const { baseUrl } = asked.provider;
  switch (failure.kind) {
    case "status":
      return describeStatus(failure, asked);
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

function describeStatus(
  failure: Failure & { kind: "status" },
  asked: Asked,
): [ModelErrorKind, string] {
  const { baseUrl } = asked.provider;
  const said = `${failure.status}: ${failure.sentence}`;
  if (saysContextOverflow(failure)) {
    return [
      "context_overflow",
      `Cannot ask "${asked.model}": the conversation is too long (${said})`,
    ];
  }
  if (failure.status === 401 || failure.status === 403) {
    return ["credentials", `Cannot use "${baseUrl}": ${keyTrouble(asked)} (${said})`];
  }
  if (failure.status === 404 || saysModelMissing(failure)) {
    return ["model_unavailable", `Cannot use model "${asked.model}" at "${baseUrl}": ${said}`];
  }
  if (failure.retryAfterMs !== undefined && isRetriable(failure)) {
    const seconds = Math.ceil(failure.retryAfterMs / 1000);
    return [
      "try_later",
      `Cannot ask "${asked.model}": the server asks to wait ${seconds} s (${said})`,
    ];
  }
  const later = isRetriable(failure) || failure.status === 429;
  return [later ? "try_later" : "failed", `Cannot ask "${asked.model}" at "${baseUrl}": ${said}`];
}

function keyTrouble({ provider, hasKey }: Asked): string {
  const variable = provider.keyVariable;
  if (!hasKey) return variable ? `it wants a key, set ${variable}` : "it wants a key";
  return variable ? `the key in ${variable} was refused` : "the key was refused";
}
