/** Deeper values are left as they came: their indentation would be longer than they are. */
const MAX_DEPTH = 64;

/**
 * JSON with a line for each entry, two spaces a level; every number and string keeps its spelling,
 * since a number that is parsed loses digits. Undefined for what is no JSON, or nested too deep.
 */
export function prettyJson(text: string): string | undefined {
  const trimmed = text.trim();
  if (!isJson(trimmed)) return undefined;
  const parts: string[] = [];
  let depth = 0;
  for (const [token] of trimmed.matchAll(TOKEN)) {
    if (token === "}" || token === "]") {
      depth--;
      if (EMPTY.has(`${parts.at(-2)}${token}`) && parts.at(-1) === newLine(depth + 1)) parts.pop();
      else parts.push(newLine(depth));
      parts.push(token);
      continue;
    }
    parts.push(token === ":" ? ": " : token);
    if (token === "{" || token === "[") depth++;
    if (depth > MAX_DEPTH) return undefined;
    if (token === "{" || token === "[" || token === ",") parts.push(newLine(depth));
  }
  return parts.join("");
}

/** What a valid text consists of besides blanks. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

const EMPTY: ReadonlySet<string> = new Set(["{}", "[]"]);

function newLine(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    // A RangeError is a nesting that the parser's stack does not hold.
    if (error instanceof SyntaxError || error instanceof RangeError) return false;
    throw error;
  }
}
