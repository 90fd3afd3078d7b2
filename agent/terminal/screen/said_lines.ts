import { drawableLines } from "../render/columns.ts";
import { wrapSpans } from "../render/spans.ts";
import type { View } from "../render/view.ts";
import type { Editor } from "./editor.ts";
import { editorRows } from "./editor_rows.ts";

/** What a person has sent, broken where the line was that they wrote it in. Pure. */
export function writtenLines(editor: Editor, { width, style }: View): string[] {
  const { rows } = editorRows(editor, Math.max(2, width - 2));
  return rows.map(({ shown }, index) => style.bold(marked(shown, index).trimEnd()));
}

/** What a person said and is known only as text. Pure. */
export function saidLines(text: string, { width, style }: View): string[] {
  return drawableLines(text).flatMap((line, index) =>
    wrapSpans([{ text: marked(line, index), paint: style.bold }], width)
  );
}

function marked(line: string, index: number): string {
  return `${index === 0 ? ">" : " "} ${line}`;
}
