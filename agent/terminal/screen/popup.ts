import type { Completion, CompletionItem } from "../completion/completer.ts";
import { columnsOf, cutToWidth } from "../render/columns.ts";
import type { View } from "../render/view.ts";
import { visibleLine } from "../visible.ts";

/** What could stand in the line, and which of it is chosen. A value. */
export interface Popup {
  readonly completion: Completion;
  /** Index of an item. */
  readonly chosen: number;
}

/** Items that are shown at once. */
const MAX_SHOWN = 8;

/** A list whose best item is chosen. */
export function popupOf(completion: Completion): Popup {
  return { completion, chosen: 0 };
}

/** Another item chosen, round at the ends. */
export function choose({ completion, chosen }: Popup, delta: number): Popup {
  const count = completion.items.length;
  return { completion, chosen: (chosen + delta + count) % count };
}

/** The item that is chosen. */
export function chosenItem({ completion, chosen }: Popup): CompletionItem | undefined {
  return completion.items[chosen];
}

/** The rows of the list, at most `most`, those around the chosen one. */
export function popupRows(
  { completion: { items }, chosen }: Popup,
  { width, style }: View,
  most: number,
): string[] {
  const count = Math.max(1, Math.min(MAX_SHOWN, most));
  const first = Math.max(0, Math.min(chosen - Math.floor(count / 2), items.length - count));
  const shown = items.slice(first, first + count);
  const labels = shown.map(({ label }) => visibleLine(label));
  const column = Math.min(Math.max(...labels.map(columnsOf)), Math.floor(width / 2));
  const lines = shown.map(({ description }, index) => {
    const label = labels[index] ?? "";
    const isChosen = first + index === chosen;
    const gap = " ".repeat(Math.max(2, column + 2 - columnsOf(label)));
    const line = description === undefined ? label : `${label}${gap}${visibleLine(description)}`;
    const cut = cutToWidth(line, width - 2, style.unicode);
    return isChosen ? `> ${style.bold(cut)}` : `  ${style.dim(cut)}`;
  });
  const isCounted = most > count && items.length > count;
  return isCounted ? [...lines, style.dim(`  ${chosen + 1} of ${items.length}`)] : lines;
}
