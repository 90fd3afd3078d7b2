import type { SearchEngine } from "../tools/web/engines/engine.ts";
import { engineFor } from "../tools/web/engines/mod.ts";
import { PROVIDERS } from "./model/provider.ts";
import { ownSearch } from "./own_search.ts";
import type { SearchSettings } from "./search_settings.ts";
import type { Settings } from "./settings.ts";

/** What the tool `web_search` asks; OpenAI's own search also unnamed, as the last. */
export function searchEngines(settings: Settings): SearchEngine[] {
  const { search, provider, apiKey } = settings;
  const named = search.some(({ name }) => name === "provider");
  const known = provider.baseUrl === PROVIDERS.openai.baseUrl && apiKey !== undefined;
  const all: readonly SearchSettings[] = named || !known
    ? search
    : [...search, { name: "provider" }];
  return all.map((one) => one.name === "provider" ? ownSearch(settings) : engineFor(one));
}
