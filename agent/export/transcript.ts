import { isKnown, isPrompt, type ToolResultRecord, type UserRecord } from "../session/records.ts";
import type { LogContents } from "../session/read_log.ts";

/** A session as people read it: everything that was said and done, in order. */
export interface Transcript {
  readonly id: string;
  readonly name: string | undefined;
  readonly cwd: string;
  readonly created: string;
  readonly version: string;
  readonly entries: readonly Entry[];
}

export type Entry =
  /** `n` counts from 1, as `--at` does. */
  | { readonly kind: "person"; readonly n: number; readonly parts: readonly Part[] }
  | {
    readonly kind: "answer";
    readonly model: string;
    readonly text: string;
    readonly reasoning: string;
  }
  | Call
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "end"; readonly reason: string };

/** A call and what came of it. */
export interface Call {
  readonly kind: "call";
  readonly tool: string;
  /** As the model wrote them. */
  readonly arguments: string;
  readonly result: CallResult | undefined;
}

export interface CallResult {
  readonly isError: boolean;
  readonly text: string;
  readonly images: readonly Image[];
}

export type Part = { readonly kind: "text"; readonly text: string } | Image;

export interface Image {
  readonly kind: "image";
  readonly name: string;
  readonly mediaType: string;
  /** Undefined where the file is gone. */
  readonly bytes: Uint8Array | undefined;
}

/** Bytes of an image by its name; undefined where it is gone. */
export type LoadImage = (name: string) => Promise<Uint8Array | undefined>;

/** Reads a log as a transcript. Records that this version does not know are passed over. */
export async function transcriptOf(log: LogContents, load: LoadImage): Promise<Transcript> {
  const { header, records } = log;
  const { id, cwd, created, version } = header;
  const entries: Entry[] = [];
  /** Where the entry of each call without result lies. */
  const open = new Map<string, number>();
  let said = 0;
  let name: string | undefined;
  for (const record of records) {
    if (!isKnown(record)) continue;
    switch (record.type) {
      case "user":
        entries.push(
          isPrompt(record)
            ? { kind: "person", n: ++said, parts: await partsOf(record, load) }
            : commandOf(record),
        );
        break;
      case "assistant": {
        const reasoning = record.reasoning?.text ?? "";
        const { model, content: text } = record;
        if (text || reasoning) entries.push({ kind: "answer", model, text, reasoning });
        for (const call of record.tool_calls) {
          open.set(call.call_id, entries.length);
          const { name: tool, arguments: args } = call;
          entries.push({ kind: "call", tool, arguments: args, result: undefined });
        }
        break;
      }
      case "tool_result": {
        const index = open.get(record.call_id);
        const entry = index === undefined ? undefined : entries[index];
        if (index === undefined || entry?.kind !== "call") break;
        open.delete(record.call_id);
        const images = await Promise.all(imagesOf(record).map((image) => loaded(image, load)));
        const { is_error: isError, text } = record;
        entries[index] = { ...entry, result: { isError, text, images } };
        break;
      }
      case "compaction":
        if (record.failed === undefined) entries.push({ kind: "summary", text: record.summary });
        break;
      case "name":
        name = record.name || undefined;
        break;
      case "end":
        entries.push({ kind: "end", reason: record.reason });
        break;
      default:
        // What no person said and no model did: settings, approvals, snapshots.
        break;
    }
  }
  return { id, name, cwd, created, version, entries };
}

/** A command that the person ran, as a call of their own. */
function commandOf({ command, content }: UserRecord): Call {
  const text = content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
  return {
    kind: "call",
    tool: "Command of the person",
    arguments: JSON.stringify({ command }),
    result: { isError: false, text, images: [] },
  };
}

async function partsOf({ content }: UserRecord, load: LoadImage): Promise<Part[]> {
  return await Promise.all(
    content.map(async (part): Promise<Part> =>
      part.type === "text"
        ? { kind: "text", text: part.text }
        : await loaded({ name: part.blob, mediaType: part.media_type }, load)
    ),
  );
}

function imagesOf({ blobs }: ToolResultRecord) {
  return blobs.flatMap(({ name, media_type: mediaType }) =>
    mediaType?.startsWith("image/") ? [{ name, mediaType }] : []
  );
}

async function loaded(
  image: { readonly name: string; readonly mediaType: string },
  load: LoadImage,
): Promise<Image> {
  return { kind: "image", ...image, bytes: await load(image.name) };
}
