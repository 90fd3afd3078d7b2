import type { Child } from "./children.ts";
import { childLine, childRow } from "./value.ts";

/** Tells a line of each sub-agent whenever it does something else, until disposed. */
export function watchProgress(
  children: readonly Child[],
  progress: (part: string) => void,
): Disposable {
  const watches = children.map((child) => {
    let before = "";
    return child.watch(() => {
      const { state, activity, question } = child.facts();
      const now = `${state}\n${activity}\n${question?.question}`;
      if (now === before) return;
      before = now;
      progress(`${childLine(childRow(child))}\n`);
    });
  });
  return {
    [Symbol.dispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
    },
  };
}
