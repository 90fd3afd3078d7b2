import { expansionsIn } from "./holes.ts";
import type { SyntaxNode } from "./syntax.ts";
import { readCommand, type Word } from "./words.ts";

/** A `for NAME in WORDS` loop taken apart. */
export interface ForLoop {
  readonly name: string;
  readonly words: readonly Word[];
  readonly body: SyntaxNode;
}

/** Reads the loop at `node`; undefined when it has no list of words. */
export function readForLoop(node: SyntaxNode, text: string): ForLoop | undefined {
  const name = node.children.find(({ type }) => type === "variable_name");
  const body = node.children.at(-1);
  const from = node.children.findIndex(({ type }) => type === "in") + 1;
  const list = node.children.slice(from, -1).filter(({ type }) => type !== ";" && type !== "\n");
  const [first, last] = [list[0], list.at(-1)];
  if (!name || !body || from === 0 || !first || !last) return undefined;
  const holes = list.flatMap((item) => expansionsIn({ ...item, children: [item] }));
  const { words } = readCommand(text, first.start, last.end, holes);
  return { name: text.slice(name.start, name.end), words, body };
}
