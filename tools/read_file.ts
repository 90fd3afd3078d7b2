import * as z from "zod";
import { decodeText } from "../edit/encoding.ts";
import type { FileContent, ReadFiles } from "../sandbox/files/files.ts";
import { byteSize } from "./byte_size.ts";
import { recogniseFile } from "./file_signature.ts";
import { imageFile, keepPicture, renderImage } from "./image/shown_picture.ts";
import { listFolder, listing, renderListing } from "./list_dir.ts";
import { withNearestNames } from "./nearest_name.ts";
import { refusal, refusalValue, renderRefusal } from "./refusal.ts";
import { schema } from "./schema.ts";
import {
  excerptOf,
  MAX_LINES,
  MAX_WINDOW_BYTES,
  renderExcerpt,
  type Window,
} from "./text_window.ts";
import { type Content, defineTool, type Pictures, type Store, text } from "./tool.ts";

const textFile = z.object({
  ok: z.literal(true),
  kind: z.literal("text"),
  path: z.string(),
  offset: z.number(),
  lines: z.number(),
  total_lines: z.number(),
  truncated: z.boolean(),
  text: z.string(),
  cut_lines: z.number(),
});

const binaryFile = z.object({
  ok: z.literal(true),
  kind: z.literal("binary"),
  path: z.string(),
  /** What it seems to be, as "gzip archive". */
  what: z.string(),
  bytes: z.number(),
});

const one = z.union([textFile, imageFile, binaryFile, listing, refusal]);

/** What was found at one path. */
type One = z.infer<typeof one>;

const many = z.object({ ok: z.literal(true), kind: z.literal("many"), files: z.array(one) });

/** Paths of one call at the most. */
const MAX_PATHS = 20;

export const readFile = defineTool({
  name: "read_file",
  description:
    "Read a file as numbered lines (2000 lines or 50 KB at once; go on with offset), or several by paths. Folders are listed.",
  parameters: schema(
    z.strictObject({
      path: z.string().optional(),
      paths: z.array(z.string()).min(1).max(MAX_PATHS).optional(),
      offset: z.int().min(0).describe("First line, from 1").optional(),
      limit: z.int().min(1).describe("Number of lines").optional(),
    }).refine(({ path, paths }) => (path === undefined) !== (paths === undefined), {
      message: "give either path or paths",
    }),
  ),
  needs: { read: ["workspace", "session"], uses: ["store", "pictures"] },
  callable: true,
  plan: (args) => ({ touches: pathsOf(args).map((path) => ({ kind: "read", path })) }),
  async run(args, { files, store, pictures, callId, signal }) {
    const { offset = 1, limit = MAX_LINES } = args;
    const window = { offset: Math.max(1, offset), limit, maxBytes: MAX_WINDOW_BYTES };
    const reader = { files, store, pictures, callId, signal };
    const [first, ...others] = pathsOf(args);
    if (first !== undefined && others.length === 0) return await readOne(first, window, reader);
    return {
      ok: true as const,
      kind: "many" as const,
      files: await readMany(args.paths ?? [], window, reader),
    };
  },
  result: schema(z.union([one, many])),
  render: (value) => value.ok && value.kind === "many" ? renderMany(value.files) : contentOf(value),
});

interface Reader {
  readonly files: ReadFiles;
  readonly store: Store;
  readonly pictures: Pictures;
  readonly callId: string;
  readonly signal: AbortSignal;
}

function pathsOf(
  { path, paths = [] }: { path?: string | undefined; paths?: string[] | undefined },
) {
  return path === undefined ? paths : [path];
}

/** All paths share one answer's bytes: what the first ones leave is for the next. */
async function readMany(paths: readonly string[], window: Window, reader: Reader): Promise<One[]> {
  const found: One[] = [];
  let maxBytes = window.maxBytes;
  for (const [index, path] of paths.entries()) {
    const callId = `${reader.callId}-${index + 1}`;
    const answer = maxBytes > 0
      ? await readOne(path, { ...window, maxBytes }, { ...reader, callId })
      : noRoom(path);
    maxBytes -= renderOne(answer).length;
    found.push(answer);
  }
  return found;
}

function noRoom(path: string): One {
  const message = `${path} is left out, as the files before it fill this answer: read it by itself`;
  return { ok: false, reason: "too_large", path, message };
}

async function readOne(path: string, window: Window, reader: Reader): Promise<One> {
  const read = await reader.files.read(path);
  if (read.ok) return await describe(read, window, reader);
  if (read.reason === "too_large") {
    return refusalValue({ ...read, message: tooLarge(read.message) });
  }
  if (read.reason !== "not_a_file") return refusalValue(read);
  const name = `${reader.callId}.txt`;
  const listed = await listFolder(path, reader.files, { store: reader.store, name });
  return listed.ok ? listed : refusalValue(await withNearestNames(reader.files, read));
}

function tooLarge(message: string): string {
  return `${message}: read a part of it by bash, as sed -n 1,200p`;
}

async function describe(
  { facts, bytes }: FileContent,
  window: Window,
  reader: Reader,
): Promise<One> {
  const about = { ok: true as const, path: facts.path };
  const signature = recogniseFile(bytes);
  if (signature?.kind === "image") {
    const { format, size } = signature;
    const image = { ...about, kind: "image" as const, format, bytes: bytes.length, ...size };
    return { ...image, ...await showImage(bytes, reader) };
  }
  const decoded = decodeText(bytes);
  if (decoded.ok) return { ...about, kind: "text", ...excerptOf(decoded.text, window) };
  if (decoded.reason === "encoding" && signature === undefined) {
    const message =
      `${facts.path} is not UTF-8 but ${decoded.detail}: convert it with iconv to read it`;
    return { ok: false, reason: "encoding", path: facts.path, message };
  }
  const what = signature?.name ?? "binary file";
  return { ...about, kind: "binary", what, bytes: bytes.length };
}

/** What there is to say of an image once somebody has tried to show it. */
async function showImage(bytes: Uint8Array, { pictures, store, signal }: Reader) {
  const made = await pictures.picture(bytes, {}, signal);
  if (made.ok) {
    const { width, height } = made;
    return { width, height, shown: await keepPicture(made, store) };
  }
  return made.reason === "unavailable" ? {} : { not_shown: made.message };
}

function contentOf(value: One): Content[] {
  return value.ok && value.kind === "image" ? renderImage(value) : [text(renderOne(value))];
}

function renderOne(value: One): string {
  if (!value.ok) return renderRefusal(value);
  switch (value.kind) {
    case "text":
      return renderExcerpt(value);
    case "folder":
      return renderListing(value);
    case "image":
      return renderImage(value).flatMap((part) => part.type === "text" ? [part.text] : []).join("");
    case "binary":
      return `[${value.what}, ${byteSize(value.bytes)}: not shown as text]`;
  }
}

/** The texts in one, and then the images, in their order. */
function renderMany(files: readonly One[]): Content[] {
  const texts = files.map((file) =>
    file.ok ? `${file.path}:\n${renderOne(file)}` : `[not read: ${renderRefusal(file)}]`
  );
  const images = files.flatMap(contentOf).filter(({ type }) => type === "image");
  return [text(texts.join("\n\n")), ...images];
}
