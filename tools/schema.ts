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
      json ??= withoutDialect(z.toJSONSchema(type, { io: "input", override }));
      return json;
    },
    parse(value) {
      const parsed = type.safeParse(value);
      if (parsed.success) return { ok: true, value: parsed.data };
      return { ok: false, problems: parsed.error.issues.map(describe) };
    },
  };
}

/** So long a text is no parameter that a model would think of, in characters. */
const UNHEARD_OF = 10_000;

/**
 * Leaves out what goes without saying, for each request carries all of it: that no count is below
 * nothing, that no name is empty, that there are no other parameters. The parser keeps to all of it.
 */
function override(
  { jsonSchema: json }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema },
): void {
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === 0 || json.minimum === 1) delete json.minimum;
  if (json.exclusiveMinimum === 0) delete json.exclusiveMinimum;
  if (json.minLength === 1) delete json.minLength;
  if (json.minItems === 1) delete json.minItems;
  if (json.maxLength !== undefined && json.maxLength >= UNHEARD_OF) delete json.maxLength;
  const others = json.additionalProperties;
  if (others === false || isAnything(others)) delete json.additionalProperties;
  delete json.propertyNames;
}

function isAnything(json: unknown): boolean {
  return typeof json === "object" && json !== null && Object.keys(json).length === 0;
}

function withoutDialect(json: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _, ...rest } = json;
  return rest;
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.join(".");
  return where ? `${where}: ${issue.message}` : issue.message;
}
