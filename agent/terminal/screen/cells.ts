import { columnsOf, graphemesOf } from "../render/columns.ts";
import { visible } from "../visible.ts";

/** What a person takes for one character, and how a terminal shows it. */
export interface Cell {
  /** As it stands in the text. */
  readonly text: string;
  /** What is drawn: the text itself, or words for what cannot be seen; of a newline, nothing. */
  readonly shown: string;
  /** Of what is drawn. */
  readonly columns: number;
}

/** What a terminal may obey, or what turns the order of its neighbours. */
const ACTS = /\p{Cc}|\p{Bidi_Control}/u;

/** The cells of a text. */
export function cellsOf(text: string): Cell[] {
  return graphemesOf(text).map(cellOf);
}

function cellOf(text: string): Cell {
  if (text === "\n" || text === "\r\n") return { text, shown: "", columns: 0 };
  const shown = shownOf(text);
  return { text, shown, columns: columnsOf(shown) };
}

/** A family of emoji holds joiners that draw it, so only what would not be seen is spelt out. */
function shownOf(text: string): string {
  return ACTS.test(text) || columnsOf(text) === 0 ? visible(text) : text;
}
