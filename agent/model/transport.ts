import type OpenAI from "openai";
import { AttemptFailure, type Failure } from "./failure.ts";
import { type FetchOptions, guardedFetch, misconfigured, redact } from "./guarded_fetch.ts";
import type { Provider } from "./provider.ts";
import { parseRefusal } from "./refusal.ts";

/** Life signs of a stream are its events; this long without one and it counts as dead. */
export const IDLE_LIMIT_MS = 300_000;
/** What a server may still send (usage) once it has said why it ended, before we stop listening. */
const AFTER_FINISH_MS = 5_000;

/** What a connection to a provider needs. */
export interface TransportOptions extends FetchOptions {
  readonly provider: Provider;
  /** How long a stream may be silent, in milliseconds. */
  readonly idleLimitMs: number;
}

/** Sends a request and yields the events of its answer, not yet checked. */
export interface Transport {
  /**
   * @throws {AttemptFailure} where the stream does not come, or breaks.
   * @throws {DOMException} "AbortError" where `signal` is raised.
   */
  open(path: string, body: string, signal: AbortSignal): EventStream;
  /** Loads what the first request will need. */
  prepare(): void;
}

/** The events of one answer. */
export interface EventStream extends AsyncIterable<unknown> {
  /** Tells that the answer is whole: what breaks from now on is no failure. */
  finished(): void;
}

/**
 * A transport whose streams the openai package reads. Its reader alone is loaded, with the first
 * request: the package's client brings a megabyte of code that costs a start 15 ms, and what we want
 * of it besides is a fetch.
 */
export function createTransport(options: TransportOptions): Transport {
  let reader: Promise<EventReader> | undefined;
  return {
    prepare() {
      reader ??= loadReader();
      // What fails is told by the first request.
      reader.catch(() => {});
    },
    open(path, body, signal) {
      reader ??= loadReader();
      return new OpenStream(reader, path, body, options, signal);
    },
  };
}

/** Reads the events of a response; its `controller` is aborted where nobody wants more of them. */
type EventReader = (response: Response, controller: AbortController) => AsyncIterable<unknown>;

async function loadReader(): Promise<EventReader> {
  const { Stream } = await import("openai/core/streaming");
  // Of its client the reader takes a logger alone, and would write to the console without one.
  const silent = {} as OpenAI;
  return (response, controller) => Stream.fromSSEResponse<unknown>(response, controller, silent);
}

/** Where a request goes: a base URL's own query stays. */
function endpoint({ baseUrl }: Provider, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  return url;
}

/** A provider's own headers win over all but those that say what is sent and wanted. */
function requestHeaders({ provider, apiKey }: TransportOptions): Headers {
  const headers = new Headers({ "user-agent": "cordon" });
  if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  for (const [name, value] of Object.entries(provider.headers ?? {})) headers.set(name, value);
  headers.set("content-type", "application/json");
  headers.set("accept", "text/event-stream");
  return headers;
}

class OpenStream implements EventStream {
  /** Ends the request: by the caller's signal, or because it showed no life. */
  readonly #stop = new AbortController();
  #limitMs: number;
  #lastLife = performance.now();
  #idle = false;
  #isFinished = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly reader: Promise<EventReader>,
    readonly path: string,
    readonly body: string,
    readonly options: TransportOptions,
    readonly signal: AbortSignal,
  ) {
    this.#limitMs = options.idleLimitMs;
  }

  finished(): void {
    this.#isFinished = true;
    this.#limitMs = Math.min(this.#limitMs, AFTER_FINISH_MS);
    this.#watch();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    // Outside of the try: a package that does not load is no failure of the server.
    const read = await this.reader;
    const abort = () => this.#stop.abort();
    this.signal.addEventListener("abort", abort);
    if (this.signal.aborted) abort();
    this.#watch();
    let opened = false;
    try {
      const events = await this.#send(read);
      opened = true;
      for await (const event of events) {
        this.#lastLife = performance.now();
        yield event;
      }
    } catch (error) {
      if (!this.#isFinished && !this.#stop.signal.aborted) throw this.#failure(error, opened);
    } finally {
      clearTimeout(this.#timer);
      this.signal.removeEventListener("abort", abort);
      this.#stop.abort();
    }
    this.#settle();
  }

  async #send(read: EventReader): Promise<AsyncIterable<unknown>> {
    const left = new AbortController();
    const response = await guardedFetch(this.options)(endpoint(this.options.provider, this.path), {
      method: "POST",
      headers: requestHeaders(this.options),
      body: this.body,
      signal: AbortSignal.any([this.#stop.signal, left.signal]),
    });
    return read(response, left);
  }

  /** One timer, set anew only when it fires: a token costs no timer. */
  #watch(): void {
    clearTimeout(this.#timer);
    const left = this.#lastLife + this.#limitMs - performance.now();
    if (left > 0) {
      this.#timer = setTimeout(() => this.#watch(), Math.ceil(left));
      return;
    }
    this.#idle = true;
    this.#stop.abort();
  }

  /** What the package threw, as a failure of ours. Errors of the program itself pass. */
  #failure(error: unknown, opened: boolean): unknown {
    const known = thrownByUs(error);
    if (known || !(error instanceof Error)) return known ?? error;
    if (!opened) {
      return new AttemptFailure({ kind: "unreachable", sentence: rootCause(error) }, error);
    }
    // An error event, told by its field: loading the package's class would cost start-up.
    if ("error" in error && error.error) {
      const body = redact(JSON.stringify({ error: error.error }), this.options.apiKey);
      return new AttemptFailure(parseRefusal(undefined, new Headers(), body, 0), error);
    }
    return new AttemptFailure(streamFailure(error), error);
  }

  /** The package ends aborted streams silently; here it is told why they ended. */
  #settle(): void {
    if (this.signal.aborted) throw new DOMException("The request was stopped", "AbortError");
    if (this.#idle && !this.#isFinished) {
      const seconds = this.#limitMs / 1000;
      throw new AttemptFailure({ kind: "torn", sentence: `nothing came for ${seconds} s` });
    }
  }
}

/** The failure that a guarded fetch threw, or that only Deno can know of. */
function thrownByUs(error: unknown): AttemptFailure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AttemptFailure) return cause;
    if (cause instanceof Deno.errors.NotCapable) {
      return misconfigured(`this process may not reach it (${firstLine(cause.message)})`);
    }
  }
}

function streamFailure(error: Error): Failure {
  if (error instanceof SyntaxError) {
    return { kind: "malformed", sentence: "an event of its stream is no JSON" };
  }
  return { kind: "torn", sentence: `the stream broke off (${rootCause(error)})` };
}

/** The innermost reason, without the address that Deno's fetch puts before it. */
function rootCause(error: Error): string {
  let cause = error;
  while (cause.cause instanceof Error) cause = cause.cause;
  const words = firstLine(cause.message);
  return words.replace(/^error sending request for url \(\S*\): (client error \(\w+\): )?/, "");
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
