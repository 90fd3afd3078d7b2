import type { HereDocument } from "./here_documents.ts";
import type { SyntaxNode } from "./syntax.ts";

/** Tokens between statements that are no part of one. */
const SEPARATORS = new Set([";", "\n", "comment"]);

/**
 * The top-level statements of `script` as they are written: comments between them are dropped, a
 * `&` stays with its statement, and a here-document follows the statement that reads it.
 */
export function statementsOf(
  script: string,
  root: SyntaxNode,
  documents: readonly HereDocument[],
): string[] {
  const parts: { start: number; end: number }[] = [];
  for (const { type, start, end } of root.children) {
    const last = parts.at(-1);
    if (type === "&" && last) last.end = end;
    else if (!SEPARATORS.has(type)) parts.push({ start, end });
  }
  return parts.map(({ start, end }) => {
    const bodies = documents
      .filter(({ operator, start: body }) => operator >= start && operator < end && body >= end)
      .map(({ start, end }) => "\n" + script.slice(start, end));
    return script.slice(start, end) + bodies.join("");
  });
}
