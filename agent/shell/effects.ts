import { declareVariables, isAssignment, setVariable } from "./assignments.ts";
import type { CommandFact } from "./classification.ts";
import { type Denial, denialOf, FETCHED_SCRIPT, FORK_BOMB } from "./denials.ts";
import { destructionOf, overwritesOf } from "./destruction.ts";
import { functionName, isForkBomb } from "./fork_bomb.ts";
import { type HereDocument, liftHereDocuments } from "./here_documents.ts";
import { expansionsIn } from "./holes.ts";
import { folderAfter, isDownloader, normalizeWords, textOf } from "./known_words.ts";
import { readForLoop } from "./loops.ts";
import { outputOf } from "./redirect_effects.ts";
import type { Parse, SyntaxNode } from "./syntax.ts";
import {
  expandToText,
  expandWord,
  FETCHED,
  type HoleValue,
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
export interface Source {
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

/** What a command is seen in. */
interface Frame {
  readonly source: Source;
  readonly state: ShellState;
  readonly input: Flow;
  /** How many scripts, calls and substitutions it lies in. */
  readonly depth: number;
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
const MAX_ROUNDS = 32;

/** Walks the script under `root` and follows what it runs in turn. `cwd` is where it starts. */
export function effectsOf(root: SyntaxNode, source: Source, parse: Parse, cwd: string): Effects {
  const walker = new Walker(parse);
  walker.visit(root, { source, state: { variables: new Map(), cwd }, input: NOTHING, depth: 0 });
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
  visit(node: SyntaxNode, frame: Frame): Flow {
    if (this.commands.length >= MAX_COMMANDS || node.type === "ERROR") return NOTHING;
    switch (node.type) {
      case "command":
      case "redirected_statement":
      case "variable_assignment":
      case "declaration_command":
      case "unset_command":
        return this.#visitSimple(node, frame);
      case "pipeline":
        return this.#visitPipeline(node, frame);
      case "function_definition":
        return this.#visitFunction(node, frame);
      case "for_statement":
        return this.#visitLoop(node, frame);
      case "subshell":
        return this.#visitChildren(node, inSubshell(frame));
      default:
        return this.#visitChildren(node, frame);
    }
  }

  #visitChildren(node: SyntaxNode, frame: Frame): Flow {
    const flows = node.children
      .filter(({ children, type }) => children.length > 0 || type === "command")
      .map((child) => this.visit(child, frame));
    const [only] = flows;
    return flows.length === 1 && only ? only : { fetched: flows.some(({ fetched }) => fetched) };
  }

  #visitPipeline(node: SyntaxNode, frame: Frame): Flow {
    let flow = frame.input;
    for (const child of node.children) {
      if (child.type === "|" || child.type === "|&") continue;
      flow = this.visit(child, { ...inSubshell(frame), input: flow });
    }
    return flow;
  }

  #visitFunction(node: SyntaxNode, frame: Frame): Flow {
    const { source } = frame;
    if (isForkBomb(node, source.text)) this.#deny(FORK_BOMB);
    const body = node.children.at(-1);
    if (body) {
      this.#functions.set(functionName(node, source.text), { body, source });
      this.visit(body, inSubshell(frame));
    }
    return NOTHING;
  }

  #visitLoop(node: SyntaxNode, frame: Frame): Flow {
    const loop = readForLoop(node, frame.source.text);
    if (loop === undefined) return this.#visitChildren(node, frame);
    const valueOf = this.#holeValues(frame);
    const values = loop.words.flatMap((word) => expandWord(word, valueOf));
    let fetched = false;
    for (const value of values.slice(0, MAX_ROUNDS)) {
      frame.state.variables.set(loop.name, value);
      fetched = this.visit(loop.body, frame).fetched || fetched;
    }
    return { fetched };
  }

  #visitSimple(node: SyntaxNode, frame: Frame): Flow {
    const [nested] = node.children;
    const isCompound = node.type === "redirected_statement" && nested !== undefined &&
      nested.type !== "command" && !/redirect$/.test(nested.type);
    const start = isCompound ? nested.end : node.start;
    const holes = expansionsIn(node).filter((hole) => hole.start >= start);
    const command = readCommand(frame.source.text, start, node.end, holes);
    const valueOf = this.#holeValues(frame);
    const input = this.#inputOf(command.redirects, frame, valueOf) ?? frame.input;
    const { overwrites, denial } = outputOf(command.redirects, frame.state.cwd, valueOf);
    if (denial) this.#deny(denial);
    if (isCompound) return this.visit(nested, { ...frame, input });
    const words = this.#assign(command, frame, valueOf);
    if (words.length === 0 && overwrites.length === 0) return NOTHING;
    return this.#run(words, { ...frame, input }, overwrites);
  }

  /** Values of expansions; what a substitution runs is walked, once. */
  #holeValues(frame: Frame): HoleValue {
    const known = new Map<SyntaxNode, string>();
    return (hole) => {
      const value = known.get(hole.node) ?? this.#holeValue(hole, frame);
      known.set(hole.node, value);
      return value;
    };
  }

  #holeValue({ node, source }: Hole, frame: Frame): string {
    const inner = { ...inSubshell(frame), input: NOTHING, depth: frame.depth + 1 };
    const flow = frame.depth < MAX_DEPTH ? this.#visitChildren(node, inner) : NOTHING;
    switch (node.type) {
      case "command_substitution":
        return flow.fetched ? FETCHED : flow.text?.replace(/\n+$/, "") ?? UNKNOWN;
      case "process_substitution":
        return flow.fetched ? FETCHED : UNKNOWN;
      case "simple_expansion":
      case "expansion":
        return variableValue(source, frame.state);
      default:
        return UNKNOWN;
    }
  }

  /** What the redirections give to read; undefined when they give nothing. */
  #inputOf(redirects: readonly Redirect[], frame: Frame, valueOf: HoleValue): Flow | undefined {
    let flow: Flow | undefined;
    for (const { start, descriptor, operator, target } of redirects) {
      const document = frame.source.documents
        .find((one) => one.operator === start + descriptor.length);
      if (document) {
        flow = { fetched: false, text: document.body };
        if (document.expands) this.#readText(document.body, frame);
      } else if (operator.startsWith("<") && target) {
        const text = expandToText(target, valueOf);
        flow = { fetched: text.includes(FETCHED), ...(operator === "<<<" && { text }) };
      }
    }
    return flow;
  }

  /** Walks the substitutions in the text of a here-document. */
  #readText(body: string, frame: Frame): void {
    if (/[$`]/.test(body)) this.#readScript(`: "${body.replaceAll('"', '\\"')}"`, frame);
  }

  /** Sets the variables that the command sets, and answers its other words. */
  #assign(command: Command, { source, state }: Frame, valueOf: HoleValue): string[] {
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
  #run(words: readonly string[], frame: Frame, overwritten: readonly string[] = []): Flow {
    if (frame.depth > MAX_DEPTH || this.commands.length >= MAX_COMMANDS) return NOTHING;
    const { state, input } = frame;
    const { command, script } = normalizeWords(words);
    const [program = "", ...args] = command;
    this.#record(command, overwritten);
    const denial = denialOf(command, state.cwd);
    if (denial) this.#deny(denial);
    if ((input.fetched && runsInput(command)) || runsFetchedArgument(command)) {
      this.#deny(FETCHED_SCRIPT);
    }
    if (program === "cd") state.cwd = folderAfter(args, state.cwd);
    if (script !== undefined) this.#readScript(script, { ...frame, input: NOTHING });
    const inner = this.#runInner(command, frame);
    this.#call(program, args, frame);
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
  #runInner(words: readonly string[], frame: Frame): boolean {
    let fetched = false;
    for (const inner of innerOf(words, frame.input.text)) {
      const flow = inner.kind === "command"
        ? this.#run(inner.words, { ...frame, depth: frame.depth + 1 })
        : this.#readScript(inner.text, frame);
      fetched ||= flow.fetched;
    }
    return fetched;
  }

  #call(program: string, args: readonly string[], frame: Frame): void {
    const called = this.#functions.get(program);
    if (called === undefined || frame.depth >= MAX_DEPTH) return;
    const local = { ...inSubshell(frame), source: called.source, depth: frame.depth + 1 };
    args.forEach((arg, index) => local.state.variables.set(String(index + 1), arg));
    local.state.variables.set("@", args.join(" ")).set("*", args.join(" "));
    this.visit(called.body, local);
  }

  #readScript(text: string, frame: Frame): Flow {
    if (frame.depth >= MAX_DEPTH) return NOTHING;
    const source = liftHereDocuments(text);
    const tree = this.#parse(source);
    if (tree === undefined) return NOTHING;
    return this.visit(tree.root, { ...inSubshell(frame), source, depth: frame.depth + 1 });
  }

  #deny(denial: Denial): void {
    this.denial ??= denial;
  }
}

/** The same frame with a shell state of its own, whose changes stay in it. */
function inSubshell(frame: Frame): Frame {
  const { variables, cwd } = frame.state;
  return { ...frame, state: { variables: new Map(variables), cwd } };
}
