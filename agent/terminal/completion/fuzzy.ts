/** Proposals that are shown at the most. */
export const MAX_PROPOSALS = 20;

/** The items whose text holds the letters of a query in their order, the best first. */
export async function bestMatches<T>(
  query: string,
  items: readonly T[],
  textOf: (item: T) => string,
): Promise<T[]> {
  if (query === "") return items.slice(0, MAX_PROPOSALS);
  // It weighs something, and many never complete a name.
  const { Fzf, byLengthAsc } = await import("fzf");
  const entries = items.map((item) => ({ item, text: textOf(item) }));
  const finder = new Fzf(entries, {
    selector: ({ text }) => text,
    limit: MAX_PROPOSALS,
    tiebreakers: [byLengthAsc],
  });
  return finder.find(query).map(({ item }) => item.item);
}
