import type { ForeignToolInfo } from "./tool_list.ts";

/** What foreign tools may take of each request. */
export interface ListingBudget {
  readonly tools: number;
  /** Of names, descriptions and schemas as JSON, in UTF-16 units; about a quarter as many tokens. */
  readonly chars: number;
}

/** As much as all of our own tools take with theirs (20 KB), and as many as models choose well from. */
export const LISTING_BUDGET: ListingBudget = { tools: 40, chars: 20_000 };

/** Which foreign tools a request lists. */
export interface Listing {
  readonly listed: readonly ForeignToolInfo[];
  /** Whether there are more, which have to be searched for. */
  readonly hidesSome: boolean;
}

/**
 * Lists all tools where they fit the budget; else those that were found by a search, the latest ones
 * as far as they fit. Sorted as they come, so that requests stay alike. Pure.
 */
export function listingOf(
  tools: readonly ForeignToolInfo[],
  found: readonly string[],
  budget: ListingBudget = LISTING_BUDGET,
): Listing {
  if (fits(tools, budget)) return { listed: tools, hidesSome: false };
  const wanted: ForeignToolInfo[] = [];
  for (const name of found.toReversed()) {
    const tool = tools.find((tool) => tool.name === name);
    if (!tool || wanted.includes(tool)) continue;
    if (!fits([...wanted, tool], budget)) break;
    wanted.push(tool);
  }
  return { listed: tools.filter((tool) => wanted.includes(tool)), hidesSome: true };
}

function fits(tools: readonly ForeignToolInfo[], { tools: count, chars }: ListingBudget): boolean {
  if (tools.length > count) return false;
  return tools.reduce((sum, tool) => sum + charsOf(tool), 0) <= chars;
}

function charsOf({ name, description, parameters }: ForeignToolInfo): number {
  return JSON.stringify({ name, description, parameters: parameters.json }).length;
}

/** A word of a name counts more than one of a description. */
const NAME_WEIGHT = 3;

/** The tools that hold at least one word of a query, the best first. Pure. */
export function searchTools(
  tools: readonly ForeignToolInfo[],
  query: string,
): ForeignToolInfo[] {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, words) }));
  return scored.filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

function scoreOf({ name, description }: ForeignToolInfo, words: readonly string[]): number {
  const [inName, inDescription] = [name.toLowerCase(), description.toLowerCase()];
  return words.reduce(
    (sum, word) =>
      sum + (inName.includes(word) ? NAME_WEIGHT : 0) + (inDescription.includes(word) ? 1 : 0),
    0,
  );
}
