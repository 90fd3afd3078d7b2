import * as z from "zod";
import { addressAt, askJson } from "./ask_json.ts";
import { hitList, textOrNone } from "./hit_list.ts";
import type { EngineContext, EngineSettings, Searched, SearchQuery } from "./engine.ts";

const answer = z.object({
  items: hitList(z.object({
    title: z.string(),
    link: z.string(),
    snippet: textOrNone,
  })).default([]),
});

/** More hits at once it does not give. */
const MAX_HITS = 10;

/** Google's Programmable Search by its JSON interface; the key goes as a header, not in the address. */
export async function searchGoogle(
  { query, maxResults }: SearchQuery,
  { url = "https://www.googleapis.com", apiKey = "", cx = "" }: EngineSettings,
  context: EngineContext,
): Promise<Searched> {
  const num = String(Math.min(maxResults, MAX_HITS));
  const address = addressAt(url, "/customsearch/v1", { q: query, cx, num });
  const asked = await askJson(address, answer, { headers: { "x-goog-api-key": apiKey } }, context);
  if (!asked.ok) return asked;
  const hits = asked.value.items.map(({ title, link, snippet }) => ({ title, url: link, snippet }));
  return { ok: true, hits };
}
