import { malformed } from "./failure.ts";

/** A JSON object whose fields are unknown. */
export type Json = Record<string, unknown>;

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a string. */
export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** Whether a value is a list. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/**
 * A field that may be missing or null.
 * @throws {AttemptFailure} "malformed" where it is of another type, naming it by `what`.
 */
export function optional<T>(
  value: unknown,
  is: (value: unknown) => value is T,
  what: string,
): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (!is(value)) throw malformed(`${what} has the type ${typeof value}`);
  return value;
}

/** A number of tokens; what is none counts as 0. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
