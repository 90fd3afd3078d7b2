import type { PageDocument, PageElement } from "./dom.ts";

/** Schemes of links that lead somewhere; `javascript:` and `data:` lead nowhere. */
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Makes every link and picture of a page absolute; links that lead nowhere become their text. */
export function absoluteLinks(page: PageDocument, url: string): void {
  const base = baseOf(page, url);
  for (const link of page.querySelectorAll("a[href]")) resolve(link, "href", base, url);
  for (const image of page.querySelectorAll("img")) {
    const lazy = image.getAttribute("data-src");
    // A picture that is loaded late has a small one in its place until then.
    if (lazy && !/^(?:https?:|\/)/.test(image.getAttribute("src") ?? "")) {
      image.setAttribute("src", lazy);
    }
    resolve(image, "src", base, url);
    if (!image.hasAttribute("src")) image.remove();
  }
}

function baseOf(page: PageDocument, url: string): string {
  const base = page.querySelector("base[href]")?.getAttribute("href");
  return (base ? URL.parse(base, url)?.href : undefined) ?? url;
}

function resolve(element: PageElement, attribute: string, base: string, page: string): void {
  const value = element.getAttribute(attribute) ?? "";
  // A place in this page, whatever its base says.
  const target = URL.parse(value, value.startsWith("#") ? page : base);
  if (target && SCHEMES.has(target.protocol)) element.setAttribute(attribute, target.href);
  else element.removeAttribute(attribute);
}
