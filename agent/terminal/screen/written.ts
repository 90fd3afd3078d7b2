import { type Editor, EMPTY } from "./editor.ts";
import { expand, imagesIn, moveMarks, withoutHeld } from "./held.ts";

/** What a person has written, with what belongs to it. */
export interface Written {
  readonly text: string;
  /** The same without what was pasted and is held. */
  readonly typed: string;
  /** Paths of images, absolute. */
  readonly images: readonly string[];
  /** The line as it was, to be written on. */
  readonly editor: Editor;
}

/** What stands in a line, whole. */
export function writtenIn(editor: Editor): Written {
  return {
    text: expand(editor.text, editor.held),
    typed: withoutHeld(editor.text),
    images: imagesIn(editor.text, editor.held),
    editor,
  };
}

/** Whether there is anything to send. */
export function isEmpty({ text, images }: Written): boolean {
  return text.trim() === "" && images.length === 0;
}

/** Lines as one, each on lines of its own, the cursor where it is in the last. */
export function joined(editors: readonly Editor[]): Editor {
  return editors.reduce((all, next) => {
    if (all.text === "") return next;
    const gap = next.text === "" ? "" : "\n";
    const text = moveMarks(next.text, all.held.length);
    return {
      ...next,
      text: `${all.text}${gap}${text}`,
      cursor: all.text.length + gap.length + next.cursor,
      held: [...all.held, ...next.held],
      // Its earlier states have other marks.
      past: [],
    };
  }, EMPTY);
}
