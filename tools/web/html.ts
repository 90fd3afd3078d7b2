import type { WebDocument } from "./document.ts";
import type { PageDocument, PageElement } from "./dom.ts";
import { absoluteLinks } from "./html_links.ts";
import { removeNoise } from "./html_noise.ts";
import { markdownOf } from "./html_markdown.ts";
import { parsePage, plainTextOf } from "./html_page.ts";
import { mainPartOf } from "./readability.ts";

/** A longer page is read so far, in characters: four megabytes take about three seconds. */
const MAX_HTML = 4_000_000;

/** Browsers nest no deeper either (HTML standard, 512); libraries run out of stack. */
const MAX_DEPTH = 512;

/** What is shorter is no article but what was left over of one, in characters. */
const MIN_ARTICLE = 200;

/** A readable part that leaves out more than this of the page's text is told of. */
const MIN_SHARE = 0.6;

/** A page as Markdown: its main part where one is found, else all of it. */
export function htmlDocument(html: string, url: string): WebDocument {
  const cut = html.length > MAX_HTML;
  const page = parsePage(cut ? html.slice(0, MAX_HTML) : html);
  const notes = cut ? [`only the first ${MAX_HTML} characters of the page's source were read`] : [];
  const title = titleOf(page);
  if (depthOf(page.body) > MAX_DEPTH) {
    return document(plainTextOf(page.body), { title }, [...notes, "nested too deep for Markdown"]);
  }
  absoluteLinks(page, url);
  removeNoise(page);
  const whole = textLength(page.body);
  // The copy is taken apart.
  const article = mainPartOf(page.cloneNode(true));
  const found = article && textLength(article.content);
  if (!article || found === undefined || found < MIN_ARTICLE) {
    return document(markdownOf(page.body), { title }, notes);
  }
  const part = found < whole * MIN_SHARE
    ? [`the main part alone, ${found} of ${whole} characters; raw=true shows the source`]
    : [];
  const facts = {
    title: oneLine(article.title) ?? title,
    byline: oneLine(article.byline),
    published: oneLine(article.publishedTime),
  };
  return document(markdownOf(article.content), facts, [...notes, ...part]);
}

function document(
  text: string,
  { title, byline, published }: {
    readonly title?: string | undefined;
    readonly byline?: string | undefined;
    readonly published?: string | undefined;
  },
  notes: string[],
): WebDocument {
  return {
    ok: true,
    kind: "html",
    ...(title && { title }),
    ...(byline && { byline }),
    ...(published && { published }),
    text: text.trim(),
    notes,
  };
}

function titleOf(page: PageDocument): string | undefined {
  const meta = page.querySelector('meta[property="og:title"]')?.getAttribute("content");
  const title = page.querySelector("title")?.textContent ?? meta;
  return oneLine(title);
}

function oneLine(text: string | null | undefined): string | undefined {
  return text?.replaceAll(/\s+/g, " ").trim() || undefined;
}

function textLength(element: PageElement): number {
  return (element.textContent ?? "").replaceAll(/\s+/g, " ").length;
}

function depthOf(root: PageElement): number {
  let deepest = 0;
  let level: PageElement[] = [root];
  for (; level.length > 0 && deepest <= MAX_DEPTH; deepest++) {
    level = level.flatMap((element) => [...element.children]);
  }
  return deepest;
}
