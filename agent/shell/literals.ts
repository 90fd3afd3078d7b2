import type { Finding } from "./classification.ts";
import type { Hole, Piece, Word } from "./words.ts";

/** A word whose value is known without running anything, but for the names that a glob matches. */
export interface Literal {
  /** The word after quote removal. */
  readonly text: string;
  /** Whether an unquoted `*`, `?` or `[` makes it a pattern for file names. */
  readonly isGlob: boolean;
  /** Whether the first character may become any other, a dash among them. */
  readonly startsWild: boolean;
  /** Whether an unquoted tilde at its start names a home folder. */
  readonly startsHome: boolean;
}

/** The value of `word`, or what in it only the shell can know. */
export function literalOf(word: Word): Literal | Finding {
  for (const piece of word.pieces) {
    const finding = holeFinding(piece);
    if (finding) return finding;
  }
  const bare = word.pieces.map((piece) => isUnquoted(piece) ? textOf(piece) : "\0").join("");
  if (mayExpandBraces(bare)) return { code: "expansion", detail: "braces become several words" };
  return {
    text: word.pieces.map(textOf).join(""),
    isGlob: /[*?[]/.test(bare),
    startsWild: /^[*?[]/.test(bare),
    startsHome: /^~|[=:]~/.test(bare),
  };
}

/** Narrows what {@linkcode literalOf} gave. */
export function isFinding(value: Literal | Finding): value is Finding {
  return "code" in value;
}

/** What an expansion is, in the words of a finding; undefined for plain text and for `$?`. */
export function holeFinding(piece: Piece): Finding | undefined {
  if (piece.kind === "text" || isExitStatus(piece)) return undefined;
  switch (piece.node.type) {
    case "command_substitution":
      return { code: "substitution", detail: "a command substitution runs a command" };
    case "process_substitution":
      return { code: "substitution", detail: "a process substitution runs a command" };
    case "arithmetic_expansion":
      return { code: "expansion", detail: "arithmetic can assign and run" };
    default:
      return { code: "expansion", detail: "a variable's value is not known before it runs" };
  }
}

/** `$?` is always a small number, so that it can neither become a flag nor a path. */
function isExitStatus(hole: Hole): boolean {
  return hole.source === "$?" || hole.source === "${?}";
}

function isUnquoted(piece: Piece): boolean {
  return piece.kind === "text" && !piece.quoted;
}

function textOf(piece: Piece): string {
  return piece.kind === "text" ? piece.text : "0";
}

/** `{a,b}` and `{1..3}`; a lone `{}` stays as it is. */
function mayExpandBraces(bare: string): boolean {
  return /\{.*(?:,|\.\.).*\}/s.test(bare);
}
