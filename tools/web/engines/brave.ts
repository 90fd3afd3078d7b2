import * as z from "zod";
import { addressAt, askJson } from "./ask_json.ts";
import { hitList, textOrNone } from "./hit_list.ts";
import type { EngineContext, EngineSettings, Searched, SearchQuery } from "./engine.ts";

const answer = z.object({
  web: z.object({
    results: hitList(z.object({
      title: z.string(),
      url: z.string(),
      description: textOrNone,
      page_age: z.string().nullish(),
    })),
  }).nullish(),
});

/** The web search of Brave (Brave Search API, version 1). */
export async function searchBrave(
  { query, maxResults }: SearchQuery,
  { url = "https://api.search.brave.com", apiKey = "" }: EngineSettings,
  context: EngineContext,
): Promise<Searched> {
  const address = addressAt(url, "/res/v1/web/search", {
    ...{ q: query, count: String(maxResults), text_decorations: "false" },
  });
  const asked = await askJson(address, answer, {
    headers: { "x-subscription-token": apiKey },
  }, context);
  if (!asked.ok) return asked;
  const hits = (asked.value.web?.results ?? []).map((hit) => ({
    ...{ title: hit.title, url: hit.url, snippet: hit.description },
    date: hit.page_age ?? undefined,
  }));
  return { ok: true, hits };
}
