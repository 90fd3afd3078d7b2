import type { WebDocument } from "./document.ts";
import { xmlFeed } from "./feed.ts";
import { parseXml, plainText } from "./html_page.ts";

/** A feed as Markdown; undefined for other XML, which is read as it is. */
export function xmlDocument(text: string, url: string): WebDocument | undefined {
  const root = parseXml(text);
  return root && xmlFeed(root, url, plainText);
}
