import type OpenAI from "openai";
import { AttemptFailure, type Failure } from "./failure.ts";
import { type FetchOptions, guardedFetch, misconfigured, redact } from "./guarded_fetch.ts";
import type { Provider } from "./provider.ts";
import { parseRefusal } from "./refusal.ts";

/** Life signs of a stream are its events; this long without one and it counts as dead. */
export const IDLE_LIMIT_MS = 300_000;
/** What a server may still send (usage) once it has said why it ended, before we stop listening. */
const AFTER_FINISH_MS = 5_000;

/** What the package would tell of this machine; null keeps a header from being sent. */
const SILENCED_HEADERS = {
  "x-stainless-arch": null,
  "x-stainless-lang": null,
  "x-stainless-os": null,
  "x-stainless-package-version": null,
  "x-stainless-retry-count": null,
  "x-stainless-runtime": null,
  "x-stainless-runtime-version": null,
  "x-stainless-timeout": null,
  "user-agent": "cordon",
};

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

/** A transport over the openai package, which is loaded with the first request. */
export function createTransport(options: TransportOptions): Transport {
  let client: Promise<OpenAI> | undefined;
  return {
    prepare() {
      client ??= loadClient(options);
      // What fails is told by the first request.
      client.catch(() => {});
    },
    open(path, body, signal) {
      client ??= loadClient(options);
      return new OpenStream(client, path, body, options, signal);
    },
  };
}

async function loadClient(options: TransportOptions): Promise<OpenAI> {
  const { default: Client } = await import("openai");
  const { provider, apiKey } = options;
  // Everything is given, so that the package reads nothing from the environment.
  return new Client({
    baseURL: provider.baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    // Our own watch comes first, and tells what happened.
    timeout: 2 * options.idleLimitMs,
    fetch: guardedFetch(options),
    defaultHeaders: {
      ...SILENCED_HEADERS,
      ...(apiKey === undefined ? { authorization: null } : {}),
      ...provider.headers,
    },
  });
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
    readonly client: Promise<OpenAI>,
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
    const client = await this.client;
    const abort = () => this.#stop.abort();
    this.signal.addEventListener("abort", abort);
    if (this.signal.aborted) abort();
    this.#watch();
    let opened = false;
    try {
      const events = await this.#send(client);
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

  #send(client: OpenAI): Promise<AsyncIterable<unknown>> {
    return client.post<AsyncIterable<unknown>>(this.path, {
      body: this.body,
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      stream: true,
      signal: this.#stop.signal,
    });
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
