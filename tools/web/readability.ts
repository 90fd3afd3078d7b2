import { Readability } from "@mozilla/readability";
import type { PageDocument, PageElement } from "./dom.ts";

/** The main part of a page, as Firefox's reader view finds it. */
export interface Article {
  readonly content: PageElement;
  readonly title?: string | null;
  readonly byline?: string | null;
  readonly publishedTime?: string | null;
}

/** A cast: its types are those of a browser's documents, which Deno has or has not. */
const Finder = Readability as unknown as new (
  page: PageDocument,
  options: { readonly keepClasses: boolean; serializer(node: PageElement): PageElement },
) => { parse(): Article | null };

/** Finds the main part of a page; undefined where there is none. The page is taken apart. */
export function mainPartOf(page: PageDocument): Article | undefined {
  try {
    // The language of code is told by a class.
    const finder = new Finder(page, { keepClasses: true, serializer: (node) => node });
    const article = finder.parse();
    return article?.content ? article : undefined;
  } catch (error) {
    // So it ends where a page is odd in a way that its authors never met.
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}
