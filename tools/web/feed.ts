import type { WebDocument } from "./document.ts";
import type { PageElement } from "./dom.ts";

/** An RSS, Atom or JSON feed. */
interface Feed {
  readonly title: string;
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly title: string;
  readonly link: string | undefined;
  readonly date: string | undefined;
  /** Markup. */
  readonly summary: string;
}

/** A summary is shown so far, in characters; its page has the rest. */
const MAX_SUMMARY = 500;

/** Makes markup of a feed plain text. */
export type PlainText = (markup: string) => string;

/** An RSS (0.9 to 2.0, RDF) or Atom document as Markdown; undefined for other XML. */
export function xmlFeed(root: PageElement, url: string, plain: PlainText): WebDocument | undefined {
  const name = root.localName.toLowerCase().replace(/^.*:/, "");
  if (name === "feed") return feedText(atom(root), url, plain);
  if (name !== "rss" && name !== "rdf") return undefined;
  const channel = childrenOf(root, "channel")[0];
  // RDF has its items beside the channel.
  const items = [...childrenOf(channel, "item"), ...childrenOf(root, "item")];
  return feedText({ title: textOf(channel, "title"), entries: items.map(rssEntry) }, url, plain);
}

function rssEntry(item: PageElement): Entry {
  const guid = childrenOf(item, "guid")[0];
  const permanent = guid?.getAttribute("isPermaLink") === "false" ? "" : guid?.textContent ?? "";
  return {
    title: textOf(item, "title"),
    link: textOf(item, "link") || (/^https?:/.test(permanent) ? permanent : undefined),
    date: textOf(item, "pubdate") || textOf(item, "dc:date") || undefined,
    summary: textOf(item, "description") || textOf(item, "content:encoded"),
  };
}

function atom(root: PageElement): Feed {
  return {
    title: textOf(root, "title"),
    entries: childrenOf(root, "entry").map((entry) => ({
      title: textOf(entry, "title"),
      link: atomLink(entry),
      date: textOf(entry, "published") || textOf(entry, "updated") || undefined,
      summary: textOf(entry, "summary") || textOf(entry, "content"),
    })),
  };
}

function atomLink(entry: PageElement): string | undefined {
  const links = childrenOf(entry, "link");
  const page = links.find((link) => (link.getAttribute("rel") ?? "alternate") === "alternate");
  return (page ?? links[0])?.getAttribute("href") ?? undefined;
}

/** A JSON feed (jsonfeed.org, version 1) as Markdown; undefined for other JSON. */
export function jsonFeed(text: string, url: string, plain: PlainText): WebDocument | undefined {
  if (!text.includes("https://jsonfeed.org/version/")) return undefined;
  const feed: unknown = JSON.parse(text);
  const version = stringAt(feed, "version") ?? "";
  const items = valueAt(feed, "items");
  if (!version.startsWith("https://jsonfeed.org/version/") || !Array.isArray(items)) {
    return undefined;
  }
  const entries = items.map((item: unknown): Entry => ({
    title: stringAt(item, "title") ?? "",
    link: stringAt(item, "url") ?? stringAt(item, "external_url"),
    date: stringAt(item, "date_published") ?? stringAt(item, "date_modified"),
    summary: stringAt(item, "summary") ?? stringAt(item, "content_text") ??
      stringAt(item, "content_html") ?? "",
  }));
  return feedText({ title: stringAt(feed, "title") ?? "", entries }, url, plain);
}

function feedText({ title, entries }: Feed, url: string, plain: PlainText): WebDocument {
  const name = plain(title) || "Feed";
  const parts = entries.map((entry) => entryText(entry, url, plain));
  const text = [`# ${name}`, `${entries.length} entries`, ...parts].join("\n\n");
  return { ok: true, kind: "feed", title: name, text, notes: [] };
}

function entryText({ title, link, date, summary }: Entry, url: string, plain: PlainText): string {
  const address = link === undefined ? undefined : URL.parse(link, url)?.href;
  const text = plain(summary);
  const short = text.length <= MAX_SUMMARY ? text : `${text.slice(0, MAX_SUMMARY).toWellFormed()}…`;
  const name = plain(title) || "(no title)";
  const head = `## ${address === undefined ? name : `[${name}](${address})`}`;
  return [head, ...(date === undefined ? [] : [date]), ...(short === "" ? [] : [short])]
    .join("\n\n");
}

/** By their whole names: `media:title` is not the title. */
function childrenOf(element: PageElement | undefined, name: string): PageElement[] {
  return [...element?.children ?? []].filter(({ localName }) => localName.toLowerCase() === name);
}

function textOf(element: PageElement | undefined, name: string): string {
  return childrenOf(element, name)[0]?.textContent?.trim() ?? "";
}

function valueAt(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  // A cast: what it holds was just looked up, and is of no type yet.
  return (value as Record<string, unknown>)[key];
}

function stringAt(value: unknown, key: string): string | undefined {
  const found = valueAt(value, key);
  return typeof found === "string" && found !== "" ? found : undefined;
}
