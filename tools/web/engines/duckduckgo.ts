import * as z from "zod";
import { addressAt, statusText } from "./ask_json.ts";
import type { EngineContext, EngineSettings, Searched, SearchQuery } from "./engine.ts";

/** What a reader makes of the page. */
const found = z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() }));

/** The page of DuckDuckGo that works without scripts; it has no interface and may refuse at any time. */
export async function searchDuckduckgo(
  { query, maxResults }: SearchQuery,
  { url = "https://html.duckduckgo.com" }: EngineSettings,
  { net, reader, signal }: EngineContext,
): Promise<Searched> {
  const address = addressAt(url, "/html/", { q: query });
  const headers = { "user-agent": "Mozilla/5.0 (compatible; cordon)", accept: "text/html" };
  const answer = await net.fetch(address.href, { headers, signal });
  if (!answer.ok) return { ok: false, problem: answer.message };
  // It answers 202 with a riddle to whom it takes for a robot.
  if (answer.status !== 200) return { ok: false, problem: statusText(answer.status) };
  const hint = { url: answer.url, contentType: "text/html", form: "duckduckgo" } as const;
  const read = await reader.read(answer.body, hint, signal);
  if (!read.ok) return { ok: false, problem: read.message };
  const hits = found.parse(JSON.parse(read.text)).slice(0, maxResults);
  return { ok: true, hits };
}
