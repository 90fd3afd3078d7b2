import type * as z from "zod";
import type { NetRequest } from "../../../sandbox/net.ts";
import type { EngineContext } from "./engine.ts";

/** Answers with some dozen hits have less, in bytes. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** An engine that takes longer is passed over, in milliseconds. */
const ANSWER_LIMIT_MS = 15_000;

/** An answer of an engine in its own shape. */
export type Asked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** What is asked, beside the address. */
export interface EngineRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** Asks an interface for JSON of a shape; no key follows a redirect. */
export async function askJson<T>(
  url: URL,
  shape: z.ZodType<T>,
  { headers = {}, json }: EngineRequest,
  { net, signal }: EngineContext,
): Promise<Asked<T>> {
  const answer = await net.fetch(url.href, {
    headers: { accept: "application/json", ...headers, ...(json !== undefined && JSON_TYPE) },
    ...(json !== undefined && bodyOf(json)),
    ...{ timeoutMs: ANSWER_LIMIT_MS, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0, signal },
  });
  if (!answer.ok) return { ok: false, problem: answer.message };
  if (answer.status !== 200) return { ok: false, problem: statusText(answer.status) };
  const parsed = shape.safeParse(parseJson(new TextDecoder().decode(answer.body)));
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, problem: "its answer has another shape than it should" };
}

const JSON_TYPE = { "content-type": "application/json" };

function bodyOf(json: unknown): Pick<NetRequest, "method" | "body"> {
  return { method: "POST", body: new TextEncoder().encode(JSON.stringify(json)) };
}

/** A status in words, where it says what to do. */
export function statusText(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return `it refuses the key or the request (http status ${status})`;
    case 429:
      return "it has had too many requests (http status 429)";
    default:
      return `http status ${status}`;
  }
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A path and its query at the engine's server. */
export function addressAt(
  base: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(base.replace(/\/+$/, "") + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
