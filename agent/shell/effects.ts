import type { CommandFact } from "./classification.ts";
import { type Denial, denialOf, FETCHED_SCRIPT, FORK_BOMB, redirectDenial } from "./denials.ts";
import { destructionOf, overwritesOf } from "./destruction.ts";
import { declareVariables, isAssignment, setVariable } from "./assignments.ts";
import { functionName, isForkBomb } from "./fork_bomb.ts";
import { type HereDocument, liftHereDocuments } from "./here_documents.ts";
import { expansionsIn } from "./holes.ts";
import { folderAfter, isDownloader, normalizeWords, textOf } from "./known_words.ts";
import type { Parse, SyntaxNode } from "./syntax.ts";
import {
  expandToText,
  expandWord,
  FETCHED,
  type ShellState,
  shown,
  UNKNOWN,
  variableValue,
} from "./values.ts";
import { type Command, type Hole, readCommand, type Redirect, type Word } from "./words.ts";
import { innerOf, runsFetchedArgument, runsInput } from "./wrappers.ts";

/** What a script would do, as far as it is visible. */
export interface Effects {
  readonly commands: readonly CommandFact[];
  readonly denial: Denial | undefined;
}

/** A script in the form that is walked. */
interface Source {
  readonly text: string;
  readonly documents: readonly HereDocument[];
}

/** What flows through a pipe, or out of a substitution. */
interface Flow {
  /** Whether it comes from the network. */
  readonly fetched: boolean;
  /** The text itself, where it is visible. */
  readonly text?: string;
}

/** A function of the script, to be walked again with each call's arguments. */
interface ShellFunction {
  readonly body: SyntaxNode;
  readonly source: Source;
}

const NOTHING: Flow = { fetched: false };

/** Deepest nesting of scripts in words and of function calls that is followed. */
const MAX_DEPTH = 8;

/** Most commands that are looked at; calls and loops could multiply without end. */
const MAX_COMMANDS = 2_000;

/** Most values of a `for` loop that its body is walked with. */
const MAX_ROUNDS = 8;

/** Walks the script under `root` and follows what it runs in turn. `cwd` is where it starts. */
export function effectsOf(root: SyntaxNode, source: Source, parse: Parse, cwd: string): Effects {
  const walker = new Walker(parse);
  walker.visit(root, source, { variables: new Map(), cwd }, NOTHING, 0);
  return { commands: walker.commands, denial: walker.denial };
}

class Walker {
  readonly commands: CommandFact[] = [];
  denial: Denial | undefined;
  readonly #parse: Parse;
  readonly #functions = new Map<string, ShellFunction>();

  constructor(parse: Parse) {
    this.#parse = parse;
  }

  /** Walks `node` and answers what it writes to its output. */
  visit(node: SyntaxNode, source: Source, state: ShellState, input: Flow, depth: number): Flow {
    if (this.commands.length >= MAX_COMMANDS || node.type === "ERROR") return NOTHING;
    switch (node.type) {
      case "command":
      case "redirected_statement":
      case "variable_assignment":
      case "declaration_command":
      case "unset_command":
        return this.#visitSimple(node, source, state, input, depth);
      case "pipeline":
        return this.#visitPipeline(node, source, state, input, depth);
      case "function_definition":
        return this.#visitFunction(node, source, state, depth);
      case "for_statement":
        return this.#visitLoop(node, source, state, input, depth);
      case "subshell":
        return this.#visitChildren(node, source, copyOf(state), input, depth);
      default:
        return this.#visitChildren(node, source, state, input, depth);
    }
  }

