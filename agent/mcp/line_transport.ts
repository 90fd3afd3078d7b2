import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { Unanswered } from "../unanswered.ts";

/** What messages are read from and written to. */
export interface ByteStreams {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** What a transport over lines does beside carrying messages. */
export interface LineTransportOptions {
  /** Reads one message. @throws for what is none. */
  readonly parse: (line: string) => JSONRPCMessage;
  /** Ends the other side; called once, when this side closes. */
  readonly end?: () => Promise<void>;
  /** Told of lines that are no message, cut to some hundred characters. */
  readonly onRubbish?: (line: string) => void;
  /**
   * Whether the other side's requests are answered before the connection closes at its end, as long
   * as it takes the answers.
   */
  readonly answersAll?: boolean;
}

/** A longer message is an attack or a mistake, and is not kept in memory; in bytes. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const SHOWN_RUBBISH_CHARS = 300;

/**
 * The stdio transport of MCP over any two streams: a JSON-RPC message a line. Lines that are none are
 * passed over, as servers print all kinds of things; one that is too long closes the connection.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: ByteStreams;
  readonly #options: LineTransportOptions;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #unanswered = new Unanswered();
  #closed = false;

  constructor(streams: ByteStreams, options: LineTransportOptions) {
    this.#streams = streams;
    this.#options = options;
    this.#writer = streams.writable.getWriter();
    this.#writer.closed.catch(() => {});
  }

  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error("Cannot send a message: the connection is closed");
    const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    await this.#unanswered.written(this.#writer.write(line));
    if ("id" in message && !("method" in message)) this.#unanswered.answered(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#unanswered.giveUp();
    // A peer that has left, or whose pipe is full, is told nothing.
    this.#writer.close().catch(() => {});
    await this.#options.end?.();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    try {
      for await (const line of lines(this.#streams.readable)) this.#take(line);
      if (this.#options.answersAll) await this.#unanswered.none();
    } catch (error) {
      if (!this.#closed) this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    await this.close();
  }

  #take(line: string): void {
    if (this.#closed || line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = this.#options.parse(line);
    } catch (error) {
      // Whatever the parser makes of it: it is no message.
      if (!(error instanceof Error)) throw error;
      this.#options.onRubbish?.(line.slice(0, SHOWN_RUBBISH_CHARS));
      return;
    }
    this.#noteCame(message);
    this.onmessage?.(message);
  }

  #noteCame(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#unanswered.came(message.id);
    // What was called off gets no answer.
    else if (message.method === "notifications/cancelled") {
      this.#unanswered.answered(message.params?.requestId);
    }
  }
}

const NEWLINE = 10;

/**
 * The lines of a stream, without their ends; a last one without end is none.
 * @throws {RangeError} for one of more than {@linkcode MAX_MESSAGE_BYTES}.
 */
export async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      yield decode([...kept, rest.subarray(0, at)]);
      [kept, bytes] = [[], 0];
      rest = rest.subarray(at + 1);
    }
    if (rest.length > 0) kept.push(rest);
    bytes += rest.length;
    if (bytes > MAX_MESSAGE_BYTES) {
      throw new RangeError(`Cannot read a message: it has more than ${MAX_MESSAGE_BYTES} bytes`);
    }
  }
}

function decode(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}
