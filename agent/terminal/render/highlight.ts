import type { HLJSApi, LanguageFn } from "highlight.js";
import type { Paint, Style } from "../style.ts";

/** Colours code; the lines, or undefined where the language is unknown or nothing is coloured. */
export type Highlight = (code: string, language: string) => string[] | undefined;

/** Code longer than this is shown without colours, in characters: nobody waits for them. */
const MAX_CODE_CHARS = 50_000;

type LanguageModule = { readonly default: LanguageFn };

/** The languages that are coloured, with the names that answers call them by. */
const LANGUAGES: readonly (readonly [names: string, load: () => Promise<LanguageModule>])[] = [
  ["typescript ts tsx mts cts", () => import("highlight.js/lib/languages/typescript")],
  ["javascript js jsx mjs cjs", () => import("highlight.js/lib/languages/javascript")],
  ["json jsonc json5", () => import("highlight.js/lib/languages/json")],
  ["python py python3", () => import("highlight.js/lib/languages/python")],
  ["bash sh shell zsh", () => import("highlight.js/lib/languages/bash")],
  ["console shell-session sh-session", () => import("highlight.js/lib/languages/shell")],
  ["rust rs", () => import("highlight.js/lib/languages/rust")],
  ["go golang", () => import("highlight.js/lib/languages/go")],
  ["java", () => import("highlight.js/lib/languages/java")],
  ["c h", () => import("highlight.js/lib/languages/c")],
  ["cpp c++ cc cxx hpp", () => import("highlight.js/lib/languages/cpp")],
  ["csharp cs c#", () => import("highlight.js/lib/languages/csharp")],
  ["ruby rb", () => import("highlight.js/lib/languages/ruby")],
  ["php", () => import("highlight.js/lib/languages/php")],
  ["css scss less", () => import("highlight.js/lib/languages/css")],
  ["html xml svg vue", () => import("highlight.js/lib/languages/xml")],
  ["sql", () => import("highlight.js/lib/languages/sql")],
  ["yaml yml", () => import("highlight.js/lib/languages/yaml")],
  ["toml ini", () => import("highlight.js/lib/languages/ini")],
  ["diff patch", () => import("highlight.js/lib/languages/diff")],
  ["dockerfile docker", () => import("highlight.js/lib/languages/dockerfile")],
  ["makefile make mk", () => import("highlight.js/lib/languages/makefile")],
];

/** Loads what colours code in `style`. */
export async function loadHighlight(style: Style): Promise<Highlight> {
  const { default: core } = await import("highlight.js/lib/core");
  const highlighter = core.newInstance();
  await Promise.all(LANGUAGES.map(async ([names, load]) => {
    const [name = "", ...aliases] = names.split(" ");
    highlighter.registerLanguage(name, (await load()).default);
    highlighter.registerAliases(aliases, { languageName: name });
  }));
  return (code, language) => highlightWith(highlighter, style, code, language);
}

function highlightWith(
  highlighter: HLJSApi,
  style: Style,
  code: string,
  language: string,
): string[] | undefined {
  if (style.plain || code.length > MAX_CODE_CHARS) return undefined;
  if (!highlighter.getLanguage(language)) return undefined;
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true });
  return paintHtml(value, style);
}

/** What highlight.js writes is its documented HTML: spans with classes, and five characters escaped. */
function paintHtml(html: string, style: Style): string[] {
  const open: (Paint | undefined)[] = [];
  let text = "";
  for (const [, scope, closing, plain] of html.matchAll(TOKEN)) {
    if (scope !== undefined) open.push(paintOf(scope, style) ?? open.at(-1));
    else if (closing !== undefined) open.pop();
    else text += paintEachLine(unescapeHtml(plain ?? ""), open.at(-1));
  }
  return text.split("\n");
}

const TOKEN = /<span class="([^"]*)">|(<\/span>)|([^<]+)/g;

/** A line is whole in itself: no colour goes on to the next one. */
function paintEachLine(text: string, paint: Paint | undefined): string {
  if (paint === undefined) return text;
  return text.split("\n").map((line) => line === "" ? line : paint(line)).join("\n");
}

function paintOf(classes: string, style: Style): Paint | undefined {
  switch (/^hljs-([a-z-]+)/.exec(classes)?.[1]) {
    case "comment":
    case "quote":
    case "meta":
      return style.dim;
    case "keyword":
    case "selector-tag":
    case "tag":
    case "name":
    case "section":
      return style.blue;
    case "string":
    case "regexp":
    case "symbol":
    case "addition":
      return style.green;
    case "number":
    case "literal":
    case "built_in":
    case "type":
      return style.yellow;
    case "title":
    case "attr":
    case "attribute":
      return style.magenta;
    case "deletion":
      return style.red;
    default:
      return undefined;
  }
}

const ESCAPED: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

function unescapeHtml(html: string): string {
  return html.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ESCAPED[entity] ?? entity);
}
