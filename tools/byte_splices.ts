import { sortChanges, type TextChange } from "../edit/rewrite.ts";
import type { Splice } from "../sandbox/files.ts";
import type { TextFile } from "./text_file.ts";

/** Bytes of the byte order mark in UTF-8. */
const BOM_BYTES = 3;

/** Changes of a file's text as changes of its bytes: what they do not name is never rewritten. */
export function byteSplices(
  { text, bom, content }: Pick<TextFile, "text" | "bom" | "content">,
  changes: readonly TextChange[],
): Splice[] {
  const encoder = new TextEncoder();
  const head = bom ? BOM_BYTES : 0;
  const ascii = content.bytes.length === text.length + head;
  const sizeOf = (from: number, to: number) =>
    ascii ? to - from : encoder.encode(text.slice(from, to)).length;
  let at = 0;
  let byte = head;
  return sortChanges(changes).map(({ start, end, text: fresh }) => {
    const first = byte + sizeOf(at, start);
    byte = first + sizeOf(start, end);
    at = end;
    return { start: first, end: byte, bytes: encoder.encode(fresh) };
  });
}
