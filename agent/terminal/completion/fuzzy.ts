/** Proposals that are shown at the most. */
export const MAX_PROPOSALS = 20;

/** So many are weighed against each other, which takes some 50 ms; of more, the likelier ones. */
const MAX_WEIGHED = 4_000;

/** The items whose text holds the letters of a query in their order, the best first. */
export async function bestMatches<T>(
  query: string,
  items: readonly T[],
  textOf: (item: T) => string,
): Promise<T[]> {
  if (query === "") return items.slice(0, MAX_PROPOSALS);
  const likely = likelyMatches(query, items.map((item) => ({ item, text: textOf(item) })));
  if (likely.length === 0) return [];
  // It weighs something, and many never complete a name.
  const { Fzf, byLengthAsc } = await import("fzf");
  const finder = new Fzf(likely, {
    selector: ({ text }) => text,
    limit: MAX_PROPOSALS,
    tiebreakers: [byLengthAsc],
  });
  return finder.find(query).map(({ item }) => item.item);
}

interface Entry<T> {
  readonly item: T;
  readonly text: string;
}

/** Entries that can match at all; where these are very many, those that hold the query whole. */
function likelyMatches<T>(query: string, entries: readonly Entry<T>[]): readonly Entry<T>[] {
  if (entries.length <= MAX_WEIGHED) return entries;
  const letters = Array.from(query.toLowerCase());
  const word = query.toLowerCase();
  const whole: Entry<T>[] = [];
  const parts: Entry<T>[] = [];
  for (const entry of entries) {
    const text = entry.text.toLowerCase();
    if (text.includes(word)) whole.push(entry);
    else if (holdsInOrder(text, letters)) parts.push(entry);
  }
  return [...whole, ...parts].slice(0, MAX_WEIGHED);
}

function holdsInOrder(text: string, letters: readonly string[]): boolean {
  let from = 0;
  for (const letter of letters) {
    const found = text.indexOf(letter, from);
    if (found < 0) return false;
    from = found + letter.length;
  }
  return true;
}
