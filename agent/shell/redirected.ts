import type { SyntaxNode } from "./syntax.ts";

/** Constructs whose last part a redirection after them belongs to. */
const SEQUENCES = new Set(["list", "pipeline", "negated_command"]);

/**
 * `node` as bash reads it: the grammar gives the redirection in `a | b >f` to the whole pipeline,
 * but it is `b`'s, and so are words that follow it.
 */
export function withOwnRedirects(node: SyntaxNode): SyntaxNode {
  const [body, ...redirects] = node.children;
  if (node.type !== "redirected_statement" || !body || !SEQUENCES.has(body.type)) return node;
  const last = body.children.at(-1);
  if (last === undefined) return node;
  const children = last.type === "redirected_statement"
    ? [...last.children, ...redirects]
    : [last, ...redirects];
  const own = { type: "redirected_statement", start: last.start, end: node.end, children };
  return {
    type: body.type,
    start: node.start,
    end: node.end,
    children: [...body.children.slice(0, -1), withOwnRedirects(own)],
  };
}
