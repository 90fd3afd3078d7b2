import type { EngineSettings, SearchEngine } from "./engine.ts";

/** The engine that a person configured; its code is loaded with the first search. */
export function engineFor(settings: EngineSettings): SearchEngine {
  const byBrowser = settings.name === "google" && !hasInterface(settings);
  return {
    name: settings.name,
    ...(byBrowser && { byBrowser }),
    async search(query, context) {
      const search = await loadSearch(byBrowser ? "google_page" : settings.name);
      return await search(query, settings, context);
    },
  };
}

/** Whether Google's interface can be asked, which wants a key and one of the person's engines. */
function hasInterface({ apiKey, cx }: EngineSettings): boolean {
  return apiKey !== undefined && cx !== undefined;
}

async function loadSearch(name: EngineSettings["name"] | "google_page") {
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
    case "google_page":
      return (await import("./google_page.ts")).searchGooglePage;
    case "duckduckgo":
      return (await import("./duckduckgo.ts")).searchDuckduckgo;
  }
}
