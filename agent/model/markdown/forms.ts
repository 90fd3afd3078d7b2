import type { ToolSpec } from "../model.ts";
import { isJson } from "../json.ts";

/** How a tool's call is written as a block: which parameters need no name. */
export interface Form {
  /** The parameter that the words after the tag are; several in turn. */
  readonly words: readonly string[];
  /** The parameter that the lines inside are. */
  readonly body?: string;
  /** How the lines inside are read, where they are not the parameter's text itself. */
  readonly reads?: "checklist" | "hunk" | "json" | "paths" | "patches";
  /** The words instead where there are no lines inside, as in `glob *.ts src`. */
  readonly wordsAlone?: readonly string[];
  /** Whether every word is one item of a list. */
  readonly list?: true;
}

/** Tools whose form does not follow from their parameters. */
const FORMS: Readonly<Record<string, Form>> = {
  edit_file: { words: ["path"], body: "old_string", reads: "hunk" },
  patch_anchored: { words: ["path"], body: "operations", reads: "json" },
  patch_many: { words: ["paths"], body: "patches", reads: "patches", list: true },
  read_file: { words: ["paths"], body: "paths", reads: "paths", list: true },
  todo_write: { words: [], body: "todos", reads: "checklist" },
};

/** Parameters that are lines of a file: they keep their last line break. */
const WHOLE_LINES: readonly string[] = ["content", "patch", "update"];

/**
 * The form of a tool. Without one of its own: `path` stands after the tag, and the only other
 * text that is required (`command`, `content`, `pattern`, …) is the body.
 */
export function formOf(tool: ToolSpec): Form {
  const own = Object.hasOwn(FORMS, tool.name) ? FORMS[tool.name] : undefined;
  if (own) return own;
  const properties = parametersOf(tool);
  const required = requiredOf(tool);
  const hasPath = "path" in properties;
  const others = required.filter((name) => name !== "path" && isText(properties[name]));
  const [body] = others.length === 1 ? others : [];
  if (body === undefined) return { words: hasPath ? ["path"] : [] };
  if (required.includes("path")) return { words: ["path"], body };
  return { words: hasPath ? ["path"] : [], body, wordsAlone: hasPath ? [body, "path"] : [body] };
}

/** The schemas of a tool's parameters, by name. */
export function parametersOf({ parameters }: ToolSpec): Readonly<Record<string, unknown>> {
  return isJson(parameters.properties) ? parameters.properties : {};
}

/** The names of the parameters that a call must have. */
export function requiredOf({ parameters: { required } }: ToolSpec): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** A body as the value of its parameter: the last line break belongs to files only. */
export function bodyText(parameter: string, body: string): string {
  return WHOLE_LINES.includes(parameter) ? body : body.replace(/\r?\n$/, "");
}

function isText(schema: unknown): boolean {
  return isJson(schema) && schema.type === "string";
}
