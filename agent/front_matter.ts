/** A Markdown file, the facts before its text apart. */
export interface FrontMatter {
  /** The mapping at the top; empty where there is none, or where it cannot be read. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** All that follows, line ends and all. */
  readonly body: string;
  /** What is wrong with the mapping, in half a sentence, and on which line of the file, from 1. */
  readonly problem?: { readonly line: number; readonly message: string };
}

/** The longest mapping that is read, in UTF-16 units: it is written by hand. */
const MAX_FACTS_CHARS = 64 * 1024;

/** `---` alone on the first line, and on a later one (or `...`, as YAML ends a document). */
const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/**
 * Reads Markdown that may begin with YAML between two `---` lines, as commands, skills and agents
 * are written. A byte order mark is dropped. A mapping that is not YAML because a value holds a
 * colon, the usual slip, is read as it was meant; for any other mistake `problem` says what it is,
 * and the body is there all the same.
 */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const opening = OPENING.exec(plain)?.[0];
  if (opening === undefined) return { facts: {}, body: plain };
  const rest = plain.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (closing === null) {
    return { facts: {}, body: plain, problem: { line: 1, message: "no second --- line ends it" } };
  }
  const body = rest.slice(closing.index + closing[0].length);
  return { ...await readFacts(rest.slice(0, closing.index)), body };
}

async function readFacts(source: string): Promise<Omit<FrontMatter, "body">> {
  if (source.length > MAX_FACTS_CHARS) {
    return { facts: {}, problem: { line: 2, message: "it is over 64 KB" } };
  }
  if (source.split("\n").every((line) => /^\s*(?:#.*)?$/.test(line))) return { facts: {} };
  // It weighs more than most runs need.
  const yaml = await import("js-yaml");
  const first = attempt(source);
  if (first.problem === undefined) return first;
  const second = attempt(withQuotedValues(source));
  return second.problem === undefined ? second : first;

  function attempt(from: string): Omit<FrontMatter, "body"> {
    try {
      return factsOf(yaml.load(from, { schema: yaml.CORE_SCHEMA }));
    } catch (error) {
      if (!(error instanceof yaml.YAMLException)) throw error;
      // Its lines count from 0, and the file has one line before them.
      const line = (error.mark?.line ?? 0) + 2;
      return { facts: {}, problem: { line, message: error.reason } };
    }
  }
}

function factsOf(value: unknown): Omit<FrontMatter, "body"> {
  if (value === undefined || value === null) return { facts: {} };
  if (typeof value === "object" && !Array.isArray(value)) return { facts: { ...value } };
  return { facts: {}, problem: { line: 2, message: "it is no mapping of names to values" } };
}

/** `name: some text: more` with its value in quotes; other lines as they are. */
function withQuotedValues(source: string): string {
  return source.split("\n").map((line) => {
    const found = /^([\w-]+):[ \t]+([^\s"'[{>|&*!#].*?)[ \t\r]*$/.exec(line);
    const [, name, value] = found ?? [];
    return value?.includes(":") ? `${name}: '${value.replaceAll("'", "''")}'` : line;
  }).join("\n");
}
