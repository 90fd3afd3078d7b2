import * as z from "zod";
import { addressAt, askJson } from "./ask_json.ts";
import { hitList, textOrNone } from "./hit_list.ts";
import type { EngineContext, EngineSettings, Searched, SearchQuery } from "./engine.ts";

const answer = z.object({
  results: hitList(z.object({
    title: z.string(),
    url: z.string(),
    snippet: textOrNone,
    date: z.string().nullish(),
  })),
});

/** The Search API of Perplexity, which finds pages and asks no model. */
export async function searchPerplexity(
  { query, maxResults }: SearchQuery,
  { url = "https://api.perplexity.ai", apiKey = "" }: EngineSettings,
  context: EngineContext,
): Promise<Searched> {
  const asked = await askJson(addressAt(url, "/search"), answer, {
    headers: { authorization: `Bearer ${apiKey}` },
    json: { query, max_results: maxResults },
  }, context);
  if (!asked.ok) return asked;
  const hits = asked.value.results.map((hit) => ({ ...hit, date: hit.date ?? undefined }));
  return { ok: true, hits };
}
