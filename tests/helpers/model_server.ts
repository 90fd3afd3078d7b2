import { pairingViolations } from "./call_pairing.ts";
import { chatStream, responsesStream, type Said } from "./model_streams.ts";

/** What the server does with one request. */
export type Reply =
  | Said
  /** An HTTP error, or any other plain response. */
  | {
    readonly status: number;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  }
  /** Bytes as they are; after them the stream ends, stays open, or breaks. */
  | {
    readonly raw: readonly (string | Uint8Array<ArrayBuffer>)[];
    readonly then?: "close" | "hang" | "reset";
    readonly headers?: Readonly<Record<string, string>>;
  };

/** A request as the server got it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests look into requests of two protocols by hand
  readonly body: any;
}

/** A model on 127.0.0.1 that plays a script over Chat Completions and Responses. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL, `…/v1`. */
  readonly url: string;
  /** As `127.0.0.1:PORT`, for `--allow-net`. */
  readonly host: string;
  /** In the order of their coming. */
  readonly requests: readonly SeenRequest[];
  /** Resolves when the `n`th request (from 1) has come. */
  request(n: number): Promise<SeenRequest>;
  /** Resolves when the client has left the `n`th request (from 1), whose stream hangs. */
  left(n: number): Promise<void>;
  /** What was wrong with the requests; disposal throws where it is not empty. */
  readonly violations: string[];
}

/** What breaks a stream on purpose. */
const RESET = new Error("reset by script");

/** A reply, or a function that makes it from the request. */
export type ScriptEntry = Reply | ((request: SeenRequest) => Reply);

/**
 * Starts a fake model that gives one reply a request. Disposal stops it, and throws where a call
 * had no result, a result no call, or more was asked than the script holds.
 */
export function modelServer(script: readonly ScriptEntry[]): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const violations: string[] = [];
  const arrivals = new Milestones<SeenRequest>();
  const departures = new Milestones<void>();
  const stop = new AbortController();
  let calls = 0;
  const newId = () => `call_${++calls}`;

  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: stop.signal,
    onListen: () => {},
    onError: (error) => {
      if (error !== RESET) violations.push(`the fake server failed: ${error}`);
      return new Response("the fake server failed", { status: 400 });
    },
  }, async (request) => {
    const seen = await see(request);
    const n = requests.push(seen);
    violations.push(...pairingViolations(seen.body).map((words) => `request ${n}: ${words}`));
    const entry = script[n - 1];
    if (!entry) {
      violations.push(`request ${n}: the script has ${script.length} replies`);
      arrivals.reach(n, seen);
      return json(400, { error: { message: `the script has ${script.length} replies` } });
    }
    const reply = typeof entry === "function" ? entry(seen) : entry;
    arrivals.reach(n, seen);
    return respond(reply, seen, newId, stop.signal, () => departures.reach(n));
  });

  const host = `127.0.0.1:${server.addr.port}`;
  return Promise.resolve({
    url: `http://${host}/v1`,
    host,
    requests,
    violations,
    request: (n) => arrivals.wait(n),
    left: (n) => departures.wait(n),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
      if (violations.length > 0) throw new Error(`Fake model: ${violations.join("; ")}`);
    },
  });
}

async function see(request: Request): Promise<SeenRequest> {
  return {
    path: new URL(request.url).pathname,
    headers: request.headers,
    body: await request.json(),
  };
}

function respond(
  reply: Reply,
  seen: SeenRequest,
  newId: () => string,
  stop: AbortSignal,
  left: () => void,
): Response {
  if ("status" in reply) return json(reply.status, reply.body, reply.headers);
  if ("raw" in reply) return stream(reply.raw, reply.then ?? "close", reply.headers, stop, left);
  const events = seen.path.endsWith("/responses")
    ? responsesStream(reply, newId)
    : chatStream(reply, newId, seen.body.stream_options?.include_usage === true);
  return stream(events, "close", {}, stop, left);
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === "string" || body === undefined ? body ?? null : JSON.stringify(body);
  return new Response(text, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

function stream(
  chunks: readonly (string | Uint8Array<ArrayBuffer>)[],
  then: "close" | "hang" | "reset",
  headers: Readonly<Record<string, string>> = {},
  stop: AbortSignal,
  left: () => void,
): Response {
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks[next++];
      if (chunk !== undefined) {
        controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
        return;
      }
      if (then === "reset") return controller.error(RESET);
      if (then === "hang") await raised(stop);
      controller.close();
    },
    cancel: left,
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", ...headers } });
}

function raised(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true })
  );
}

/** Numbered things that happen once, and those who wait for them. */
class Milestones<T> {
  readonly #promises = new Map<number, PromiseWithResolvers<T>>();

  reach(n: number, value: T): void {
    this.#at(n).resolve(value);
  }

  wait(n: number): Promise<T> {
    return this.#at(n).promise;
  }

  #at(n: number): PromiseWithResolvers<T> {
    const at = this.#promises.get(n) ?? Promise.withResolvers<T>();
    this.#promises.set(n, at);
    return at;
  }
}
