import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import * as z from "zod";
import { byteSize } from "../../tools/byte_size.ts";
import { keepPicture, renderPicture, shownPicture } from "../../tools/image/shown_picture.ts";
import type { Content, Pictures, Store } from "../../tools/tool.ts";
import { text as textContent } from "../../tools/tool.ts";
import { SHOWN_BYTES } from "../../tools/truncate.ts";
import { cleanLine, cleanText, fenced, newFence } from "../../tools/web/outside.ts";

/** What a server's tool answered; all of it is foreign. */
export const foreignResult = z.object({
  /** Nothing in it is an instruction. */
  untrusted: z.literal(true),
  server: z.string(),
  /** The server's own word: its tool says that it failed. */
  failed: z.boolean(),
  /** All text of it, as far as it is shown. */
  text: z.string(),
  /** Set where more came than is shown, in characters; `path`: where all of it lies. */
  cut: z.object({ total: z.number(), path: z.string().optional() }).optional(),
  pictures: z.array(shownPicture),
  /** As the server sent it, where it is small enough to be kept. */
  structured: z.record(z.string(), z.unknown()).optional(),
  /** What is told beside it, in half sentences of ours. */
  notes: z.array(z.string()),
  fence: z.string(),
});

/** What a server's tool answered. */
export type ForeignResult = z.infer<typeof foreignResult>;

/** Where parts of a result go. */
export interface ResultPlaces {
  readonly store: Store;
  readonly pictures: Pictures;
  readonly signal: AbortSignal;
  /** Under which a long text is kept. */
  readonly name: string;
}

/** A picture that is larger is not decoded, in characters of base64. */
const MAX_IMAGE_CHARS = 16 * 1024 * 1024;

/** More pictures of one result are not shown. */
const MAX_PICTURES = 4;

/** Structured results up to this length go into the log, in UTF-16 units of JSON. */
const MAX_STRUCTURED_CHARS = 64 * 1024;

/** Makes a value of a result: texts joined, pictures made anew, what is long kept in a file. */
export async function resultValue(
  server: string,
  { content, structuredContent, isError = false }: Pick<
    CallToolResult,
    "content" | "structuredContent" | "isError"
  >,
  places: ResultPlaces,
): Promise<ForeignResult> {
  const notes: string[] = [];
  const texts = content.flatMap(textOf);
  // Servers are asked to say the same as text; one that does not is read all the same.
  if (structuredContent !== undefined && texts.length === 0) {
    texts.push(JSON.stringify(structuredContent, null, 2));
  }
  const pictures = await picturesOf(content, places, notes);
  const { text, cut } = await shownText(cleanText(texts.join("\n")), places);
  const structured = keptObject(structuredContent);
  return {
    ...{ untrusted: true, server, failed: isError, text, pictures },
    ...(cut && { cut }),
    ...(structured && { structured }),
    ...{ notes, fence: newFence() },
  };
}

/** A structured result as it is kept: an object that is not large. */
function keptObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return JSON.stringify(value).length <= MAX_STRUCTURED_CHARS ? { ...value } : undefined;
}

function textOf(part: ContentBlock): string[] {
  switch (part.type) {
    case "text":
      return [part.text];
    case "resource": {
      const { uri } = part.resource;
      return ["text" in part.resource ? `${uri}\n${part.resource.text}` : `${uri} (binary)`];
    }
    case "resource_link":
      return [`${part.uri}: ${part.description ?? part.title ?? part.name}`];
    case "image":
    case "audio":
      return [];
  }
}

async function picturesOf(
  content: readonly ContentBlock[],
  { store, pictures, signal }: ResultPlaces,
  notes: string[],
): Promise<ForeignResult["pictures"]> {
  const shown: ForeignResult["pictures"] = [];
  for (const part of content) {
    if (part.type === "audio") notes.push(`sound (${cleanLine(part.mimeType, 40)}) is not shown`);
    if (part.type !== "image") continue;
    const why = shown.length >= MAX_PICTURES
      ? `there are more than ${MAX_PICTURES}`
      : await show(part.data);
    if (why !== undefined) notes.push(`image not shown: ${why}`);
  }
  return shown;

  async function show(data: string): Promise<string | undefined> {
    if (data.length > MAX_IMAGE_CHARS) return "it is too large";
    const bytes = bytesOf(data);
    if (bytes === undefined) return "it is not base64";
    const made = await pictures.picture(bytes, {}, signal);
    if (!made.ok) return made.message;
    shown.push(await keepPicture(made, store));
    return undefined;
  }
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(base64);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** As much of a text as a model is shown, and where all of it lies. */
export async function shownText(
  whole: string,
  { store, name }: Pick<ResultPlaces, "store" | "name">,
): Promise<Pick<ForeignResult, "text" | "cut">> {
  // Bytes of UTF-8 are at least as many as characters.
  if (whole.length <= SHOWN_BYTES / 2) return { text: whole };
  const bytes = new TextEncoder().encode(whole);
  if (bytes.length <= SHOWN_BYTES) return { text: whole };
  const path = await store.save(name, bytes);
  const text = new TextDecoder().decode(bytes.subarray(0, SHOWN_BYTES)).replace(/\uFFFD+$/, "");
  return { text, cut: { total: bytes.length, ...(path !== undefined && { path }) } };
}

/** The model's view of a result: foreign text between its two lines, then what we say of it. */
export function renderResult(value: ForeignResult): Content[] {
  const { text, server, fence, failed, cut, notes } = value;
  const source = `MCP server ${server}`;
  const lines = [
    text === "" ? "[no text]" : fenced(text, source, fence),
    ...notes.map((note) => `[${note}]`),
    ...(failed ? ["[the tool says that it failed]"] : []),
    ...(cut ? [cutMarker(cut)] : []),
  ];
  const pictures = value.pictures.flatMap((picture) =>
    renderPicture(`image from ${source}`, picture)
  );
  return [textContent(lines.join("\n")), ...pictures];
}

function cutMarker({ total, path }: NonNullable<ForeignResult["cut"]>): string {
  const where = path === undefined ? "" : `, all in ${path}`;
  return `[output truncated: ${byteSize(SHOWN_BYTES)} of ${byteSize(total)} shown${where}]`;
}
