import { DOMParser, parseHTML } from "linkedom/worker";
import type { PageDocument, PageElement, PageNode } from "./dom.ts";

/** Tags that only say where a page, its head and its body begin and end, and its document type. */
const FRAME_TAG = /<(?:\/?(?:html|head|body)(?=[\s/>])|!doctype\b)[^<>]*>/gi;

/**
 * Parses a page, however broken. The parser moves nothing to its place as browsers do: a page that is
 * not a head and a body, with nothing around them, is all put into one body.
 */
export function parsePage(html: string): PageDocument {
  const page = documentOf(html);
  if (isWellFramed(page)) return page;
  const content = html.replaceAll(FRAME_TAG, "");
  return documentOf(`<!doctype html><html><head></head><body>${content}</body></html>`);
}

function isWellFramed(page: PageDocument): boolean {
  const root = page.documentElement;
  if (root?.localName !== "html" || framedBy(page).join() !== "html") return false;
  return /^(?:head,)?body$/.test(framedBy(root).join());
}

/** The names of what stands directly in a node, but for blanks and comments. */
function framedBy({ childNodes }: { readonly childNodes: Iterable<PageNode> }): string[] {
  return [...childNodes].flatMap(({ nodeType, nodeName, textContent }) => {
    const blank = nodeType === TEXT_NODE && (textContent ?? "").trim() === "";
    return blank || nodeType === COMMENT_NODE || nodeType === DOCTYPE_NODE
      ? []
      : [nodeName.toLowerCase()];
  });
}

function documentOf(html: string): PageDocument {
  // A cast: linkedom declares the window of a browser, of which Deno has no types.
  return (parseHTML(html) as unknown as { readonly document: PageDocument }).document;
}

/** The root of an XML document, however broken; undefined where there is none. */
export function parseXml(text: string): PageElement | undefined {
  const parsed = new DOMParser().parseFromString(text, "text/xml");
  // A cast: as for a page.
  return (parsed as unknown as PageDocument).documentElement ?? undefined;
}

/** Markup as text on one line. */
export function plainText(markup: string): string {
  return oneLine(/[<&]/.test(markup) ? plainTextOf(parsePage(markup).body) : markup);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

const BLOCK =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)$/;
const SILENT = /^(?:script|style|noscript|template|svg|title)$/;

/** The text of an element with a line for each block; it takes any depth. */
export function plainTextOf(root: PageElement): string {
  const parts: string[] = [];
  const stack: PageNode[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeType === TEXT_NODE) {
      parts.push((node.textContent ?? "").replaceAll(/\s+/g, " "));
      continue;
    }
    const name = node.nodeName.toLowerCase();
    if (SILENT.test(name)) continue;
    if (BLOCK.test(name)) parts.push("\n");
    const children = [...node.childNodes];
    for (const child of children.reverse()) stack.push(child);
  }
  return parts.join("").replaceAll(/[ \t]*\n[ \t\n]*/g, "\n").trim();
}

const TEXT_NODE = 3;
const COMMENT_NODE = 8;
const DOCTYPE_NODE = 10;
