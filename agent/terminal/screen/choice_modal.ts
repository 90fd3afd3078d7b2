import { columnsOf, cutToWidth } from "../render/columns.ts";
import { wrapSpans } from "../render/spans.ts";
import type { View } from "../render/view.ts";
import type { Choice } from "../slash/desk.ts";
import { visible, visibleLine } from "../visible.ts";
import type { Key } from "./keys.ts";
import type { Frame } from "./live_region.ts";
import type { Modal } from "./modal.ts";

/** Keys that walk the list. */
const STEPS: Readonly<Record<string, number>> = {
  up: -1,
  "ctrl+p": -1,
  down: 1,
  "ctrl+n": 1,
  tab: 1,
  "shift+tab": -1,
  pageup: -10,
  pagedown: 10,
};

/** One of several things, chosen by arrows and Enter, or by its number; undefined: none. */
export class ChoiceModal implements Modal {
  readonly #question: string;
  readonly #choices: readonly Choice[];
  readonly #answer: (index: number | undefined) => void;
  /** Of the widest label. */
  readonly #labelColumns: number;
  #chosen = 0;

  constructor(
    question: string,
    choices: readonly Choice[],
    answer: (index: number | undefined) => void,
  ) {
    this.#question = question;
    this.#choices = choices;
    this.#answer = answer;
    this.#labelColumns = Math.max(0, ...choices.map(({ label }) => columnsOf(visibleLine(label))));
  }

  frame(view: View, most: number): Frame {
    const count = Math.max(1, Math.min(this.#choices.length, most - 1));
    const question = wrapSpans(
      [{ text: visible(this.#question), paint: view.style.bold }],
      view.width,
    )
      .slice(0, Math.max(0, most - count));
    const centred = this.#chosen - Math.floor(count / 2);
    const first = Math.max(0, Math.min(centred, this.#choices.length - count));
    const rows = this.#choices.slice(first, first + count).map((choice, index) =>
      this.#row(choice, first + index, view)
    );
    return { rows: [...question, ...rows], cursor: undefined };
  }

  press(key: Key): void {
    if (key.kind === "text") return this.#pressNumber(Number(key.text));
    if (key.kind === "paste") return;
    const step = STEPS[key.name];
    if (step !== undefined) {
      const last = this.#choices.length - 1;
      this.#chosen = Math.max(0, Math.min(last, this.#chosen + step));
    } else if (key.name === "enter") this.#answer(this.#chosen);
    else if (["escape", "ctrl+c", "ctrl+d"].includes(key.name)) this.#answer(undefined);
  }

  #pressNumber(number: number): void {
    if (Number.isInteger(number) && number >= 1 && number <= this.#choices.length) {
      this.#answer(number - 1);
    }
  }

  #row({ label, description }: Choice, index: number, { width, style }: View): string {
    const numbers = String(this.#choices.length).length;
    const marked = `${String(index + 1).padStart(numbers)}. ${visibleLine(label)}`;
    const column = Math.min(numbers + 2 + this.#labelColumns, Math.floor(width / 2));
    const gap = " ".repeat(Math.max(2, column + 2 - columnsOf(marked)));
    const text = description === undefined ? marked : marked + gap + visibleLine(description);
    const line = cutToWidth(text, width - 2, style.unicode);
    return index === this.#chosen ? `> ${style.bold(line)}` : `  ${line}`;
  }
}
