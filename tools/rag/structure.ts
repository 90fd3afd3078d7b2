/** Where parts of a text begin, told by its lines alone: by headings, keywords and indentation. */

/** The beginning of a part. */
export interface Section {
  /** Index of its first line, from 0; comments right above a definition belong to it. */
  readonly line: number;
  /** What it is called: a trail of headings, or the line of a definition. */
  readonly title: string;
}

/** What kind of text a file holds, by its name. */
export type TextKind = "code" | "docs" | "data";

const DOCS = "md markdown mdx rst adoc asciidoc org txt tex typ textile wiki html htm".split(" ");

const DATA =
  "json jsonl ndjson jsonc json5 yaml yml toml ini cfg conf csv tsv xml svg properties env lock plist proto po"
    .split(" ");

/** The kind of text behind a path. */
export function textKind(path: string): TextKind {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = extensionOf(path);
  if (DOCS.includes(extension) || /^(readme|license|changelog|authors)\b/i.test(name)) {
    return "docs";
  }
  return DATA.includes(extension) ? "data" : "code";
}

/** How a definition begins in a family of languages; at most a level of indentation before it. */
const DEFINITIONS: readonly (readonly [extensions: string, begins: RegExp])[] = [
  [
    "ts tsx mts cts js jsx mjs cjs vue svelte",
    /^(?:export\s+|default\s+|declare\s+|abstract\s+|async\s+)*(?:function|class|interface|type|enum|namespace|const|let|var)\b/,
  ],
  ["py pyi", /^(?: {4}|\t)?(?:async\s+)?(?:def|class)\s/],
  ["go", /^(?:func|type|var|const)\b/],
  [
    "rs",
    /^(?: {4})?(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|extern(?: "[^"]*")?)\s+)*(?:fn|struct|enum|union|impl|trait|mod|macro_rules!)/,
  ],
  ["rb", /^ {0,2}(?:def|class|module)\s/],
  [
    "java kt kts cs scala swift dart groovy",
    /^(?: {2,4}|\t)?(?:(?:public|private|protected|internal|static|final|abstract|override|open|data|sealed|async|virtual|suspend)\s+)*(?:class|interface|enum|record|struct|object|trait|protocol|extension|fun|func|def|(?:[\w<>\[\],.?]+\s+)+\w+\s*\()/,
  ],
  [
    "c h cc cpp cxx hpp hh m mm cu",
    /^(?:(?:class|struct|enum|union|namespace|template|typedef)\b|[A-Za-z_][\w\s*&:<>,~]*\([^;]*$)/,
  ],
  [
    "php",
    /^(?: {4}|\t)?(?:(?:public|private|protected|static|final|abstract)\s+)*(?:function|class|interface|trait|enum)\s/,
  ],
  ["sh bash zsh fish", /^(?:function\s+[\w:-]+|[\w:-]+\s*\(\)\s*\{?)/],
  ["lua", /^(?:local\s+)?function\b/],
  ["ex exs", /^ {0,2}(?:def|defp|defmodule|defmacro)\s/],
  ["sql", /^(?:create|alter|insert|with|select)\b/i],
  ["hs ml mli elm fs", /^(?:[a-z_][\w']*\s+::|let\s|module\s|type\s|data\s|class\s|instance\s)/],
  ["css scss less", /^[^\s}@/][^;]*\{|^@\w+/],
  ["yaml yml", /^[\w"'.-]+:/],
  ["toml ini cfg conf", /^\[/],
];

const BY_EXTENSION: ReadonlyMap<string, RegExp> = new Map(
  DEFINITIONS.flatMap(([extensions, begins]) =>
    extensions.split(" ").map((extension) => [extension, begins] as const)
  ),
);

/** A line that says something about the definition below it. */
const ABOVE = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|endif)|@|--|;;|"""|\[[\w(])/;

/** The parts of a text; without any rule for its language those that begin after an empty line. */
export function sectionsOf(lines: readonly string[], path: string): Section[] {
  const extension = extensionOf(path);
  if (["md", "markdown", "mdx"].includes(extension)) return headings(lines, markdownHeading());
  if (["adoc", "asciidoc"].includes(extension)) return headings(lines, signHeading("="));
  if (extension === "org") return headings(lines, signHeading("*"));
  const begins = BY_EXTENSION.get(extension);
  return begins ? definitions(lines, begins) : paragraphs(lines);
}

interface Heading {
  /** From 1, the highest. */
  readonly level: number;
  readonly text: string;
}

/** Reads one line after the other; undefined for what is no heading. */
type ReadHeading = (line: string) => Heading | undefined;

function headings(lines: readonly string[], read: ReadHeading): Section[] {
  const trail: Heading[] = [];
  return lines.flatMap((text, line) => {
    const heading = read(text);
    if (!heading) return [];
    while ((trail.at(-1)?.level ?? 0) >= heading.level) trail.pop();
    trail.push(heading);
    return [{ line, title: titled(trail.map((one) => one.text).join(" > ")) }];
  });
}

/** What stands in a fence is code. */
function markdownHeading(): ReadHeading {
  let fence: string | undefined;
  return (line) => {
    const [, sign] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (sign !== undefined) {
      if (fence === undefined) fence = sign;
      else if (sign.startsWith(fence)) fence = undefined;
      return undefined;
    }
    const [, signs, text] = fence === undefined ? /^(#{1,6})\s+(.+)/.exec(line) ?? [] : [];
    return signs !== undefined && text !== undefined
      ? { level: signs.length, text: text.replace(/\s#+\s*$/, "").trim() }
      : undefined;
  };
}

function signHeading(sign: "=" | "*"): ReadHeading {
  const heading = new RegExp(`^(\\${sign}{1,6})\\s+(.+)`);
  return (line) => {
    const [, signs, text] = heading.exec(line) ?? [];
    return signs !== undefined && text !== undefined ? { level: signs.length, text } : undefined;
  };
}

function definitions(lines: readonly string[], begins: RegExp): Section[] {
  let free = 0;
  return lines.flatMap((text, index) => {
    if (!begins.test(text)) return [];
    let line = index;
    while (line > free && ABOVE.test(lines[line - 1] ?? "")) line--;
    free = index + 1;
    return [{ line, title: titled(text.trim()) }];
  });
}

function paragraphs(lines: readonly string[]): Section[] {
  return lines.flatMap((text, line) =>
    /^\S/.test(text) && (lines[line - 1] ?? "").trim() === "" ? [{ line, title: "" }] : []
  );
}

/** Titles are cut to so many UTF-16 units. */
const MAX_TITLE = 120;

function titled(text: string): string {
  return text.length <= MAX_TITLE ? text : `${text.slice(0, MAX_TITLE).toWellFormed()}…`;
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
