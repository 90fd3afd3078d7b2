import { AttemptFailure, wordsOf } from "../model/failure.ts";
import { capAnswer, redact } from "../model/guarded_fetch.ts";
import { isJson, isList, parseJson } from "../model/json.ts";
import type { Provider } from "../model/provider.ts";
import { parseRefusal } from "../model/refusal.ts";
import { realClock } from "../model/real_clock.ts";
import { type Clock, retryDelay } from "../model/retry.ts";

/** Makes vectors of texts; texts that mean something similar have vectors of similar direction. */
export interface Embedder {
  /** Server, model and dimensions: vectors of another do not compare. */
  readonly id: string;
  /**
   * A vector for each text, in their order.
   * @throws {Error} where the server does not give them, also not when asked again.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** A model that makes vectors, as configured. */
export interface EmbeddingsSettings {
  readonly model: string;
  readonly provider: Provider;
  readonly apiKey?: string;
  /** Of the vectors, where the model lets one choose. */
  readonly dimensions?: number;
}

/** What an embedder needs besides its settings. */
export interface EmbedderParts {
  readonly fetch?: typeof fetch;
  /** Time and chance; the real ones where they are missing. */
  readonly clock?: Clock;
}

/** One request may take so long, in milliseconds. */
const REQUEST_LIMIT_MS = 60_000;

/** Of an answer, in bytes: 64 vectors of 4 096 numbers as text are some 4 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Of what a server says about a failure, in bytes. */
const MAX_REFUSAL = 64 * 1024;

/** A server's `/embeddings` (OpenAI, "Create embeddings"), asked again where that may help. */
export function createEmbedder(settings: EmbeddingsSettings, parts: EmbedderParts = {}): Embedder {
  const { provider, model, dimensions } = settings;
  const { fetch: send = fetch, clock = realClock() } = parts;
  const id = `${model} at ${provider.baseUrl}${dimensions === undefined ? "" : ` (${dimensions})`}`;
  return {
    id,
    async embed(texts, signal) {
      if (texts.length === 0) return [];
      let unreachableMs = 0;
      for (let retries = 0;; retries++) {
        const started = clock.now();
        try {
          return await request(settings, texts, send, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof AttemptFailure)) throw error;
          const { failure } = error;
          const attemptMs = clock.now() - started;
          unreachableMs += attemptMs;
          const state = { retries, attemptMs, unreachableMs, random: clock.random() };
          const delayMs = retryDelay(failure, state);
          if (delayMs === undefined) {
            const words = redact(wordsOf(failure), settings.apiKey);
            throw new Error(`Cannot get vectors of ${id}: ${words}`, { cause: error });
          }
          await clock.sleep(delayMs, signal);
          signal.throwIfAborted();
        }
      }
    },
  };
}

async function request(
  { provider, model, apiKey, dimensions }: EmbeddingsSettings,
  texts: readonly string[],
  send: typeof fetch,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const limit = AbortSignal.timeout(REQUEST_LIMIT_MS);
  const body = { model, input: texts, encoding_format: "float", dimensions };
  try {
    const response = await send(`${provider.baseUrl}/embeddings`, {
      method: "POST",
      headers: {
        "user-agent": "cordon",
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...provider.headers,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.any([signal, limit]),
    });
    if (!response.ok) throw await refusal(response);
    const text = await capAnswer(response, MAX_ANSWER_BYTES).text();
    return vectorsIn(parseJson(text), texts.length);
  } catch (error) {
    throw asFailure(error);
  }
}

async function refusal(response: Response): Promise<AttemptFailure> {
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const sentence = `it redirects to "${response.headers.get("location") ?? "nowhere"}"`;
    return new AttemptFailure({ kind: "misconfigured", sentence });
  }
  const body = await capAnswer(response, MAX_REFUSAL).text();
  return new AttemptFailure(parseRefusal(response.status, response.headers, body, Date.now()));
}

/** What fetch throws, as a failure that may be tried again. */
function asFailure(error: unknown): unknown {
  if (error instanceof Deno.errors.NotCapable) {
    const sentence = `this process may not reach it (${error.message})`;
    return new AttemptFailure({ kind: "misconfigured", sentence }, error);
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    const sentence = `no answer came within ${REQUEST_LIMIT_MS / 1000} s`;
    return new AttemptFailure({ kind: "torn", sentence }, error);
  }
  if (!(error instanceof TypeError)) return error;
  return new AttemptFailure({ kind: "unreachable", sentence: "it cannot be reached" }, error);
}

function vectorsIn(answer: unknown, count: number): Float32Array[] {
  const data = isJson(answer) && isList(answer.data) ? answer.data : [];
  const vectors: Float32Array[] = [];
  for (const [place, item] of data.entries()) {
    if (!isJson(item) || !isList(item.embedding)) continue;
    const index = typeof item.index === "number" ? item.index : place;
    const numbers = item.embedding.filter((value) => Number.isFinite(value));
    // A cast: what is finite is a number.
    if (numbers.length > 0) vectors[index] = Float32Array.from(numbers as number[]);
  }
  const whole = vectors.length === count && vectors.every((vector) => vector !== undefined) &&
    Object.keys(vectors).length === count;
  if (whole) return vectors;
  throw new AttemptFailure({ kind: "misconfigured", sentence: "its answer holds no such vectors" });
}
