import { basename } from "node:path";

/** What stands in the line as one character, though it is more: it is sent whole. */
export type Held =
  | { readonly kind: "text"; readonly text: string }
  /** An image that goes with the prompt, by its absolute path. */
  | { readonly kind: "image"; readonly path: string };

/** What is pasted is held from so many lines on, or so many characters; less is typed text. */
const HELD_LINES = 10;
const HELD_CHARACTERS = 1_000;

/** The first of the characters that stand for what is held: the last private plane of Unicode. */
const FIRST = 0x100000;

const MARKS = /[\u{100000}-\u{10fffd}]/u;
const ALL_MARKS = /[\u{100000}-\u{10fffd}]/gu;

/** Whether a pasted text is held, rather than shown in the line. */
export function isHeld(text: string): boolean {
  // A text with the marks themselves would otherwise be taken for what they stand for.
  return text.length > HELD_CHARACTERS || lineCount(text) > HELD_LINES || MARKS.test(text);
}

/** The character that stands for the thing held at an index. */
export function markOf(index: number): string {
  return String.fromCodePoint(FIRST + index);
}

/** What a character stands for, if anything. */
export function heldBy(character: string, held: readonly Held[]): Held | undefined {
  const code = character.codePointAt(0) ?? 0;
  return code >= FIRST ? held[code - FIRST] : undefined;
}

/** The text whose marks stand for things that are held `by` places further on. */
export function moveMarks(text: string, by: number): string {
  return text.replaceAll(ALL_MARKS, (mark) => markOf((mark.codePointAt(0) ?? FIRST) - FIRST + by));
}

/** A text in parts, so that each mark is a part of its own. */
export function splitAtMarks(text: string): string[] {
  return text.split(/([\u{100000}-\u{10fffd}])/u).filter((part) => part !== "");
}

/** What is shown in the line, as `[pasted 2 000 lines]`. */
export function labelOf(held: Held): string {
  if (held.kind === "image") return `[image ${basename(held.path)}]`;
  const lines = lineCount(held.text);
  return lines > 1
    ? `[pasted ${grouped(lines)} lines]`
    : `[pasted ${grouped(held.text.length)} characters]`;
}

/** The text with what is held in it; of an image, its label. */
export function expand(text: string, held: readonly Held[]): string {
  return text.replaceAll(ALL_MARKS, (mark) => {
    const thing = heldBy(mark, held);
    if (!thing) return mark;
    return thing.kind === "text" ? thing.text : labelOf(thing);
  });
}

/** The text with a blank in the place of all that is held. */
export function withoutHeld(text: string): string {
  return text.replaceAll(ALL_MARKS, " ");
}

/** The paths of the images that stand in a text, in order. */
export function imagesIn(text: string, held: readonly Held[]): string[] {
  const things = [...text.matchAll(ALL_MARKS)].map(([mark]) => heldBy(mark, held));
  return things.flatMap((thing) => thing?.kind === "image" ? [thing.path] : []);
}

/** Lines as an editor counts them: a newline at the end begins none. */
function lineCount(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}
