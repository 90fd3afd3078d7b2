import * as z from "zod";
import { addressAt, askJson } from "./ask_json.ts";
import { hitList, textOrNone } from "./hit_list.ts";
import type { EngineContext, EngineSettings, Searched, SearchQuery } from "./engine.ts";

const answer = z.object({
  results: hitList(z.object({
    title: z.string(),
    url: z.string(),
    content: textOrNone,
    publishedDate: z.string().nullish(),
  })),
});

/** Any instance of SearXNG whose settings allow the format `json`. */
export async function searchSearxng(
  { query, maxResults }: SearchQuery,
  { url = "" }: EngineSettings,
  context: EngineContext,
): Promise<Searched> {
  const address = addressAt(url, "/search", { q: query, format: "json" });
  const asked = await askJson(address, answer, {}, context);
  if (!asked.ok) return asked;
  const hits = asked.value.results.slice(0, maxResults).map((hit) => ({
    ...{ title: hit.title, url: hit.url, snippet: hit.content },
    date: hit.publishedDate ?? undefined,
  }));
  return { ok: true, hits };
}
