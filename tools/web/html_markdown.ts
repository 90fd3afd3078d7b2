import type { PageElement } from "./dom.ts";
import { fenceFor } from "./fence.ts";
import { addTables, prepareTables } from "./html_tables.ts";
import { type MarkdownService, markdownService } from "./turndown.ts";

/** A page's element as Markdown: headings, lists, fenced code with its language, tables. */
export function markdownOf(element: PageElement): string {
  const service = markdownService();
  addCode(service);
  addTables(service);
  addItems(service);
  service.addRule("struck", { filter: ["del", "s"], replacement: (text) => `~~${text}~~` });
  service.addRule("raised", { filter: "sup", replacement: (text) => raised(text.trim()) });
  service.addRule("image", { filter: "img", replacement: (_, image) => imageText(image) });
  service.addRule("link without a target", {
    filter: (node) => node.nodeName === "A" && !node.getAttribute("href"),
    replacement: (text) => text,
  });
  prepareTables(element);
  return tidy(service.turndown(element));
}

/** Trailing blanks and runs of empty lines say nothing. */
function tidy(markdown: string): string {
  return markdown.replaceAll(/[ \t]+$/gm, "").replaceAll(/\n{3,}/g, "\n\n");
}

/** Items with one blank after their mark, as most people write them. */
function addItems(service: MarkdownService): void {
  /** The number of each list's next item. */
  const next = new WeakMap<PageElement, number>();
  service.addRule("item", {
    filter: "li",
    replacement(text, item) {
      const mark = markOf(item.parentElement);
      const lines = text.trim().replaceAll("\n", `\n${" ".repeat(mark.length)}`);
      return `${mark}${lines}\n`;
    },
  });
  function markOf(list: PageElement | null): string {
    if (list?.nodeName !== "OL") return "- ";
    const number = next.get(list) ?? (Number(list.getAttribute("start") ?? 1) || 1);
    next.set(list, number + 1);
    return `${number}. `;
  }
}

/** An exponent keeps its mark, without which 10⁶ is 106; ends of words and links to notes need none. */
function raised(text: string): string {
  if (text === "" || text.startsWith("[") || /^(?:st|nd|rd|th|tm|®|™)$/i.test(text)) return text;
  return /^[\p{L}\d+−-]+$/u.test(text) ? `^${text}` : `^(${text})`;
}

function imageText(image: PageElement): string {
  const alt = (image.getAttribute("alt") ?? "").replaceAll(/\s+/g, " ").trim();
  const source = image.getAttribute("src");
  return source ? `![${alt}](${source})` : alt;
}

function addCode(service: MarkdownService): void {
  service.addRule("code block", {
    filter: "pre",
    replacement(_, block) {
      const text = codeText(block).replace(/^\n/, "").trimEnd();
      const fence = fenceFor(text);
      return `\n\n${fence}${languageOf(block)}\n${text}\n${fence}\n\n`;
    },
  });
}

/** The text of code; some pages break its lines by elements alone. */
function codeText(block: PageElement): string {
  for (const br of [...block.querySelectorAll("br")]) br.replaceWith("\n");
  return block.textContent ?? "";
}

/** From `language-js` (HTML standard), `highlight-source-js` (GitHub), `sourceCode js` and the like. */
function languageOf(block: PageElement): string {
  const around = block.parentElement;
  for (const place of [block.querySelector("code"), block, around, around?.parentElement]) {
    const named = place?.getAttribute("data-lang") ?? place?.getAttribute("data-language");
    const found = named ?? CLASS.exec(place?.getAttribute("class") ?? "")?.[1];
    if (found && /^[\w+#.-]{1,30}$/.test(found)) return found.toLowerCase();
  }
  return "";
}

const CLASS = /(?:^|\s)(?:lang(?:uage)?-|highlight-source-|brush:\s*|sourceCode\s+)([\w+#.-]+)/;
