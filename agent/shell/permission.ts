import type { Finding, Place } from "./classification.ts";
import { sortFind, sortTest } from "./expressions.ts";
import { flagFinding, sortArguments, type Sorted } from "./flags.ts";
import type { HereDocument } from "./here_documents.ts";
import { expansionsIn } from "./holes.ts";
import { isFinding, type Literal, literalOf } from "./literals.ts";
import { pathFinding } from "./paths.ts";
import { PROGRAMS } from "./programs.ts";
import { redirectFinding } from "./redirect_permission.ts";
import type { SyntaxNode } from "./syntax.ts";
import { tilingFinding, type Token } from "./tiling.ts";
import { type Command, readCommand, type Redirect, type Word } from "./words.ts";

/** A script as the judge of permissions reads it. */
export interface Script {
  /** The text without here-documents, at the original's length. */
  readonly text: string;
  readonly documents: readonly HereDocument[];
  readonly place: Place | undefined;
}

/** Tokens that may stand between commands. */
const OPERATORS = new Set([";", "&", "&&", "||", "|", "|&", "!", "\n"]);

/** Constructs with commands inside. */
const COMPOUNDS = new Set([
  ..."subshell compound_statement while_statement for_statement c_style_for_statement".split(" "),
  ..."if_statement case_statement test_command do_group".split(" "),
]);

/** Most folders that a `cd` in doubt may lead to before the paths count as unknown. */
const MAX_FOLDERS = 16;

/**
 * The first reason, in the order of the text, why the script under `root` may not run without a
 * question; undefined when each of its commands is known to read only.
 */
export function permissionFinding(root: SyntaxNode, script: Script): Finding | undefined {
  const judge = new Judge(script);
  return judge.judge(root) ?? tilingFinding(script.text, script.documents, judge.tokens);
}

class Judge {
  readonly #script: Script;
  readonly tokens: Token[] = [];
  /** Where the shell may be, relative to where it started; a `cd` may also have failed. */
  readonly #folders: string[] = [""];

  constructor(script: Script) {
    this.#script = script;
  }

  judge(node: SyntaxNode): Finding | undefined {
    switch (node.type) {
      case "program":
      case "list":
      case "pipeline":
      case "negated_command":
        return this.#judgeChildren(node);
      case "command":
      case "redirected_statement":
      case "test_command":
      case "variable_assignment":
      case "variable_assignments":
      case "declaration_command":
      case "unset_command":
        return this.#judgeSimple(node);
      case "comment":
        this.#add(node, "comment");
        return undefined;
      case "function_definition":
        return { code: "function_def", detail: "a function may stand in for a program" };
      case "ERROR":
        return { code: "syntax", detail: "the text does not parse as bash" };
      default:
        return this.#judgeOther(node);
    }
  }

  #judgeChildren(node: SyntaxNode): Finding | undefined {
    for (const child of node.children) {
      const finding = this.judge(child);
      if (finding) return finding;
    }
    return undefined;
  }

  #judgeOther(node: SyntaxNode): Finding | undefined {
    if (OPERATORS.has(node.type)) {
      this.#add(node, "operator");
      return undefined;
    }
    if (COMPOUNDS.has(node.type)) return compound(this.#textOf(node));
    return { code: "syntax", detail: `"${this.#textOf(node)}" is not a plain command` };
  }

  #add(node: SyntaxNode, kind: Token["kind"]): void {
    this.tokens.push({ start: node.start, end: node.end, kind });
  }

  #textOf(node: SyntaxNode): string {
    return this.#script.text.slice(node.start, node.end).split("\n")[0]?.slice(0, 40) ?? "";
  }

  #judgeSimple(node: SyntaxNode): Finding | undefined {
    const [first] = node.children;
    const body = node.type === "redirected_statement" && first ? first : node;
    const isBracket = body.type === "test_command" && this.#textOf(body).startsWith("[ ");
    if ((COMPOUNDS.has(body.type) && !isBracket) || body.type === "function_definition") {
      return compound(this.#textOf(body));
    }
    this.#add(node, "command");
    const { text } = this.#script;
    return this.#judgeCommand(readCommand(text, node.start, node.end, expansionsIn(node)));
  }

  #judgeCommand(command: Command): Finding | undefined {
    const [first] = command.words;
    if (first && isAssignment(first, this.#script.text)) return assignmentFinding(command, first);
    const name = first && literalOf(first);
    if (name && isFinding(name)) return command.trouble ?? name;
    if (name && !PROGRAMS.has(name.text)) {
      return { code: "not_allowlisted", detail: `"${name.text}" is not on the read-only list` };
    }
    if (command.trouble) return command.trouble;
    const literals: Literal[] = [];
    for (const word of command.words) {
      const literal = literalOf(word);
      if (isFinding(literal)) return literal;
      literals.push(literal);
    }
    return this.#judgeProgram(literals) ?? this.#judgeRedirects(command.redirects);
  }

  #judgeProgram([name, ...args]: readonly Literal[]): Finding | undefined {
    if (name === undefined) return undefined;
    const { paths, finding } = sortWords(name.text, args);
    const named = [...paths, ...args.filter(({ isGlob }) => isGlob)];
    return finding ?? this.#pathFinding(named) ??
      (name.text === "cd" ? this.#changeFolder(paths) : undefined);
  }

  #pathFinding(paths: readonly Literal[]): Finding | undefined {
    for (const path of paths) {
      const finding = pathFinding(path, this.#folders, this.#script.place);
      if (finding) return finding;
    }
    return undefined;
  }

  #changeFolder([target]: readonly Literal[]): Finding | undefined {
    if (target === undefined || target.text === "-" || target.text === "") {
      return { code: "sensitive_path", detail: '"cd" leads to a folder that is not named' };
    }
    if (target.isGlob || this.#folders.length >= MAX_FOLDERS) {
      return { code: "expansion", detail: '"cd" leads to a folder that is not known' };
    }
    if (target.text.startsWith("/")) {
      const { place } = this.#script;
      const outside = {
        code: "sensitive_path",
        detail: '"cd" leads out of the workspace',
      } as const;
      if (!place || !`${target.text}/`.startsWith(`${place.workspace}/`)) return outside;
      return { code: "expansion", detail: '"cd" with an absolute path changes all later ones' };
    }
    for (const folder of [...this.#folders]) this.#folders.push(`${folder}${target.text}/`);
    return undefined;
  }

  #judgeRedirects(redirects: readonly Redirect[]): Finding | undefined {
    for (const redirect of redirects) {
      const finding = redirectFinding(
        redirect,
        this.#script.documents,
        (path) => this.#pathFinding([path]),
      );
      if (finding) return finding;
    }
    return undefined;
  }
}

function compound(text: string): Finding {
  return { code: "compound", detail: `"${text}" holds commands of its own` };
}

function isAssignment(word: Word, text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/.test(text.slice(word.start, word.end));
}

/** A variable set for one command or for all later ones can change what any program does. */
function assignmentFinding(command: Command, word: Word): Finding {
  const literal = literalOf(word);
  if (isFinding(literal)) return literal;
  if (command.trouble) return command.trouble;
  const name = literal.text.split(/[+=[]/)[0];
  return { code: "assignment", detail: `"${name}" may change what later commands do` };
}

function sortWords(name: string, args: readonly Literal[]): Sorted {
  const program = PROGRAMS.get(name);
  if (program === undefined) {
    return { paths: [], finding: flagFinding(name, "", "is not known as read-only") };
  }
  if (program.language === "find") return sortFind(args);
  if (program.language === "test") return sortTest(name, args);
  return sortArguments(name, program, args);
}
