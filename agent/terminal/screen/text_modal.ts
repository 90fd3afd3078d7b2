import type { View } from "../render/view.ts";
import { wrapSpans } from "../render/spans.ts";
import { visible } from "../visible.ts";
import { expand } from "./held.ts";
import { EMPTY, insert } from "./editor.ts";
import { type Input, inputOf, press } from "./input.ts";
import type { Key } from "./keys.ts";
import type { Frame } from "./live_region.ts";
import type { Modal } from "./modal.ts";
import { editorWidth, lineFrame } from "./scene.ts";

/** A question that a person answers with text; undefined: they do not want to. */
export class TextModal implements Modal {
  readonly #question: string;
  readonly #answer: (text: string | undefined) => void;
  #input: Input;

  /** `text` stands in the line from the beginning. */
  constructor(question: string, text: string, answer: (text: string | undefined) => void) {
    this.#question = question;
    this.#answer = answer;
    // Whatever its length, it is there to be changed.
    this.#input = { ...inputOf([]), editor: insert(EMPTY, text) };
  }

  frame(view: View, most: number): Frame {
    const line = lineFrame(this.#input, view, Math.max(1, most - 1));
    const question = wrapSpans(
      [{ text: visible(this.#question), paint: view.style.bold }],
      view.width,
    )
      .slice(0, Math.max(0, most - line.rows.length));
    const { cursor } = line;
    return {
      rows: [...question, ...line.rows],
      cursor: cursor && { ...cursor, row: cursor.row + question.length },
    };
  }

  press(key: Key, view: View): void {
    const facts = { width: editorWidth(view), working: false, queued: false };
    const { input, command } = press(this.#input, key, facts);
    this.#input = input;
    switch (command) {
      case "submit":
        return this.#answer(expand(input.editor.text, input.editor.held));
      case "stop":
      case "interrupt":
      case "leave":
        return this.#answer(undefined);
      default:
        return;
    }
  }
}
