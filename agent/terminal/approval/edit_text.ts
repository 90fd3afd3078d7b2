import type { ReadLine } from "../read_line.ts";
import { visible } from "../visible.ts";
import type { EditText } from "./ask_by_line.ts";

/** What changing a text takes. */
export interface Editing {
  readonly readLine: ReadLine;
  readonly write: (text: string) => void;
  /** Opens the person's editor; absent where none is set. */
  readonly outside?: (text: string, name: string) => Promise<string | undefined>;
}

/**
 * Lets a person change a text: one plain line where they type, all else in their editor. A text that
 * holds keys is never put where they would be pressed.
 */
export function editText({ readLine, write, outside }: Editing): EditText {
  return async (text, label, signal) => {
    const line = oneLine(text, label);
    const fits = line !== undefined && visible(line) === line;
    if (fits && (line === text || !outside)) {
      const edited = await readLine(`${label}: `, signal, { initial: line, aside: true });
      return edited === line ? undefined : edited;
    }
    if (outside) {
      const edited = await outside(text, label === "arguments" ? "arguments.json" : label);
      if (edited === undefined) write("The editor gave no text back\n");
      // Editors end the last line.
      return text.endsWith("\n") ? edited : edited?.replace(/\n$/, "");
    }
    write(
      "Set EDITOR to change a text of several lines, or one with characters that are not seen\n",
    );
    return undefined;
  };
}

/** The text on one line, which of JSON can always be had. */
function oneLine(text: string, label: string): string | undefined {
  if (label === "arguments") return JSON.stringify(JSON.parse(text));
  return text.includes("\n") ? undefined : text;
}
