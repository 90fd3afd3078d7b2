import * as z from "zod";

/** A shape of JSON: what the model is told of it, and the parser of what comes. */
export interface Schema<T> {
  /** JSON Schema 2020-12, without `$schema`. */
  readonly json: Readonly<Record<string, unknown>>;
  parse(value: unknown): Parsed<T>;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  /** One sentence a problem, as `limit: Too small: expected number to be >=1`. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** A {@linkcode Schema} of a zod type; the JSON Schema is made when first asked for. */
export function schema<T>(type: z.ZodType<T>): Schema<T> {
  let json: Record<string, unknown> | undefined;
  return {
    get json() {
      // `io: "input"`: a parameter with a default is optional for the model.
      json ??= withoutDialect(z.toJSONSchema(type, { io: "input" }));
      return json;
    },
    parse(value) {
      const parsed = type.safeParse(value);
      if (parsed.success) return { ok: true, value: parsed.data };
      return { ok: false, problems: parsed.error.issues.map(describe) };
    },
  };
}

function withoutDialect(json: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _, ...rest } = json;
  return rest;
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.join(".");
  return where ? `${where}: ${issue.message}` : issue.message;
}
