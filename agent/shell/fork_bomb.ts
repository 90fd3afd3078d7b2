import type { SyntaxNode } from "./syntax.ts";

/**
 * Whether the function defined at `node` starts itself at least twice in a pipeline, or at least
 * twice with a background process among its commands.
 */
export function isForkBomb(node: SyntaxNode, text: string): boolean {
  const name = functionName(node, text);
  const body = node.children.at(-1);
  if (name === "" || body === undefined) return false;
  const calls = (within: SyntaxNode) => countCalls(within, name, text);
  return someNode(body, (inner) => inner.type === "pipeline" && calls(inner) > 1) ||
    (calls(body) > 1 && someNode(body, (inner) => inner.type === "&"));
}

/** The name of the function defined at `node`. */
export function functionName(node: SyntaxNode, text: string): string {
  const name = node.children.find(({ type }) => type === "word");
  return name ? text.slice(name.start, name.end) : "";
}

function countCalls(node: SyntaxNode, name: string, text: string): number {
  const isCall = node.type === "command" &&
    text.slice(node.start, node.end).split(/[\s;&|<>]/)[0] === name;
  return node.children.reduce(
    (sum, child) => sum + countCalls(child, name, text),
    isCall ? 1 : 0,
  );
}

function someNode(node: SyntaxNode, holds: (node: SyntaxNode) => boolean): boolean {
  return holds(node) || node.children.some((child) => someNode(child, holds));
}
