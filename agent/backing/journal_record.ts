import * as z from "zod";
import type { JournalEntry } from "../../tools/tool.ts";
import { parseJson } from "../model/json.ts";

/** Version of the format; a record of another one is left alone. */
const FORMAT = 1;

const record = z.object({
  format: z.literal(FORMAT),
  files: z.array(z.object({
    path: z.string(),
    before: z.object({ mode: z.int(), bytes: z.base64() }).optional(),
    after: z.base64().optional(),
  })),
});

/** A change as it lies on the disk. */
export function encodeRecord(entries: readonly JournalEntry[]): Uint8Array {
  const files = entries.map(({ path, before, after }) => ({
    path,
    ...(before && { before: { mode: before.mode, bytes: before.bytes.toBase64() } }),
    ...(after && { after: after.toBase64() }),
  }));
  return new TextEncoder().encode(JSON.stringify({ format: FORMAT, files }));
}

/** The change of a record; undefined where the text is none of ours. */
export function decodeRecord(text: string): readonly JournalEntry[] | undefined {
  const parsed = record.safeParse(parseJson(text));
  return parsed.success
    ? parsed.data.files.map(({ path, before, after }) => ({
      path,
      ...(before && { before: { mode: before.mode, bytes: Uint8Array.fromBase64(before.bytes) } }),
      ...(after === undefined ? {} : { after: Uint8Array.fromBase64(after) }),
    }))
    : undefined;
}
