/** The share of a clipped text that is its beginning; the rest is its end. */
const HEAD_SHARE = 2 / 3;

/** A text of at most about `limit` characters: its middle goes, and how much of it is said. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit * HEAD_SHARE);
  const tail = limit - head;
  const gone = text.length - limit;
  // Half a character at a cut would be refused by servers.
  const first = text.slice(0, head).toWellFormed();
  const last = tail === 0 ? "" : text.slice(-tail).toWellFormed();
  return `${first}[… ${gone} characters …]${last}`;
}
