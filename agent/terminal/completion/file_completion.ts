import { mentionOf } from "../mentions.ts";
import type { Completer } from "./completer.ts";
import type { FileNames } from "./file_names.ts";
import { bestMatches } from "./fuzzy.ts";

/** What is being typed after an `@`: a word, or all since an opening quote. */
const OPEN_MENTION = /(?<=^|[\s(\[{,;])@(?:"([^"\n]*)|([^\s"]*))$/u;

/** Completes `@file`: letters of a path in their order are enough. */
export function fileCompletion(names: FileNames): Completer {
  return {
    async complete(text, cursor) {
      const open = OPEN_MENTION.exec(text.slice(0, cursor));
      if (!open) return undefined;
      const query = (open[1] ?? open[2] ?? "").replace(/\\(.)/g, "$1");
      const found = await bestMatches(query, await names.list(), (name) => name);
      if (found.length === 0) return undefined;
      // The quote that is already closed behind the cursor goes with what it closes.
      const end = open[1] !== undefined && text[cursor] === '"' ? cursor + 1 : cursor;
      const items = found.map((name) => ({ value: `${mentionOf(name)} `, label: name }));
      return { start: open.index, end, items };
    },
  };
}
