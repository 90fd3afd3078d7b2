import type { ErrorObject } from "ajv";
import { ConfigurationError, parseJsonFile } from "./json_file.ts";
import { reasonOf } from "./session/error.ts";

/** A JSON Schema that the answer of a run must fit. */
export interface AnswerSchema {
  /** As JSON, for the model. */
  readonly json: string;
  check(answer: string): CheckedAnswer;
}

/** An answer against its schema. */
export type CheckedAnswer =
  /** `text` is the JSON alone. */
  | { readonly ok: true; readonly text: string }
  /** Half a sentence, as `/a must be integer`. */
  | { readonly ok: false; readonly problem: string };

/** Mistakes that are told at most; more of them seldom help. */
const MAX_PROBLEMS = 5;

/**
 * Reads a JSON Schema (2020-12, or draft-07 where it says so). References to other documents are
 * not followed.
 * @throws {ConfigurationError} where the file is none, with the place of the mistake.
 */
export async function loadAnswerSchema(path: string): Promise<AnswerSchema> {
  return await parseAnswerSchema(path, await readText(path));
}

/**
 * The same of a text; `path` is what it is called in an error.
 * @throws {ConfigurationError}
 */
export async function parseAnswerSchema(path: string, source: string): Promise<AnswerSchema> {
  const schema = parseJsonFile(path, source);
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null)) {
    throw new ConfigurationError(`Cannot use "${path}": it is no JSON Schema`);
  }
  const validate = await compile(path, schema);
  return {
    json: JSON.stringify(schema),
    check(answer) {
      const text = jsonPart(answer);
      const parsed = parseAnswer(text);
      if (!parsed.ok) return parsed;
      if (validate(parsed.value)) return { ok: true, text };
      return { ok: false, problem: problemsText(validate.errors ?? []) };
    },
  };
}

async function compile(path: string, schema: object | boolean) {
  const options = {
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false,
  } as const;
  const draft7 = typeof schema === "object" && "$schema" in schema &&
    String(schema.$schema).includes("draft-07");
  // Loaded with the first schema: few runs have one.
  const { default: Ajv } = draft7 ? await import("ajv") : await import("ajv/dist/2020.js");
  try {
    return new Ajv.default(options).compile(schema);
  } catch (error) {
    throw new ConfigurationError(`Cannot use "${path}": ${reasonOf(error)}`, { cause: error });
  }
}

async function readText(path: string): Promise<string> {
  try {
    return (await Deno.readTextFile(path)).replace(/^\uFEFF/, "");
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    const why = missing ? "there is no such file" : reasonOf(error);
    throw new ConfigurationError(`Cannot read "${path}": ${why}`, { cause: error });
  }
}

/** Models like to put JSON into a block of Markdown; a block that is all of the answer counts. */
function jsonPart(answer: string): string {
  const text = answer.trim();
  return /^```(?:json)?\s*\n([^]*?)\n?```$/.exec(text)?.[1]?.trim() ?? text;
}

function parseAnswer(
  text: string,
): { readonly ok: true; readonly value: unknown } | {
  readonly ok: false;
  readonly problem: string;
} {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problem: `it is not JSON (${error.message})` };
  }
}

function problemsText(errors: readonly ErrorObject[]): string {
  const told = errors.slice(0, MAX_PROBLEMS).map(({ instancePath, message }) =>
    `${instancePath || "the value"} ${message}`
  );
  return [...told, ...(errors.length > told.length ? ["and more"] : [])].join("; ");
}
