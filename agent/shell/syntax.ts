import type { Parser, TreeCursor } from "web-tree-sitter";
import { type Chunk, chunksOf } from "./chunks.ts";
import type { Lifted } from "./here_documents.ts";
import { withOwnRedirects } from "./redirected.ts";

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
export type Parse = (script: Lifted) => SyntaxTree | undefined;

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

function parseWith(parser: Parser, script: Lifted): SyntaxTree | undefined {
  return parseChunks(parser, script) ??
    parseChunk(parser, script.text, { start: 0, end: script.text.length });
}

/** The tree of a script that parses part by part; undefined when a part does not. */
function parseChunks(parser: Parser, script: Lifted): SyntaxTree | undefined {
  const children: SyntaxNode[] = [];
  for (const chunk of chunksOf(script)) {
    const tree = parseChunk(parser, script.text, chunk);
    if (tree === undefined || tree.broken) return undefined;
    children.push(...tree.root.children);
  }
  const root = { type: "program", start: 0, end: script.text.length, children };
  return { root, broken: false };
}

function parseChunk(parser: Parser, text: string, chunk: Chunk): SyntaxTree | undefined {
  const deadline = performance.now() + MAX_PARSE_MS;
  const part = text.slice(chunk.start, chunk.end);
  const tree = parser.parse(part, null, {
    progressCallback: () => performance.now() > deadline,
  });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  const cursor = tree.walk();
  try {
    const broken = tree.rootNode.hasError;
    const root = copy(cursor, { text, offset: chunk.start, broken }, 0);
    return root && { root, broken };
  } finally {
    cursor.delete();
    tree.delete();
  }
}

/** What a copied node needs to know of the whole script. */
interface Origin {
  readonly text: string;
  readonly offset: number;
  readonly broken: boolean;
}

/** Copies the subtree under `cursor` out of the wasm memory, where each look costs a call. */
function copy(cursor: TreeCursor, origin: Origin, depth: number): SyntaxNode | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const type = cursor.nodeType;
  const start = cursor.startIndex + origin.offset;
  const end = cursor.endIndex + origin.offset;
  const children: SyntaxNode[] = [];
  if (!isLeaf(type, start, end, origin) && cursor.gotoFirstChild()) {
    do {
      const child = copy(cursor, origin, depth + 1);
      if (child === undefined) return undefined;
      children.push(child);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return withOwnRedirects({ type, start, end, children });
}

/** Whether nothing below can matter: words are read from the text, only expansions are not. */
function isLeaf(type: string, start: number, end: number, { text, broken }: Origin): boolean {
  if (type === "word" || type === "raw_string" || type === "comment") return true;
  return type === "command" && !broken && !/[$`(]/.test(text.slice(start, end));
}
