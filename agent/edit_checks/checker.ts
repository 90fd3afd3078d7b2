import type { EditedFile } from "./edited_file.ts";

/** Finds problems in files: looked at before an edit and after it, it tells which are new. */
export interface Checker extends AsyncDisposable {
  matches(file: EditedFile): boolean;
  /** Learns what is wrong before an edit; what it cannot learn it does not tell of later. */
  before(files: readonly EditedFile[], signal: AbortSignal): Promise<void>;
  /** What the model should know: new problems, or why there are none to tell. */
  after(files: readonly EditedFile[], signal: AbortSignal): Promise<string[]>;
}

/** Says something once, until it is something else. */
export class SaidOnce {
  #last: string | undefined;

  /** The text, where it was not said last; an undefined one makes room for it to be said again. */
  say(text: string | undefined): string[] {
    const isNew = text !== undefined && text !== this.#last;
    this.#last = text;
    return isNew ? [text] : [];
  }
}
