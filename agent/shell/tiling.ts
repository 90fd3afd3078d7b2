import type { Finding } from "./classification.ts";
import type { HereDocument } from "./here_documents.ts";

/** A stretch of the script that was judged. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly kind: "command" | "operator" | "comment";
}

/**
 * Why `tokens` are not all of the text: something else than blanks lies between two of them, or two
 * commands touch. Then the grammar and the reader of words disagree about where a command ends, and
 * bash may see a third thing.
 */
export function tilingFinding(
  text: string,
  documents: readonly HereDocument[],
  tokens: readonly Token[],
): Finding | undefined {
  let at = 0;
  let previous: Token["kind"] = "operator";
  const end: Token = { start: text.length, end: text.length, kind: "operator" };
  for (const { kind, start, end: next } of [...tokens, end]) {
    if (!mayStandBetween(previous, text.slice(at, start), kind)) {
      return { code: "syntax", detail: "the text is not plainly a list of commands" };
    }
    at = next;
    previous = kind;
  }
  return documents.every(({ operator }) => isInCommand(operator, tokens))
    ? undefined
    : { code: "syntax", detail: "a here-document belongs to no command" };
}

function mayStandBetween(previous: Token["kind"], gap: string, next: Token["kind"]): boolean {
  if (!/^(?:[ \t\n]|\\\n)*$/.test(gap)) return false;
  if (previous !== "command") return true;
  if (next === "command") return gap.includes("\n");
  return next !== "comment" || gap !== "";
}

function isInCommand(offset: number, tokens: readonly Token[]): boolean {
  return tokens.some(({ kind, start, end }) =>
    kind === "command" && start <= offset && offset < end
  );
}