  #visitChildren(node: SyntaxNode, source: Source, state: ShellState, input: Flow, depth: number) {
    const flows = node.children
      .filter(({ children, type }) => children.length > 0 || type === "command")
      .map((child) => this.visit(child, source, state, input, depth));
    const [only] = flows;
    return flows.length === 1 && only ? only : { fetched: flows.some(({ fetched }) => fetched) };
  }

  #visitPipeline(node: SyntaxNode, source: Source, state: ShellState, input: Flow, depth: number) {
    let flow = input;
    for (const child of node.children) {
      if (child.type === "|" || child.type === "|&") continue;
      flow = this.visit(child, source, copyOf(state), flow, depth);
    }
    return flow;
  }

  #visitFunction(node: SyntaxNode, source: Source, state: ShellState, depth: number): Flow {
    if (isForkBomb(node, source.text)) this.#deny(FORK_BOMB);
    const body = node.children.at(-1);
    if (body) {
      this.#functions.set(functionName(node, source.text), { body, source });
      this.visit(body, source, copyOf(state), NOTHING, depth);
    }
    return NOTHING;
  }

  #visitLoop(node: SyntaxNode, source: Source, state: ShellState, input: Flow, depth: number) {
    const name = node.children.find(({ type }) => type === "variable_name");
    const body = node.children.at(-1);
    const list = node.children.slice(node.children.findIndex(({ type }) => type === "in") + 1, -1);
    const [first, last] = [list[0], list.findLast(({ type }) => type !== ";" && type !== "\n")];
    if (!name || !body || !first || !last) {
      return this.#visitChildren(node, source, state, input, depth);
    }
    const holes = list.flatMap((item) => expansionsIn({ ...item, children: [item] }));
    const command = readCommand(source.text, first.start, last.end, holes);
    const values = this.#wordsOf(command, source, state, depth);
    let fetched = false;
    for (const value of values.slice(0, MAX_ROUNDS)) {
      state.variables.set(source.text.slice(name.start, name.end), value);
      fetched = this.visit(body, source, state, input, depth).fetched || fetched;
    }
    return { fetched };
  }

  #visitSimple(node: SyntaxNode, source: Source, state: ShellState, input: Flow, depth: number) {
    const [nested] = node.children;
    const isCompound = node.type === "redirected_statement" && nested !== undefined &&
      nested.type !== "command" && !/redirect$/.test(nested.type);
    const start = isCompound ? nested.end : node.start;
    const holes = expansionsIn(node).filter((hole) => hole.start >= start);
    const command = readCommand(source.text, start, node.end, holes);
    const valueOf = this.#holeValues(source, state, depth);
    const given = this.#inputOf(command.redirects, source, state, depth, valueOf) ?? input;
    const overwrites = this.#redirect(command.redirects, state, valueOf);
    if (isCompound) return this.visit(nested, source, state, given, depth);
    const words = this.#assign(command, source, state, valueOf);
    if (words.length === 0 && overwrites.length === 0) return NOTHING;
    return this.#run(words, state, given, depth, overwrites);
  }

  #wordsOf(command: Command, source: Source, state: ShellState, depth: number): string[] {
    const valueOf = this.#holeValues(source, state, depth);
    return command.words.flatMap((word) => expandWord(word, valueOf));
  }

  /** Values of expansions; what a substitution runs is walked, once. */
  #holeValues(source: Source, state: ShellState, depth: number): (hole: Hole) => string {
    const known = new Map<SyntaxNode, string>();
    return (hole) => {
      const value = known.get(hole.node) ?? this.#holeValue(hole, source, state, depth);
      known.set(hole.node, value);
      return value;
    };
  }

  #holeValue({ node, source: text }: Hole, source: Source, state: ShellState, depth: number) {
    const flow = depth < MAX_DEPTH
      ? this.#visitChildren(node, source, copyOf(state), NOTHING, depth + 1)
      : NOTHING;
    switch (node.type) {
      case "command_substitution":
        if (flow.fetched) return FETCHED;
        return flow.text?.replace(/\n+$/, "") ?? UNKNOWN;
      case "process_substitution":
        return flow.fetched ? FETCHED : UNKNOWN;
      case "simple_expansion":
      case "expansion":
        return variableValue(text, state);
      default:
        return UNKNOWN;
    }
  }

  /** What the redirections give to read; undefined when they give nothing. */
  #inputOf(
    redirects: readonly Redirect[],
    source: Source,
    state: ShellState,
    depth: number,
    valueOf: (hole: Hole) => string,
  ): Flow | undefined {
    let flow: Flow | undefined;
    for (const { start, descriptor, operator, target } of redirects) {
      const document = source.documents.find((one) => one.operator === start + descriptor.length);
      if (document) {
        flow = { fetched: false, text: document.body };
        if (document.expands) this.#readText(document.body, state, depth);
      } else if (operator.startsWith("<") && target) {
        const text = expandToText(target, valueOf);
        flow = { fetched: text.includes(FETCHED), ...(operator === "<<<" && { text }) };
      }
    }
    return flow;
  }

  /** Walks the substitutions in the text of a here-document. */
  #readText(body: string, state: ShellState, depth: number): void {
    if (/[$`]/.test(body)) this.#readScript(`: "${body.replaceAll('"', '\\"')}"`, state, depth);
  }

  /** Judges where output goes, and answers the files that it replaces. */
  #redirect(
    redirects: readonly Redirect[],
    state: ShellState,
    valueOf: (hole: Hole) => string,
  ): string[] {
    const overwrites: string[] = [];
    for (const { operator, target } of redirects) {
      if (!target) continue;
      const path = expandToText(target, valueOf);
      if (!operator.includes(">") || /^(?:\d+-?|-)$/.test(path)) continue;
      const denial = redirectDenial(path, state.cwd);
      if (denial) this.#deny(denial);
      if (!operator.includes(">>") && !path.startsWith("/dev/")) overwrites.push(path);
    }
    return overwrites;
  }

  /** Sets the variables that the command sets, and answers its other words. */
  #assign(
    command: Command,
    source: Source,
    state: ShellState,
    valueOf: (hole: Hole) => string,
  ): string[] {
    const sets = (word: Word) => isAssignment(source.text.slice(word.start, word.end));
    const first = command.words.findIndex((word) => !sets(word));
    const count = first < 0 ? command.words.length : first;
    for (const word of command.words.slice(0, count)) {
      setVariable(expandToText(word, valueOf), state);
    }
    const words = command.words.slice(count).flatMap((word) => expandWord(word, valueOf));
    declareVariables(words, state);
    return words;
  }

  /** Records and judges one command and what it runs in turn. */
  #run(
    words: readonly string[],
    state: ShellState,
    input: Flow,
    depth: number,
    overwritten: readonly string[] = [],
  ): Flow {
    if (depth > MAX_DEPTH || this.commands.length >= MAX_COMMANDS) return NOTHING;
    const { command, script } = normalizeWords(words);
    const [program = "", ...args] = command;
    this.#record(command, overwritten);
    const denial = denialOf(command, state.cwd);
    if (denial) this.#deny(denial);
    if ((input.fetched && runsInput(command)) || runsFetchedArgument(command)) {
      this.#deny(FETCHED_SCRIPT);
    }
    if (program === "cd") state.cwd = folderAfter(args, state.cwd);
    if (script !== undefined) this.#readScript(script, state, depth);
    const inner = this.#runInner(command, state, input, depth);
    this.#call(program, args, state, input, depth);
    const fetched = input.fetched || inner || isDownloader(program) ||
      words.some((word) => word.includes(FETCHED));
    return { fetched, ...textOf(program, args, input.text) };
  }

  #record(words: readonly string[], overwritten: readonly string[]): void {
    const [program = "", ...args] = words;
    const destructive = destructionOf(words);
    this.commands.push({
      program: program.includes(UNKNOWN) || program.includes(FETCHED) ? "" : shown(program),
      args: args.map(shown),
      ...(destructive !== undefined && { destructive }),
      overwrites: [...overwritesOf(words), ...overwritten].map(shown),
    });
  }

  /** Runs what a wrapper runs; true when its output comes from the network. */
  #runInner(words: readonly string[], state: ShellState, input: Flow, depth: number): boolean {
    let fetched = false;
    for (const inner of innerOf(words, input.text)) {
      const flow = inner.kind === "command"
        ? this.#run(inner.words, state, input, depth + 1)
        : this.#readScript(inner.text, state, depth, input);
      fetched ||= flow.fetched;
    }
    return fetched;
  }

  #call(program: string, args: readonly string[], state: ShellState, input: Flow, depth: number) {
    const called = this.#functions.get(program);
    if (called === undefined || depth >= MAX_DEPTH) return;
    const local = copyOf(state);
    args.forEach((arg, index) => local.variables.set(String(index + 1), arg));
    local.variables.set("@", args.join(" ")).set("*", args.join(" "));
    this.visit(called.body, called.source, local, input, depth + 1);
  }

  #readScript(text: string, state: ShellState, depth: number, input: Flow = NOTHING): Flow {
    if (depth >= MAX_DEPTH) return NOTHING;
    const lifted = liftHereDocuments(text);
    const tree = this.#parse(lifted);
    if (tree === undefined) return NOTHING;
    return this.visit(tree.root, lifted, copyOf(state), input, depth + 1);
  }

  #deny(denial: Denial): void {
    this.denial ??= denial;
  }
}

function copyOf({ variables, cwd }: ShellState): ShellState {
  return { variables: new Map(variables), cwd };
}
