import { isAssignment } from "./assignments.ts";
import { expansionsIn } from "./holes.ts";
import { isFinding, literalOf } from "./literals.ts";
import type { SyntaxNode } from "./syntax.ts";
import { readCommand, type Word } from "./words.ts";

/** The words of a script whose one statement is a plain command of literal words, or undefined. */
export function simpleWordsOf(root: SyntaxNode, script: string): readonly string[] | undefined {
  const [statement, ...more] = root.children;
  if (statement?.type !== "command" || more.length > 0) return undefined;
  // What the grammar passed over would be no part of the words.
  const around = script.slice(0, statement.start) + script.slice(statement.end);
  if (around.trim() !== "") return undefined;
  const { start, end } = statement;
  const { words, redirects, trouble } = readCommand(script, start, end, expansionsIn(statement));
  const [first] = words;
  if (!first || redirects.length > 0 || trouble) return undefined;
  if (isAssignment(script.slice(first.start, first.end))) return undefined;
  const texts = words.flatMap(plainText);
  return texts.length === words.length ? texts : undefined;
}

function plainText(word: Word): string[] {
  if (word.pieces.some(({ kind }) => kind !== "text")) return [];
  const literal = literalOf(word);
  if (isFinding(literal) || literal.isGlob || literal.startsHome) return [];
  return [literal.text];
}
