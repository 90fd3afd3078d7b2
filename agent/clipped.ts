/** The first `chars` UTF-16 units of a text; one fewer where they would end in half a character. */
export function startOf(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
}

/** A text that is longer than `chars` UTF-16 units as its start and an ellipsis. */
export function clipped(text: string, chars: number): string {
  return text.length <= chars ? text : `${startOf(text, chars)}…`;
}
