import type { EngineName, EngineSettings } from "../tools/web/engines/engine.ts";
import type { Config } from "./config/schema.ts";
import type { ReadVariable } from "./environment.ts";

/** An engine of a run: one of its own, or the search of the model's server. */
export type SearchSettings = EngineSettings | { readonly name: "provider" };

/** The variables in which these engines' keys are looked for. */
const KEY_VARIABLES: Readonly<Partial<Record<EngineName, string>>> = {
  brave: "BRAVE_API_KEY",
  tavily: "TAVILY_API_KEY",
  perplexity: "PERPLEXITY_API_KEY",
  google: "GOOGLE_API_KEY",
};

/** Which search engine of a person's at Google. */
const GOOGLE_CX_VARIABLE = "GOOGLE_CSE_ID";

/** Those that a key alone configures; the others count only where the configuration names them. */
const BY_KEY = ["brave", "tavily", "perplexity"] as const;

/** An engine as the configuration names it. */
type Named = NonNullable<NonNullable<Config["search"]>["engines"]>[number];

/**
 * The engines that a run can ask: those that the configuration names, in its order, then those whose
 * key is there. One without what it needs is left out.
 */
export function searchSettings(config: Config, env: ReadVariable): SearchSettings[] {
  const named = config.search?.engines ?? [];
  const others = BY_KEY.filter((name) => !named.some((engine) => engine.name === name));
  return [...named, ...others.map((name) => ({ name }))].flatMap((engine) => complete(engine, env));
}

function complete(engine: Named, env: ReadVariable): SearchSettings[] {
  const { name, url } = engine;
  if (name === "provider") return [{ name }];
  const variable = engine.env_key ?? KEY_VARIABLES[name];
  const apiKey = variable === undefined ? undefined : env(variable) || undefined;
  const cx = engine.cx ?? (name === "google" ? env(GOOGLE_CX_VARIABLE) || undefined : undefined);
  // Google has a page as well, for who has no key of it.
  const needsKey = KEY_VARIABLES[name] !== undefined && name !== "google";
  if ((needsKey && apiKey === undefined) || (name === "searxng" && url === undefined)) return [];
  return [{
    name,
    ...(url !== undefined && { url }),
    ...(apiKey !== undefined && { apiKey }),
    ...(cx !== undefined && { cx }),
  }];
}
