import { parsePage } from "./html_page.ts";

/** The hits of DuckDuckGo's page without scripts, advertisements apart, as JSON. */
export function duckduckgoHits(html: string, url: string): string {
  const hits = [...parsePage(html).querySelectorAll(".result:not(.result--ad)")].flatMap((hit) => {
    const link = hit.querySelector("a.result__a");
    const target = targetOf(link?.getAttribute("href") ?? "", url);
    const snippet = hit.querySelector(".result__snippet")?.textContent ?? "";
    if (target === undefined) return [];
    return [{ title: oneLine(link?.textContent ?? ""), url: target, snippet: oneLine(snippet) }];
  });
  return JSON.stringify(hits);
}

/** Links lead over a page of its own, which names their target. */
function targetOf(href: string, base: string): string | undefined {
  const link = href === "" ? null : URL.parse(href, base);
  return link?.searchParams.get("uddg") ?? link?.href;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
