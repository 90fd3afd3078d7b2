import type OpenAI from "openai";
import { AttemptFailure, type Failure } from "./failure.ts";
import { parseRefusal } from "./refusal.ts";
import type { Provider } from "./provider.ts";
import type { Clock } from "./retry.ts";

/** Life signs of a stream are its events; this long without one and it counts as dead. */
export const IDLE_LIMIT_MS = 300_000;
/** What a server may still send (usage) once it has said why it ended, before we stop listening. */
const AFTER_FINISH_MS = 5_000;
/** Of an error's body this much is read, in bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** What a connection to a provider needs. */
export interface TransportOptions {
  readonly provider: Provider;
  readonly apiKey?: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** {@linkcode IDLE_LIMIT_MS} where it is missing. */
  readonly idleLimitMs?: number;
}

/** Sends a request and yields the events of its answer, not yet checked. */
export interface Transport {
  /**
   * @throws {AttemptFailure} where the stream does not come, or breaks.
   * @throws {DOMException} "AbortError" where `signal` is raised.
   */
  open(path: string, body: string, signal: AbortSignal): EventStream;
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
    timeout: options.idleLimitMs ?? IDLE_LIMIT_MS,
    fetch: guardedFetch(options.fetch),
    defaultHeaders: {
      ...(apiKey === undefined ? { authorization: null } : {}),
      ...provider.headers,
    },
  });
}

/** A fetch that stays at its host and lets nothing but an event stream pass. */
function guardedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const target = response.headers.get("location") ?? "nowhere";
      throw misconfigured(`it redirects to "${target}", give that address if you trust it`);
    }
    if (!response.ok) {
      const body = await readCapped(response);
      throw new AttemptFailure(parseRefusal(response.status, response.headers, body, Date.now()));
    }
    const type = response.headers.get("content-type") ?? "";
    if (/\b(html|json)\b/.test(type)) {
      await response.body?.cancel();
      throw misconfigured(`it sent ${type} where an event stream was wanted`);
    }
    return response;
  };
}

function misconfigured(sentence: string): AttemptFailure {
  return new AttemptFailure({ kind: "misconfigured", sentence });
}

async function readCapped(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (bytes > MAX_REFUSAL_BYTES) break;
  }
  return text;
}

class OpenStream implements EventStream {
  /** Ends the request: by the caller's signal, or because it showed no life. */
  readonly #stop = new AbortController();
  #limitMs: number;
  #lastLife: number;
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
    this.#limitMs = options.idleLimitMs ?? IDLE_LIMIT_MS;
    this.#lastLife = performance.now();
  }

  finished(): void {
    this.#isFinished = true;
    this.#limitMs = Math.min(this.#limitMs, AFTER_FINISH_MS);
    this.#watch();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    const abort = () => this.#stop.abort();
    this.signal.addEventListener("abort", abort);
    if (this.signal.aborted) abort();
    this.#watch();
    let opened = false;
    try {
      const events = await this.#send();
      opened = true;
      for await (const event of events) {
        this.#lastLife = performance.now();
        yield event;
      }
    } catch (error) {
      if (this.#isFinished || this.#stop.signal.aborted) return this.#settle();
      throw asFailure(error, opened);
    } finally {
      clearTimeout(this.#timer);
      this.signal.removeEventListener("abort", abort);
    }
    this.#settle();
  }

  async #send(): Promise<AsyncIterable<unknown>> {
    const client = await this.client;
    return await client.post<AsyncIterable<unknown>>(this.path, {
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

  /** The package ends aborted streams silently; here it is told why they ended. */
  #settle(): void {
    if (this.signal.aborted) throw new DOMException("The request was stopped", "AbortError");
    if (this.#idle && !this.#isFinished) {
      const seconds = Math.round(this.#limitMs / 1000);
      throw new AttemptFailure({ kind: "torn", sentence: `nothing came for ${seconds} s` });
    }
  }
}

/** What the package threw, as a failure of ours. Errors of the program itself pass. */
function asFailure(error: unknown, opened: boolean): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AttemptFailure) return cause;
    if (cause instanceof Deno.errors.NotCapable) {
      return misconfigured(`this process may not reach it (${firstLine(cause.message)})`);
    }
  }
  if (!(error instanceof Error)) return error;
  const failure = opened
    ? streamFailure(error)
    : { kind: "unreachable", sentence: rootCause(error) } as const;
  return new AttemptFailure(failure, error);
}

function streamFailure(error: Error): Failure {
  // The package's class is told by its field: loading it for `instanceof` would cost start-up.
  if ("error" in error) {
    return parseRefusal(undefined, new Headers(), JSON.stringify({ error: error.error }), 0);
  }
  if (error instanceof SyntaxError) {
    return { kind: "malformed", sentence: "an event of its stream is no JSON" };
  }
  return { kind: "torn", sentence: `the stream broke off (${rootCause(error)})` };
}

function rootCause(error: Error): string {
  let cause = error;
  while (cause.cause instanceof Error) cause = cause.cause;
  return firstLine(cause.message);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
