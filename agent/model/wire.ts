import type { ModelEvent, ModelRequest } from "./model.ts";
import type { EventStream } from "./transport.ts";

/** One of the two HTTP protocols: what is sent, and how the answer is read. */
export interface Wire {
  /** Path below the base URL. */
  readonly path: string;
  /** The request's body, as JSON text. */
  encode(request: ModelRequest, dialect: Dialect): Promise<string>;
  /**
   * Reads an answer; the last event is `answer`.
   * @throws {AttemptFailure} where the stream is no whole answer.
   */
  decode(events: EventStream, request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** What differs between servers that speak the same protocol; learned from refusals. */
export interface Dialect {
  readonly wire: "chat" | "responses";
  /** Whether `stream_options` may be sent. */
  readonly streamOptions: boolean;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Whether encrypted reasoning may be asked for. */
  readonly encryptedReasoning: boolean;
}

/** What both protocols are made from. */
export interface WireOptions {
  readonly model: string;
  readonly maxOutputTokens?: number;
  /** Whether the model takes images. */
  readonly images: boolean;
  loadBlob(name: string): Promise<Uint8Array>;
  /** A new id for a call to which the server gave none. */
  newCallId(): string;
}
