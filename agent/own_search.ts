import * as z from "zod";
import type { Searched, SearchEngine, SearchHit } from "../tools/web/engines/engine.ts";
import { capAnswer } from "./model/guarded_fetch.ts";
import { scriptOf, type Settings } from "./settings.ts";

/** How long the model's server may search, in milliseconds: it reads what it finds. */
const SEARCH_LIMIT_MS = 60_000;

/** Words and sources have far less, in bytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** An answer of the Responses API after a search, as far as it is read here. */
const responseShape = z.object({
  output: z.array(z.object({
    content: z.array(z.object({
      text: z.string().optional(),
      annotations: z.array(z.object({
        type: z.string(),
        url: z.string().optional(),
        title: z.string().optional(),
      })).optional(),
    })).optional(),
  })),
});

/**
 * The search of the model's own server: it answers in words and names its sources. It is asked as
 * the model is, and so needs no right beside that; no redirect is followed.
 */
export function ownSearch(
  settings: Pick<Settings, "model" | "provider" | "apiKey">,
): SearchEngine {
  return {
    name: "provider",
    async search({ query, maxResults }, { signal }) {
      const { model, provider, apiKey } = settings;
      if (model === undefined || scriptOf(model) !== undefined) {
        return { ok: false, problem: "a script does not search" };
      }
      const limit = AbortSignal.any([signal, AbortSignal.timeout(SEARCH_LIMIT_MS)]);
      const response = await fetch(`${provider.baseUrl}/responses`, {
        method: "POST",
        headers: {
          ...provider.headers,
          "content-type": "application/json",
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({
          ...{ model, tools: [{ type: "web_search" }], tool_choice: "required", store: false },
          input: `Search the web and sum up, with sources: ${query}`,
        }),
        redirect: "manual",
        signal: limit,
      });
      return await searchedOf(response, maxResults);
    },
  };
}

async function searchedOf(response: Response, maxResults: number): Promise<Searched> {
  if (response.status !== 200) {
    await response.body?.cancel();
    return { ok: false, problem: `the model's server does not search (http ${response.status})` };
  }
  const parsed = responseShape.safeParse(await capAnswer(response, MAX_ANSWER_BYTES).json());
  if (!parsed.success) return { ok: false, problem: "its answer has another shape than it should" };
  const parts = parsed.data.output.flatMap(({ content = [] }) => content);
  const hits = new Map<string, SearchHit>();
  for (const { url, title = "" } of parts.flatMap(({ annotations = [] }) => annotations)) {
    // The same page is named at each sentence that rests on it.
    if (url !== undefined && !hits.has(url)) hits.set(url, { title, url, snippet: "" });
  }
  return {
    ok: true,
    answer: parts.map(({ text = "" }) => text).join("\n"),
    hits: [...hits.values()].slice(0, maxResults),
  };
}
