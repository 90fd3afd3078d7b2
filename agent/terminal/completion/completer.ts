/** Something that can be put in the place of what is being typed. */
export interface CompletionItem {
  /** What is put in, quotes included. */
  readonly value: string;
  /** What is shown for it. */
  readonly label: string;
  readonly description?: string;
}

/** What can stand in the place of a part of the text. */
export interface Completion {
  /** The range of the text that an item's value replaces, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The best first; never empty. */
  readonly items: readonly CompletionItem[];
}

/** Proposes what could follow while a person types. */
export interface Completer {
  /** For the text with the cursor at an offset, in UTF-16 units; undefined: nothing to propose. */
  complete(text: string, cursor: number): Promise<Completion | undefined>;
}
