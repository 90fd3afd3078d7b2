import { decodeText } from "../edit/encoding.ts";
import type { FileContent, ReadFiles } from "../sandbox/files/files.ts";
import { type NotEdited, notEditedValue } from "./edit_result.ts";
import { withNearestNames } from "./nearest_name.ts";

/** A file as an edit finds it. */
export interface TextFile {
  readonly ok: true;
  readonly content: FileContent;
  /** Without the byte order mark. */
  readonly text: string;
  readonly bom: boolean;
}

/** Reads a file to edit it; what is no UTF-8 text is refused and left alone. */
export async function readTextFile(
  files: Pick<ReadFiles, "read" | "list">,
  path: string,
): Promise<TextFile | NotEdited> {
  const read = await files.read(path);
  return read.ok ? asText(read) : notEditedValue(await withNearestNames(files, read));
}

/** The text of a file that was read, or why it is none. */
export function asText({ facts, version, bytes }: FileContent): TextFile | NotEdited {
  const decoded = decodeText(bytes);
  if (decoded.ok) {
    const { text, bom } = decoded;
    return { ok: true, content: { facts, version, bytes }, text, bom };
  }
  const { reason, detail } = decoded;
  const what = reason === "binary"
    ? `is no text (${detail}): change it by a program of its own`
    : `is not UTF-8 text, it holds ${detail}: convert it by iconv first`;
  const { path } = facts;
  return notEditedValue({ ok: false, reason, path, message: `${path} ${what}` });
}
