import type { DocumentHint, WebDocument } from "./document.ts";
import { jsonFeed } from "./feed.ts";
import { gistText, issueText } from "./github_text.ts";
import { plainText } from "./html_page.ts";
import { prettyJson } from "./json.ts";

/** JSON as text: an answer of GitHub and a feed as Markdown, all else with a line for each entry. */
export function jsonDocument(text: string, { url, form }: DocumentHint): WebDocument {
  const pretty = prettyJson(text);
  if (pretty === undefined) {
    const notes = ["it is no whole JSON, or nested too deep, and shown as it is"];
    return { ok: true, kind: "json", text, notes };
  }
  switch (form) {
    case "github_issue":
      return issueText(JSON.parse(text));
    case "github_gist":
      return gistText(JSON.parse(text));
  }
  return jsonFeed(text, url, plainText) ?? { ok: true, kind: "json", text: pretty, notes: [] };
}
