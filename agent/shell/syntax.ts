import type { Parser, TreeCursor } from "web-tree-sitter";

/** A node of a script's syntax tree; offsets are string indices into the parsed text. */
export interface SyntaxNode {
  /** The grammar's name for it; for a token its text. `ERROR` where the text did not parse. */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

/** A parsed script. */
export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** Whether anything is wrong or missing anywhere. */
  readonly broken: boolean;
}

/** Turns a script into its tree; undefined when it is nested too deep or takes too long. */
export type Parse = (script: string) => SyntaxTree | undefined;

/** Deepest tree that is looked at, in nodes; real scripts stay under 60. */
const MAX_DEPTH = 250;

/** Longest time for one parse, in milliseconds; error recovery on hostile text can explode. */
const MAX_PARSE_MS = 500;

/**
 * Loads the parser and the bash grammar, about 1.5 MB of wasm that is part of the program: no file
 * is read and no permission is needed, from source and bundled.
 */
export async function loadParse(): Promise<Parse> {
  const [{ Parser, Language }, { default: core }, { default: grammar }] = await Promise.all([
    import("web-tree-sitter"),
    import("web-tree-sitter/web-tree-sitter.wasm", { with: { type: "bytes" } }),
    import("tree-sitter-bash/tree-sitter-bash.wasm", { with: { type: "bytes" } }),
  ]);
  await Parser.init({ wasmBinary: core });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (script) => parseWith(parser, script);
}

function parseWith(parser: Parser, script: string): SyntaxTree | undefined {
  const deadline = performance.now() + MAX_PARSE_MS;
  const tree = parser.parse(script, null, {
    progressCallback: () => performance.now() > deadline,
  });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  try {
    const broken = tree.rootNode.hasError;
    const cursor = tree.walk();
    const root = copy(cursor, script, broken, 0);
    cursor.delete();
    return root && { root, broken };
  } finally {
    tree.delete();
  }
}

/** Copies the subtree under `cursor` out of the wasm memory, where each look costs a call. */
function copy(
  cursor: TreeCursor,
  script: string,
  broken: boolean,
  depth: number,
): SyntaxNode | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const type = cursor.nodeType;
  const start = cursor.startIndex;
  const end = cursor.endIndex;
  const children: SyntaxNode[] = [];
  if (!isLeaf(type, script, start, end, broken) && cursor.gotoFirstChild()) {
    do {
      const child = copy(cursor, script, broken, depth + 1);
      if (child === undefined) return undefined;
      children.push(child);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return { type, start, end, children };
}

/** Whether nothing below can matter: words are read from the text, only expansions are not. */
function isLeaf(type: string, script: string, start: number, end: number, broken: boolean) {
  if (type === "word" || type === "raw_string" || type === "comment") return true;
  return type === "command" && !broken && !/[$`(]/.test(script.slice(start, end));
}
