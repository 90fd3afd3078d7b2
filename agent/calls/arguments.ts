import type { Schema } from "../../tools/schema.ts";
import { nearestNames } from "../../tools/nearest_name.ts";

/** Arguments of a call as the tool wants them, or what is wrong with them. */
export type ReadArguments =
  | {
    readonly ok: true;
    readonly value: unknown;
    /** Other spellings that were understood, as `file_path is path`. */
    readonly notes: readonly string[];
  }
  | { readonly ok: false; readonly problem: string };

/**
 * Names that models use for a parameter of ours (conventions of other agents); each counts only
 * where the tool has the parameter and the call lacks it.
 */
const SYNONYMS: Readonly<Record<string, string>> = {
  file_path: "path",
  filepath: "path",
  file: "path",
  filename: "path",
  dir: "path",
  directory: "path",
  cmd: "command",
  script: "command",
  timeout: "timeout_ms",
  contents: "content",
  file_text: "content",
  text: "content",
  old: "old_string",
  old_str: "old_string",
  old_text: "old_string",
  new: "new_string",
  new_str: "new_string",
  new_text: "new_string",
  glob: "include",
  query: "pattern",
  regex: "pattern",
  max_lines: "limit",
  items: "todos",
  run_in_background: "background",
};

/**
 * Reads the raw arguments of a call. Common misspellings of names, numbers given as text and
 * lists given as JSON text are understood; text that is no JSON is never repaired, since a
 * repaired call may do another thing than was meant.
 */
export function readArguments(raw: string, parameters: Schema<unknown>): ReadArguments {
  const json = parseJson(raw);
  if (!json.ok) return json;
  if (!isObject(json.value)) {
    return { ok: false, problem: "the arguments must be a JSON object" };
  }
  const properties = propertiesOf(parameters);
  const { renamed, notes } = rename(json.value, properties);
  const typed = Object.fromEntries(
    Object.entries(renamed).map(([name, value]) => [name, coerce(value, properties[name])]),
  );
  const parsed = parameters.parse(typed);
  if (parsed.ok) return { ok: true, value: parsed.value, notes };
  return { ok: false, problem: parsed.problems.join("; ") + hint(typed, properties) };
}

function parseJson(raw: string): { ok: true; value: unknown } | { ok: false; problem: string } {
  // Some servers send nothing for a call without arguments.
  if (raw === "") return { ok: true, value: {} };
  try {
    return { ok: true, value: JSON.parse(raw) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problem: `the arguments are not JSON (${error.message})` };
  }
}

type Property = Readonly<Record<string, unknown>>;

function propertiesOf(parameters: Schema<unknown>): Readonly<Record<string, Property>> {
  const { properties } = parameters.json;
  // JSON Schema: `properties` maps names to schemas.
  return isObject(properties) ? properties as Record<string, Property> : {};
}

function rename(
  given: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, Property>>,
): { renamed: Record<string, unknown>; notes: string[] } {
  const renamed: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const meant = [name, snake, SYNONYMS[snake] ?? ""].find((candidate) =>
      Object.hasOwn(properties, candidate) && (candidate === name || !(candidate in given))
    );
    if (meant !== undefined && meant !== name) notes.push(`${name} is ${meant}`);
    renamed[meant ?? name] = value;
  }
  return { renamed, notes };
}

/** The value in the type that the schema asks for, where text says the same. */
function coerce(value: unknown, property: Property | undefined): unknown {
  if (typeof value !== "string" || property === undefined) return value;
  switch (property.type) {
    case "integer":
    case "number":
      return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "array":
    case "object": {
      const parsed = parseJson(value);
      return parsed.ok && typeof parsed.value === "object" ? parsed.value : value;
    }
    default:
      return value;
  }
}

function hint(
  given: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, Property>>,
): string {
  const known = Object.keys(properties);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  const guess = unknown === undefined ? undefined : nearestNames(unknown, known)[0];
  const meant = guess ? `; did you mean ${guess} for ${unknown}?` : "";
  return `${meant} (parameters: ${known.join(", ") || "none"})`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
