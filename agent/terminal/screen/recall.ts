/** A walk through earlier prompts. A value. */
export interface Recall {
  /** The latest last. */
  readonly entries: readonly string[];
  /** Index of the entry that is shown; the number of entries while it is the draft. */
  readonly at: number;
  /** What was being written when the walk began. */
  readonly draft: string;
}

/** A walk that has not begun. */
export function recallOf(entries: readonly string[]): Recall {
  return { entries, at: entries.length, draft: "" };
}

/** One entry back; undefined at the oldest. `shown` is what stands in the line now. */
export function older(recall: Recall, shown: string): Recall | undefined {
  if (recall.at === 0) return undefined;
  const draft = recall.at === recall.entries.length ? shown : recall.draft;
  return { ...recall, at: recall.at - 1, draft };
}

/** One entry on, at last the draft; undefined where the draft is shown. */
export function newer(recall: Recall): Recall | undefined {
  return recall.at >= recall.entries.length ? undefined : { ...recall, at: recall.at + 1 };
}

/** The text that a walk has come to. */
export function recalled({ entries, at, draft }: Recall): string {
  return entries[at] ?? draft;
}
