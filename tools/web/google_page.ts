import type { PageDocument, PageElement } from "./dom.ts";
import { parsePage, plainTextOf } from "./html_page.ts";

/** What Google answers a search with. */
type GooglePage =
  | { readonly kind: "hits"; readonly hits: readonly Hit[] }
  /** It takes the asker for a robot, or wants its cookies agreed to; `other`: no page of hits. */
  | { readonly kind: "captcha" | "consent" | "other" };

interface Hit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** The hits of Google's page, advertisements and its own links apart, or what it is instead; as JSON. */
export function googleHits(html: string, url: string): string {
  return JSON.stringify(readPage(parsePage(html), url));
}

/** Hits below a question about cookies are hits all the same, so they are looked for first. */
function readPage(page: PageDocument, url: string): GooglePage {
  const hits = hitsOf(page, url);
  if (hits.length > 0) return { kind: "hits", hits };
  const at = URL.parse(url);
  if (at?.pathname.startsWith("/sorry/") || page.querySelector(CAPTCHA)) return { kind: "captcha" };
  if (at?.hostname.startsWith("consent.") || page.querySelector(CONSENT)) {
    return { kind: "consent" };
  }
  return page.querySelector(SEARCH_FIELD) ? { kind: "hits", hits } : { kind: "other" };
}

const CAPTCHA = 'form#captcha-form, .g-recaptcha, iframe[src*="/recaptcha/"]';
const CONSENT = 'form[action*="//consent."]';
const SEARCH_FIELD = 'input[name="q"]:not([type="hidden"]), textarea[name="q"]';

/** Names of classes change by the week; that a hit is a heading within a link has stayed. */
const HEADING = "a[href] h3";

const AD = '#tads, #tadsb, #bottomads, [data-text-ad], [aria-label="Ads"]';

/** Pages of it have some ten. */
const MAX_HITS = 50;

function hitsOf(page: PageDocument, url: string): Hit[] {
  const hits = new Map<string, Hit>();
  for (const heading of page.querySelectorAll(HEADING)) {
    if (hits.size >= MAX_HITS) break;
    const link = heading.closest("a");
    const target = targetOf(link?.getAttribute("href") ?? "", url);
    if (!link || target === undefined || hits.has(target) || heading.closest(AD)) continue;
    const title = oneLine(heading.textContent ?? "");
    if (title !== "") hits.set(target, { title, url: target, snippet: snippetOf(link) });
  }
  return [...hits.values()];
}

/** Where a link leads outside of Google's search; some lead over a page that names their target. */
function targetOf(href: string, base: string): string | undefined {
  const link = URL.parse(href, base);
  if (!link || !isOwn(link, base)) return webAddress(link);
  if (link.pathname !== "/url") return undefined;
  const target = URL.parse(link.searchParams.get("q") ?? link.searchParams.get("url") ?? "");
  return target && !isOwn(target, base) ? webAddress(target) : undefined;
}

function webAddress(url: URL | null): string | undefined {
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  // It marks the words that were found, in browsers alone.
  return url.href.replace(/#?:~:.*$/, "");
}

/** The search and its advertisements; pages as docs.google.com can be hits. */
const OWN_HOST =
  /^(?:(?:www|maps|images|news|accounts|consent|policies)\.)?google\.(?:[a-z]{2,3}\.)?[a-z]{2,3}$/;
const AD_HOST = /(?:^|\.)(?:googleadservices\.com|doubleclick\.net)$/;

function isOwn({ host, hostname }: URL, base: string): boolean {
  return host === URL.parse(base)?.host || OWN_HOST.test(hostname) || AD_HOST.test(hostname);
}

/** How far up from its link the block of a hit reaches at the most. */
const MAX_LEVELS = 8;

/** A text is cut to as many lines by this; nothing else of a hit is. */
const CLAMPED = '[style*="-webkit-line-clamp"]';

/** What stands in the block of a hit beside its link: the text that is cut to some lines, else all. */
function snippetOf(link: PageElement): string {
  const block = blockOf(link);
  const beside = [...block.querySelectorAll(CLAMPED)].find((part) => !part.querySelector("h3"));
  if (beside && !beside.closest("a[href]")) return oneLine(plainTextOf(beside));
  const parts: string[] = [];
  for (let at = link; at !== block && at.parentElement; at = at.parentElement) {
    for (const other of at.parentElement.children) {
      if (other !== at && !IGNORED.test(other.localName)) parts.push(plainTextOf(other));
    }
  }
  return oneLine(parts.join(" "));
}

const IGNORED = /^(?:script|style|noscript|template|svg|h3)$/;

/** The largest element around a link that holds no other hit. */
function blockOf(link: PageElement): PageElement {
  let block = link;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = block.parentElement;
    if (!parent || /^(?:body|html)$/.test(parent.localName)) break;
    if ([...parent.querySelectorAll("h3")].length > 1) break;
    block = parent;
  }
  return block;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
