import type { SearchEngine } from "../tools/web/engines/engine.ts";
import { webSearch } from "../tools/web_search.ts";
import type { Tool } from "../tools/tool.ts";

/** The engines that a run can ask, with the browser that it has. */
export interface SearchReach {
  readonly engines: readonly SearchEngine[];
  /** Why one that is configured is left out, and what helps; absent where none is. */
  readonly noPage?: string;
}

/** Leaves out engines that are asked by their page where no browser runs it, for the reason given. */
export function searchReach(
  engines: readonly SearchEngine[],
  noPages: string | undefined,
): SearchReach {
  const others = engines.filter(({ byBrowser }) => !byBrowser);
  if (noPages === undefined || others.length === engines.length) return { engines };
  const noPage = `google's page needs a browser, or GOOGLE_API_KEY and GOOGLE_CSE_ID: ${noPages}`;
  return { engines: others, noPage };
}

/** The catalogue with the tool that asks these engines. */
export function withEngines(
  catalogue: readonly Tool[],
  engines: readonly SearchEngine[],
): readonly Tool[] {
  const tool = webSearch(engines);
  return catalogue.map((other) => other.name === tool.name ? tool : other);
}
