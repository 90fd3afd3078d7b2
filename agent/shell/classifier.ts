import type { Classification, CommandFact, Finding, Place } from "./classification.ts";
import { effectsOf } from "./effects.ts";
import { type Lifted, liftHereDocuments } from "./here_documents.ts";
import { permissionFinding } from "./permission.ts";
import { simpleWordsOf } from "./simple_words.ts";
import { statementsOf } from "./statements.ts";
import { loadParse, type Parse, type SyntaxTree } from "./syntax.ts";
import { withoutStandIns } from "./values.ts";

/** Longest script that is parsed, in UTF-16 units; a longer one asks. */
export const MAX_SCRIPT_LENGTH = 64 * 1024;

/** Characters that a person cannot see or that move text: controls, bidi marks, odd blanks. */
const DECEPTIVE = /[^\P{C}\n\t]|(?! )\p{Z}/u;

let loading: Promise<Classifier> | undefined;

/** The classifier; its parser is loaded with the first call and kept. */
export function loadClassifier(): Promise<Classifier> {
  loading ??= loadParse().then((parse) => new Classifier(parse));
  return loading;
}

/** Decides whether a shell command may run without a question. It confines nothing. */
export class Classifier {
  readonly #parse: Parse;

  constructor(parse: Parse) {
    this.#parse = parse;
  }

  /**
   * Judges `command`, a bash script, without running any of it; it never throws. With `place`,
   * absolute paths inside the workspace count as inside.
   */
  classify(command: string, place?: Place): Classification {
    if (command.length > MAX_SCRIPT_LENGTH) {
      return unparsed(`longer than ${MAX_SCRIPT_LENGTH / 1024} KB`);
    }
    const lifted = liftHereDocuments(withoutStandIns(command));
    const tree = this.#parse(lifted);
    if (tree === undefined) return unparsed("nested too deep to judge");
    const { commands, denial } = effectsOf(tree.root, lifted, this.#parse, place?.cwd ?? "");
    const parts = statementsOf(command, tree.root, lifted.documents);
    const judged = { parts, commands, destructive: commands.some(isDestructive) };
    if (denial) {
      const { detail, saferWay } = denial;
      return { ...judged, decision: "deny", code: "denied", reason: `denied: ${detail}`, saferWay };
    }
    const finding = brokenFinding(tree, lifted) ?? deceptiveFinding(command) ??
      permissionFinding(tree.root, { ...lifted, place });
    if (finding === undefined) return { ...judged, decision: "allow", reason: "" };
    const asked = ask(finding);
    return tree.broken || lifted.unfinished ? asked : { ...asked, ...judged };
  }

  /**
   * The words of a script that is proven to be one simple command and nothing else, each known
   * without running anything: no redirection, no assignment, no pattern, nothing that it runs in
   * turn as far as its text tells. Undefined where that is not proven.
   */
  simpleWords(command: string): readonly string[] | undefined {
    if (command.length > MAX_SCRIPT_LENGTH || DECEPTIVE.test(command)) return undefined;
    const lifted = liftHereDocuments(withoutStandIns(command));
    const tree = this.#parse(lifted);
    if (!tree || tree.broken || lifted.unfinished || lifted.documents.length > 0) return undefined;
    const { commands } = effectsOf(tree.root, lifted, this.#parse, "");
    return commands.length === 1 ? simpleWordsOf(tree.root, lifted.text) : undefined;
  }
}

function isDestructive({ destructive }: CommandFact): boolean {
  return destructive !== undefined;
}

function unparsed(detail: string): Classification {
  return ask({ code: "syntax", detail });
}

function ask({ code, detail }: Finding): Classification {
  const reason = `${code}: ${detail}`;
  return { decision: "ask", code, reason, parts: [], commands: [], destructive: false };
}

/** The finding on a script that bash and the grammar do not read alike. */
function brokenFinding({ broken }: SyntaxTree, { unfinished }: Lifted): Finding | undefined {
  if (unfinished) return { code: "syntax", detail: "a here-document has no end" };
  if (!broken) return undefined;
  return { code: "syntax", detail: "the text does not parse as bash" };
}

function deceptiveFinding(command: string): Finding | undefined {
  const char = DECEPTIVE.exec(command)?.[0].codePointAt(0);
  if (char === undefined) return undefined;
  const code = char.toString(16).toUpperCase().padStart(4, "0");
  return { code: "syntax", detail: `it holds a character that is not seen, U+${code}` };
}
