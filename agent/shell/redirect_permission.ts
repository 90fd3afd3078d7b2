import type { Finding } from "./classification.ts";
import type { HereDocument } from "./here_documents.ts";
import { isFinding, type Literal, literalOf } from "./literals.ts";
import type { Redirect } from "./words.ts";

/** Targets of output that keep nothing. */
const SINKS = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);

/** Why a redirection needs a question; `pathFinding` judges what would be read. */
export function redirectFinding(
  redirect: Redirect,
  documents: readonly HereDocument[],
  pathFinding: (path: Literal) => Finding | undefined,
): Finding | undefined {
  const { start, descriptor, operator, target } = redirect;
  const document = documents.find((one) => one.operator === start + descriptor.length);
  if (document) return documentFinding(document);
  if (target === undefined) return { code: "syntax", detail: `"${operator}" lacks its target` };
  const writes = operator.includes(">");
  const literal = literalOf(target);
  if (isFinding(literal)) return writes ? written("a file that is not known yet") : literal;
  const duplicates = operator.endsWith("&") && /^(?:\d+-?|-)$/.test(literal.text);
  if (operator === "<<<" || duplicates) return undefined;
  if (writes && SINKS.has(literal.text)) return undefined;
  const finding = pathFinding(literal);
  if (!writes || (finding && literal.text.startsWith("/dev/"))) return finding;
  return written(literal.text);
}

function written(target: string): Finding {
  return { code: "redirect", detail: `output goes to ${target}` };
}

/** An expanded body runs the substitutions in it; quotes mean nothing there. */
function documentFinding({ expands, body }: HereDocument): Finding | undefined {
  const match = expands ? /(?:^|[^\\])(?:\\\\)*(`|\$\(|\$)/.exec(body) : null;
  if (match === null) return undefined;
  const code = match[1] === "$" ? "expansion" : "substitution";
  return { code, detail: "the here-document is expanded" };
}
