import TurndownService from "turndown";
import type { PageElement, PageNode } from "./dom.ts";

/** A rule for some elements (turndown's own interface; the package has no types). */
export interface MarkdownRule {
  readonly filter: string | readonly string[] | ((node: PageElement) => boolean);
  /** `text` is what its children became. */
  replacement(text: string, node: PageElement): string;
}

/** What makes Markdown of elements. */
export interface MarkdownService {
  addRule(name: string, rule: MarkdownRule): void;
  turndown(element: PageElement): string;
  /** Puts backslashes before what Markdown would take for its own. */
  escape(text: string): string;
}

interface MarkdownOptions {
  readonly headingStyle: "atx";
  readonly hr: string;
  readonly bulletListMarker: string;
  readonly codeBlockStyle: "fenced";
  readonly emDelimiter: string;
  blankReplacement(text: string, node: PageNode & { readonly isBlock?: boolean }): string;
}

/** A cast: the package has no types, and these are what it documents. */
const Service = TurndownService as unknown as new (options: MarkdownOptions) => MarkdownService;

/** Turndown as we have it everywhere: ATX headings, dashes, fences; tables and code need rules. */
export function markdownService(): MarkdownService {
  const service = new Service({
    headingStyle: "atx",
    hr: "---",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
    blankReplacement: (_, { isBlock }) => isBlock ? "\n\n" : "",
  });
  // For a reader of text: with backslashes, names as `snake_case` would not be found again.
  service.escape = (text) => text;
  return service;
}
