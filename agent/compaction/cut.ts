import type { Message } from "../messages.ts";

/** How much of a conversation stays as it is, in tokens. */
export interface KeepBudget {
  /** What is kept in any case, as far as whole answers with their results fit. */
  readonly tail: number;
  /** What the last thing that the user said, and all that followed, may take to be kept whole. */
  readonly lastTurn: number;
}

/** A conversation as far as a cut goes by it. */
export interface Cuttable {
  readonly messages: readonly Message[];
  /** The record that a message came from. */
  sourceOf(index: number): string | undefined;
  /** The record of a summary that may be the first message. */
  readonly summary: string | undefined;
  tokensOf(message: Message): number;
}

/**
 * The index of the first message to keep; undefined where nothing can be summarised. A call is never
 * parted from its results, a summary alone never summarised, and the last message always kept.
 */
export function chooseCut(conversation: Cuttable, budget: KeepBudget): number | undefined {
  const { messages, summary, sourceOf } = conversation;
  const first = summary !== undefined && sourceOf(0) === summary ? 2 : 1;
  const starts = messages.flatMap((message, i) =>
    i >= first && message.role !== "tool" && sourceOf(i) !== sourceOf(i - 1) ? [i] : []
  );
  const lastStart = starts.at(-1);
  if (lastStart === undefined) return undefined;
  const tails = tailSizes(conversation);
  const size = (i: number) => tails[i] ?? 0;
  const byTail = starts.find((i) => size(i) <= budget.tail) ?? lastStart;
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  if (size(Math.max(0, lastUser)) > budget.lastTurn) return byTail;
  if (lastUser >= byTail) return byTail;
  return starts.includes(lastUser) ? lastUser : undefined;
}

/** For each message the tokens from it to the end. */
function tailSizes({ messages, tokensOf }: Cuttable): number[] {
  let sum = 0;
  return messages.map(tokensOf).toReversed().map((tokens) => sum += tokens).toReversed();
}
