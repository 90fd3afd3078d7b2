import { AttemptFailure } from "./failure.ts";
import { isJson, parseJson } from "./json.ts";
import { parseRefusal } from "./refusal.ts";
import type { Clock } from "./retry.ts";

/** Of an error's body this much is read, in bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** 128 k tokens, an event each, stay well below; more is a server gone mad. In bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Silence before we ask whether there is a server at all, in milliseconds. */
const PROBE_AFTER_MS = 3_000;
/** What a server's machine may take to accept a connection, in milliseconds. */
const CONNECT_LIMIT_MS = 4_000;

/** What a guarded fetch needs. */
export interface FetchOptions {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** Never shown: servers like to repeat it in their refusals. */
  readonly apiKey?: string;
  /** Whether something listens at an address; asked when no response comes. */
  readonly probe: (url: URL) => Promise<boolean>;
}

/**
 * A fetch that stays at its host and lets nothing but an event stream pass. All else is thrown as
 * an {@linkcode AttemptFailure}.
 */
export function guardedFetch(options: FetchOptions): typeof fetch {
  return async (input, init) => {
    const request = options.fetch(input, { ...init, redirect: "manual" });
    const response = await firstResponse(request, new URL(String(input)), options);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const target = response.headers.get("location") ?? "nowhere";
      throw misconfigured(`it redirects to "${target}", give that address if you trust it`);
    }
    if (!response.ok) throw await refusal(response, response.status, options);
    const type = response.headers.get("content-type") ?? "";
    if (!/\b(html|json)\b/.test(type)) return capAnswer(response, MAX_ANSWER_BYTES);
    throw await refusal(response, undefined, options);
  };
}

/** The response, whose body breaks with an {@linkcode AttemptFailure} past `maxBytes`. */
export function capAnswer(response: Response, maxBytes: number): Response {
  let bytes = 0;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      const sentence = `it is longer than ${maxBytes} bytes`;
      controller.error(new AttemptFailure({ kind: "malformed", sentence }));
    },
  });
  const body = response.body?.pipeThrough(count);
  if (body) ORIGINALS.set(body, response);
  return new Response(body, response);
}

/**
 * The response that a body comes from, held while somebody reads it: Deno (2.9) stops a request by
 * its response, and once that is collected as garbage an abort is lost and the read never ends.
 */
const ORIGINALS = new WeakMap<ReadableStream, Response>();

/** A failure that asking again does not cure. */
export function misconfigured(sentence: string): AttemptFailure {
  return new AttemptFailure({ kind: "misconfigured", sentence });
}

/** A model may think for minutes before its first byte; an address without a server may not. */
async function firstResponse(
  request: Promise<Response>,
  url: URL,
  { clock, probe }: FetchOptions,
): Promise<Response> {
  const done = new AbortController();
  const nobody = clock.sleep(PROBE_AFTER_MS, done.signal).then(async () => {
    if (done.signal.aborted || await probe(url)) return await request;
    throw new AttemptFailure({ kind: "unreachable", sentence: "nobody answers there" });
  });
  try {
    return await Promise.race([request, nobody]);
  } finally {
    done.abort();
  }
}

/** `status` is missing where a page or an object came with a good one. */
async function refusal(
  response: Response,
  status: number | undefined,
  { apiKey, clock }: FetchOptions,
): Promise<AttemptFailure> {
  const body = redact(await readCapped(response), apiKey);
  const parsed = parseJson(body);
  if (status === undefined && !(isJson(parsed) && parsed.error)) {
    const type = response.headers.get("content-type");
    return misconfigured(`it sent ${type} where an event stream was wanted`);
  }
  return new AttemptFailure(parseRefusal(status, response.headers, body, clock.now()));
}

/** The text without the key. */
export function redact(text: string, apiKey: string | undefined): string {
  return apiKey ? text.replaceAll(apiKey, "[key]") : text;
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

/** Whether something accepts connections at the address of `url`; true where we may not look. */
export async function canConnect(url: URL): Promise<boolean> {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  try {
    const signal = AbortSignal.timeout(CONNECT_LIMIT_MS);
    (await Deno.connect({ hostname, port, signal })).close();
    return true;
  } catch (error) {
    return error instanceof Deno.errors.NotCapable;
  }
}
