import type { Refusal } from "./failure.ts";
import { isJson, isString, type Json, parseJson } from "./json.ts";

/** Of a server's sentence this much is shown, in characters. */
const MAX_SENTENCE = 300;
/** Of a body this much is kept, in characters. */
const MAX_BODY = 4_000;

const NO_REASON = "no reason given";

/** Status of error events, which carry a code only. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  insufficient_quota: 429,
  server_error: 500,
  internal_server_error: 500,
  overloaded_error: 503,
  invalid_api_key: 401,
  authentication_error: 401,
  model_not_found: 404,
  context_length_exceeded: 400,
  invalid_prompt: 400,
  invalid_request_error: 400,
};

/** What a server says when it refuses. Error events of a stream have no status: their code tells it. */
export function parseRefusal(
  status: number | undefined,
  headers: Headers,
  body: string,
  nowMs: number,
): Refusal {
  const { sentence, code, type } = readError(body);
  const known = status ?? statusOf(code) ?? statusOf(type);
  const retryAfterMs = parseRetryAfter(headers, nowMs);
  return {
    kind: "refused",
    ...(known === undefined ? {} : { status: known }),
    ...(code === undefined ? {} : { code }),
    sentence,
    body: body.slice(0, MAX_BODY),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function statusOf(code: string | undefined): number | undefined {
  if (code === undefined) return undefined;
  const numeric = /^[45]\d\d$/.test(code) ? Number(code) : undefined;
  return numeric ?? (Object.hasOwn(STATUS_OF_CODE, code) ? STATUS_OF_CODE[code] : undefined);
}

/** Servers agree on `{error: {message, code, type}}` and deviate from it in every way. */
function readError(body: string): { sentence: string; code?: string; type?: string } {
  const parsed = parseJson(body);
  if (!isJson(parsed)) return { sentence: oneLine(stripTags(body)) || NO_REASON };
  const error = isJson(parsed.error) ? parsed.error : parsed;
  const words = [error.message, parsed.error, parsed.detail, parsed.message].filter(isString)
    .find((value) => value !== "");
  const code = typeof error.code === "number" ? String(error.code) : error.code;
  return {
    sentence: oneLine(words ?? (isEmpty(error) ? "" : body)) || NO_REASON,
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof error.type === "string" ? { type: error.type } : {}),
  };
}

function isEmpty(value: Json): boolean {
  return Object.keys(value).length === 0;
}

function stripTags(text: string): string {
  return text.replace(/<(style|script)[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ");
}

function oneLine(text: string): string {
  // deno-lint-ignore no-control-regex -- a server must not drive the terminal
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  const cut = line.length > MAX_SENTENCE ? `${line.slice(0, MAX_SENTENCE)}…` : line;
  return cut.replace(/\.$/, "");
}

/**
 * The wait that `retry-after-ms` or `retry-after` (seconds or an HTTP date, RFC 9110 10.2.3) asks
 * for, in milliseconds; undefined where neither can be read.
 */
export function parseRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const inMs = parseNumber(headers.get("retry-after-ms"));
  if (inMs !== undefined) return inMs;
  const value = headers.get("retry-after");
  const seconds = parseNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = value === null ? NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function parseNumber(value: string | null): number | undefined {
  if (value === null || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
