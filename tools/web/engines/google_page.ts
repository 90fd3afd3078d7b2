import * as z from "zod";
import { addressAt } from "./ask_json.ts";
import type { EngineContext, EngineSettings, Searched, SearchQuery } from "./engine.ts";

/** How long the page may take to come and to run its scripts, in milliseconds. */
const PAGE_LIMIT_MS = 20_000;

/** What a reader makes of the page. */
const found = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("hits"),
    hits: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
  }),
  z.object({ kind: z.enum(["captcha", "consent", "other"]) }),
]);

/** Google's own page of hits, which needs a browser that runs scripts, and may refuse at any time. */
export async function searchGooglePage(
  { query, maxResults }: SearchQuery,
  { url = "https://www.google.com" }: EngineSettings,
  { browser, reader, signal }: EngineContext,
): Promise<Searched> {
  if (!browser) return { ok: false, problem: "there is no browser that runs its page" };
  const address = addressAt(url, "/search", { q: query });
  const limits = { timeoutMs: PAGE_LIMIT_MS, signal };
  const step = await browser.act({ kind: "peek", url: address.href }, limits);
  const { source, refusal } = step;
  if (refusal || !source) {
    return { ok: false, problem: refusal?.message ?? "its page did not come" };
  }
  const hint = {
    url: source.url,
    contentType: "text/html; charset=utf-8",
    form: "google",
  } as const;
  const read = await reader.read(new TextEncoder().encode(source.html), hint, signal);
  if (!read.ok) return { ok: false, problem: read.message };
  const page = found.parse(JSON.parse(read.text));
  if (page.kind === "hits") return { ok: true, hits: page.hits.slice(0, maxResults) };
  return { ok: false, problem: PROBLEMS[page.kind] };
}

const INSTEAD = "set GOOGLE_API_KEY and GOOGLE_CSE_ID, or name another engine";

const PROBLEMS = {
  captcha: `its page wants proof of a human (captcha): ${INSTEAD}`,
  consent: `its page wants consent to cookies first: ${INSTEAD}`,
  other: "its page is none of hits, or has another shape than it should",
} as const;
