import {
  findNodeAtLocation,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

/** A file that a person wrote is not what it should be; the message names line and column. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/**
 * The value of a JSON text, comments and a last comma allowed; with `mayBeEmpty`, undefined where it
 * holds nothing else.
 * @throws {ConfigurationError} naming the file, line and column of the first mistake.
 */
export function parseJsonFile(path: string, text: string, mayBeEmpty = false): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, {
    allowTrailingComma: true,
    allowEmptyContent: mayBeEmpty,
  });
  const [first] = errors;
  if (first === undefined) return value;
  const { line, column } = positionAt(text, first.offset);
  const what = mistakeText(first);
  throw new ConfigurationError(`Cannot read "${path}": ${what} at line ${line}, column ${column}`);
}

/** What is wrong with a text that is no JSON, comments not allowed, and where; from 1. */
export function jsonMistake(text: string): { readonly what: string; readonly column: number } {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  return first
    ? { what: mistakeText(first), column: positionAt(text, first.offset).column }
    : { what: "it is no JSON", column: 1 };
}

function mistakeText({ error }: ParseError): string {
  return printParseErrorCode(error).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** Where the value at a path of keys stands in a JSON text; undefined where there is none. */
export function positionOf(
  text: string,
  path: readonly PropertyKey[],
): { line: number; column: number } | undefined {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, path.filter((part) => typeof part !== "symbol"));
  return node && positionAt(text, node.offset);
}

/** Line and column of an offset, both from 1. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

/** Writes a value as a JSON file of its owner's alone: whole, or not at all. */
export function replaceJsonFile(path: string, value: unknown): void {
  const draft = `${path}.${crypto.randomUUID()}`;
  Deno.writeTextFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  Deno.renameSync(draft, path);
}
