import type { AssistantMessage, Message } from "../messages.ts";

/** Something that answers: a server, or a script. */
export interface Model {
  /** As the person named it, `scripted:FILE` included. */
  readonly name: string;
  /**
   * Asks for the next message. Events come as they happen; the last one is `answer`, which is
   * whole: a torn answer is retried or thrown, never returned.
   * @throws {ModelError} where no answer can be had.
   * @throws {DOMException} "AbortError" where `signal` is raised.
   */
  ask(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Loads what the first `ask` will need, so that it need not wait; makes no request. */
  prepare?(): void;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}

/** All that a model learns of a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type ModelEvent =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "reasoning_delta"; readonly text: string }
  /** The name of a call is known, its arguments are still to come. */
  | { readonly type: "tool_call_start"; readonly name: string }
  /** The last attempt failed and another follows; deltas since the last `retry` are void. */
  | {
    readonly type: "retry";
    readonly attempt: number;
    readonly delayMs: number;
    readonly reason: string;
  }
  | { readonly type: "answer"; readonly message: AssistantMessage };

/** Why no answer could be had. */
export type ModelErrorKind =
  /** 401, 403, or no key. */
  | "credentials"
  /** The server does not have this model. */
  | "model_unavailable"
  /** Rate limit, overload, network: later it may go. */
  | "try_later"
  /** The conversation is larger than the model's window. */
  | "context_overflow"
  /** The server refused the request, or answered what is no answer. */
  | "failed"
  /** A script is missing, torn, or at its end. */
  | "configuration";

/** No answer could be had; the message is one sentence for people. */
export class ModelError extends Error {
  override readonly name = "ModelError";

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    readonly options: { status?: number; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
  }
}
