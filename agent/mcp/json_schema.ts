import type { ErrorObject, ValidateFunction } from "ajv";
import type { Parsed, Schema } from "../../tools/schema.ts";

/** Makes parsers of the JSON Schemas of servers. */
export interface SchemaMaker {
  /**
   * The parser of a JSON Schema (2020-12, or draft-07 where it says so), or half a sentence on why it
   * is none. It is compiled when it first parses; patterns and uniqueness of items are not checked.
   */
  schema(json: Readonly<Record<string, unknown>>): MadeSchema;
}

/** A parser, or why there is none. */
export type MadeSchema =
  | { readonly ok: true; readonly schema: Schema<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/** Mistakes that are told at most; more of them seldom help. */
const MAX_PROBLEMS = 5;

const OPTIONS = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
  // Which names a pattern stands for is asked for where it decides what else is allowed: all do.
  code: { regExp: Object.assign(() => ({ test: () => true }), { code: "" }) },
} as const;

/**
 * Not checked: a server writes these, often the value, too, and some patterns take for ever on some
 * texts, as a comparison of all items with all others does on long lists. No signal ends that.
 */
const UNCHECKED = ["pattern", "patternProperties", "uniqueItems"] as const;

/** Loads what checks JSON by a schema; it weighs more than most runs need. */
export async function loadSchemaMaker(): Promise<SchemaMaker> {
  const [{ default: draft7 }, { default: newest }] = await Promise.all([
    import("ajv"),
    import("ajv/dist/2020.js"),
  ]);
  const makers = {
    draft7: new draft7.default(OPTIONS),
    newest: new newest.default(OPTIONS),
  };
  for (const maker of Object.values(makers)) {
    for (const keyword of UNCHECKED) maker.removeKeyword(keyword);
  }
  return {
    schema(given) {
      const { $schema: dialect, $id: _, ...json } = given;
      const maker = String(dialect).includes("draft-07") ? makers.draft7 : makers.newest;
      if (json.type !== "object") {
        return { ok: false, problem: 'its schema is not of type "object"' };
      }
      if (maker.validateSchema(json) !== true) {
        return { ok: false, problem: `its schema is none: ${problems(maker.errors).join("; ")}` };
      }
      let validate: ValidateFunction | undefined;
      return {
        ok: true,
        schema: {
          json,
          parse(value) {
            try {
              validate ??= maker.compile(json);
            } catch (error) {
              // As a reference to another document, which is not followed.
              const why = error instanceof Error ? error.message : String(error);
              return { ok: false, problems: [`the tool's schema cannot be used: ${why}`] };
            }
            return parsed(value, validate);
          },
        },
      };
    },
  };
}

function parsed(value: unknown, validate: ValidateFunction): Parsed<Record<string, unknown>> {
  if (!validate(value)) return { ok: false, problems: problems(validate.errors) };
  // Every schema here is of type "object".
  return { ok: true, value: value as Record<string, unknown> };
}

function problems(errors: readonly ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).slice(0, MAX_PROBLEMS).map(({ instancePath, message }) => {
    const where = instancePath.slice(1).replaceAll("/", ".");
    return where === "" ? message ?? "it does not fit" : `${where}: ${message}`;
  });
}
