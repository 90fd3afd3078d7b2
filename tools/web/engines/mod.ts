import type { EngineSettings, SearchEngine } from "./engine.ts";

/** The engine that a person configured; its code is loaded with the first search. */
export function engineFor(settings: EngineSettings): SearchEngine {
  return {
    name: settings.name,
    async search(query, context) {
      const search = await loadSearch(settings.name);
      return await search(query, settings, context);
    },
  };
}

async function loadSearch(name: EngineSettings["name"]) {
  switch (name) {
    case "searxng":
      return (await import("./searxng.ts")).searchSearxng;
    case "brave":
      return (await import("./brave.ts")).searchBrave;
    case "tavily":
      return (await import("./tavily.ts")).searchTavily;
    case "perplexity":
      return (await import("./perplexity.ts")).searchPerplexity;
    case "google":
      return (await import("./google.ts")).searchGoogle;
    case "duckduckgo":
      return (await import("./duckduckgo.ts")).searchDuckduckgo;
  }
}
