import type { Net } from "../../../sandbox/net.ts";
import type { Reader } from "../../tool.ts";
import type { Browser } from "../../browser/browser.ts";

/** The engines that there are. */
export const ENGINES = [
  "searxng",
  "brave",
  "tavily",
  "perplexity",
  "google",
  "provider",
  "duckduckgo",
] as const;

/** An engine by its name; `provider`: the search of the model's own server. */
export type EngineName = typeof ENGINES[number];

/** Something that finds pages. */
export interface SearchEngine {
  readonly name: EngineName;
  /** It is asked by its page, in a browser that runs scripts. */
  readonly byBrowser?: boolean;
  /** Every failure is an answer. */
  search(query: SearchQuery, context: EngineContext): Promise<Searched>;
}

/** What is looked for. */
export interface SearchQuery {
  readonly query: string;
  /** Hits at the most; engines may know less. */
  readonly maxResults: number;
}

/** What an engine works with. */
export interface EngineContext {
  readonly net: Net;
  readonly reader: Reader;
  readonly signal: AbortSignal;
  /** Absent where no engine is asked by it. */
  readonly browser?: Browser;
}

/** What an engine found, or why it found nothing, as half a sentence. */
export type Searched =
  | {
    readonly ok: true;
    readonly hits: readonly SearchHit[];
    /** What it says itself, where it answers. */
    readonly answer?: string;
  }
  | { readonly ok: false; readonly problem: string };

/** A page that was found; nothing of it has been checked. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  /** As the engine writes it. */
  readonly date?: string | undefined;
}

/** An engine as a person configured it. */
export interface EngineSettings {
  readonly name: Exclude<EngineName, "provider">;
  /** Its server, where that is not the engine's own. */
  readonly url?: string;
  readonly apiKey?: string;
  /** Of `google`: which of the person's search engines. */
  readonly cx?: string;
}
