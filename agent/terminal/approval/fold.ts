/** What is shown of a long text before a person asks for the rest. */
export interface FoldLimits {
  /** At least 2. */
  readonly lines: number;
  /** Of one line, in characters; at least 2. */
  readonly characters: number;
}

/** Lines of a text, and whether any of it was left out. */
export interface Folded {
  readonly lines: readonly string[];
  readonly folded: boolean;
}

/**
 * Leaves out the middle of a long text and of long lines, and says how much: what matters often
 * stands at the end.
 */
export function fold(lines: readonly string[], limits: FoldLimits): Folded {
  let folded = false;
  const short = lines.map((line) => {
    const characters = [...line];
    const note = (count: number) => [` … ${count} more characters … `];
    const part = middleOut(characters, limits.characters, note);
    folded ||= part !== characters;
    return part === characters ? line : part.join("");
  });
  const shown = middleOut(short, limits.lines, (count) => [`… ${count} more lines …`]);
  return { lines: shown, folded: folded || shown !== short };
}

/** Two thirds of the beginning and one of the end, what stands between told by `note`. */
function middleOut(
  items: readonly string[],
  limit: number,
  note: (count: number) => readonly string[],
): readonly string[] {
  // A note in place of a single line would save nothing.
  if (items.length <= limit + 1) return items;
  const head = Math.ceil(limit * 2 / 3);
  const tail = limit - head;
  return [
    ...items.slice(0, head),
    ...note(items.length - limit),
    ...items.slice(items.length - tail),
  ];
}
