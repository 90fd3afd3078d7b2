import * as z from "zod";
import { addressAt, askJson } from "./ask_json.ts";
import { hitList, textOrNone } from "./hit_list.ts";
import type { EngineContext, EngineSettings, Searched, SearchQuery } from "./engine.ts";

const answer = z.object({
  answer: z.string().nullish(),
  results: hitList(z.object({
    title: z.string(),
    url: z.string(),
    content: textOrNone,
    published_date: z.string().nullish(),
  })),
});

/** The search of Tavily (its interface of 2025). */
export async function searchTavily(
  { query, maxResults }: SearchQuery,
  { url = "https://api.tavily.com", apiKey = "" }: EngineSettings,
  context: EngineContext,
): Promise<Searched> {
  const asked = await askJson(addressAt(url, "/search"), answer, {
    headers: { authorization: `Bearer ${apiKey}` },
    json: { query, max_results: maxResults },
  }, context);
  if (!asked.ok) return asked;
  const hits = asked.value.results.map((hit) => ({
    ...{ title: hit.title, url: hit.url, snippet: hit.content },
    date: hit.published_date ?? undefined,
  }));
  return { ok: true, hits, ...(asked.value.answer && { answer: asked.value.answer }) };
}
