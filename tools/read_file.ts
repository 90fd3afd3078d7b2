import * as z from "zod";
import { decodeText } from "../edit/encoding.ts";
import type { FileContent, ReadFiles } from "../sandbox/files/files.ts";
import { byteSize } from "./byte_size.ts";
import { recogniseFile } from "./file_signature.ts";
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
import { defineTool, type Store, text } from "./tool.ts";

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

const imageFile = z.object({
  ok: z.literal(true),
  kind: z.literal("image"),
  path: z.string(),
  format: z.string(),
  bytes: z.number(),
  width: z.number().optional(),
  height: z.number().optional(),
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
  needs: { read: ["workspace", "session"], uses: ["store"] },
  callable: true,
  plan: (args) => ({ touches: pathsOf(args).map((path) => ({ kind: "read", path })) }),
  async run(args, { files, store, callId }) {
    const { offset = 1, limit = MAX_LINES } = args;
    const window = { offset: Math.max(1, offset), limit, maxBytes: MAX_WINDOW_BYTES };
    const reader = { files, store, callId };
    const [first, ...others] = pathsOf(args);
    if (first !== undefined && others.length === 0) return await readOne(first, window, reader);
    return {
      ok: true as const,
      kind: "many" as const,
      files: await readMany(args.paths ?? [], window, reader),
    };
  },
  result: schema(z.union([one, many])),
  render: (value) => [
    text(value.ok && value.kind === "many" ? renderMany(value.files) : renderOne(value)),
  ],
});

interface Reader {
  readonly files: ReadFiles;
  readonly store: Store;
  readonly callId: string;
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
  if (read.ok) return describe(read, window);
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

function describe({ facts, bytes }: FileContent, window: Window): One {
  const about = { ok: true as const, path: facts.path };
  const signature = recogniseFile(bytes);
  if (signature?.kind === "image") {
    const { format, size } = signature;
    return { ...about, kind: "image", format, bytes: bytes.length, ...size };
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

function renderOne(value: One): string {
  if (!value.ok) return renderRefusal(value);
  switch (value.kind) {
    case "text":
      return renderExcerpt(value);
    case "folder":
      return renderListing(value);
    case "image":
      return `[${value.format} image${pixels(value)}, ${byteSize(value.bytes)}: not shown as text]`;
    case "binary":
      return `[${value.what}, ${byteSize(value.bytes)}: not shown as text]`;
  }
}

function pixels({ width, height }: { width?: number | undefined; height?: number | undefined }) {
  return width === undefined || height === undefined ? "" : ` of ${width} x ${height} pixels`;
}

function renderMany(files: readonly One[]): string {
  return files
    .map((file) =>
      file.ok ? `${file.path}:\n${renderOne(file)}` : `[not read: ${renderRefusal(file)}]`
    )
    .join("\n\n");
}
