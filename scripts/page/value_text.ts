import type { z } from "zod";

/** The part of JSON Schema that our schemas come to. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What a value may be, in words for a table: its type, its choices, its bounds. */
export function valueText(json: JsonSchema): string {
  // Unions of ours are of schemas, none of them `true` or `false`.
  if (json.anyOf) return json.anyOf.map((one) => valueText(one as JsonSchema)).join(" or ");
  if (json.const !== undefined) return `\`${json.const}\``;
  if (json.enum) return json.enum.map((value) => `\`"${value}"\``).join(", ");
  // Zod writes a list of types where a value may have several; its own types know one alone.
  const types: unknown = json.type;
  return Array.isArray(types)
    ? types.map((type) => typeText({ ...json, type })).join(" or ")
    : typeText(json);
}

function typeText(json: JsonSchema): string {
  switch (json.type) {
    case "integer":
      return `whole number${rangeText(json)}`;
    case "number":
      return `number${rangeText(json)}`;
    case "array":
      // A list of ours has one schema for all its items.
      return `${listText(valueText(json.items as JsonSchema))}${countText(json)}`;
    case "object":
      return json.properties ? `\`{ ${keysText(json)} }\`` : "object, by name";
    case "string":
      return json.format === "uri" ? "URL" : `text${shapeText(json)}`;
    default:
      return json.type === "boolean" ? "`true`, `false`" : String(json.type);
  }
}

/** A list of such values; of what takes more words than one, each of them. */
function listText(item: string): string {
  if (/^`.*`$/.test(item)) return `list of ${item}`;
  return /^(whole )?\w+$/.test(item) ? `list of ${item}s` : `list, each ${item}`;
}

function rangeText({ minimum, maximum, exclusiveMinimum, type }: JsonSchema): string {
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (type === "number" && typeof exclusiveMinimum === "number") {
    return `, above ${exclusiveMinimum}${most === undefined ? "" : `, at most ${most}`}`;
  }
  const least = minimum ??
    (typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : undefined);
  return boundsText(least, most);
}

function countText({ minItems, maxItems }: JsonSchema): string {
  return boundsText(minItems, maxItems);
}

function shapeText({ minLength, maxLength, pattern }: JsonSchema): string {
  if (pattern !== undefined) return ` like \`${pattern}\``;
  if (maxLength !== undefined) return `${boundsText(minLength, maxLength)} characters`;
  return minLength === 1 ? ", not empty" : "";
}

function boundsText(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? "" : `, at most ${most}`;
  return most === undefined ? `, at least ${least}` : `, ${least} to ${most}`;
}

function keysText({ properties = {}, required = [] }: JsonSchema): string {
  return Object.keys(properties).map((key) => required.includes(key) ? key : `${key}?`).join(", ");
}
