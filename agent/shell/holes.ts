import type { SyntaxNode } from "./syntax.ts";

/** Nodes that stand for what the shell computes. */
const EXPANSIONS = new Set([
  "simple_expansion",
  "expansion",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
]);

/** The outermost expansions under `node`, in the order of the text. */
export function expansionsIn(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const child of node.children) {
    if (EXPANSIONS.has(child.type)) found.push(child);
    else found.push(...expansionsIn(child));
  }
  return found;
}
