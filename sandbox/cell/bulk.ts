/** Answers about many files at once as messages: what would be long as JSON travels in the body. */
import type { Answer, Refusal } from "../files/answer.ts";
import type { Extent, FileStamp, ReadItem } from "../files/files.ts";
import { ProtocolError } from "./frames.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Stamps as columns, for that is a third of what objects take. */
interface Columns {
  readonly paths: readonly string[];
  readonly sizes: readonly number[];
  readonly mtimes: readonly number[];
  readonly inodes: readonly number[];
}

/** A survey whose stamps are the body. */
export function packSurvey(
  surveyed: Answer<{ files: FileStamp[] } & Extent>,
): Answer<Extent & { bytes: Bytes }> {
  if (!surveyed.ok) return surveyed;
  const { files, ...rest } = surveyed;
  const columns: Columns = {
    paths: files.map(({ path }) => path),
    sizes: files.map(({ size }) => size),
    mtimes: files.map(({ mtimeMs }) => mtimeMs),
    inodes: files.map(({ inode }) => inode),
  };
  return { ...rest, bytes: new TextEncoder().encode(JSON.stringify(columns)) };
}

/**
 * The survey of a message.
 * @throws {ProtocolError} where its body holds no stamps.
 */
export function unpackSurvey(
  value: (Extent & { ok: true }) | Refusal,
  bytes: Bytes,
): Answer<{ files: FileStamp[] } & Extent> {
  if (!value.ok) return value;
  const { paths, sizes, mtimes, inodes } = parseColumns(bytes);
  const files = paths.map((path, index): FileStamp => ({
    path,
    size: sizes[index] ?? 0,
    mtimeMs: mtimes[index] ?? 0,
    inode: inodes[index] ?? 0,
  }));
  return { ...value, files };
}

function parseColumns(bytes: Bytes): Columns {
  const columns = parseJson(bytes);
  const { paths, sizes, mtimes, inodes } = columns;
  const strings = Array.isArray(paths) && paths.every((path) => typeof path === "string");
  const numbers = [sizes, mtimes, inodes].every((column) =>
    Array.isArray(column) && strings && column.length === paths.length &&
    column.every((value) => Number.isFinite(value))
  );
  if (!numbers) throw new ProtocolError("a malformed survey came");
  // A cast: every element was looked at.
  return columns as unknown as Columns;
}

function parseJson(bytes: Bytes): Record<string, unknown> {
  try {
    return Object(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new ProtocolError("a malformed survey came", { cause });
  }
}

/** Files that were read, whose contents are the body. */
export function packItems(
  answer: Answer<{ items: ReadItem[] }>,
): Answer<{ items: PackedItem[]; bytes: Bytes }> {
  if (!answer.ok) return answer;
  const contents = answer.items.flatMap((item) => "bytes" in item ? [item.bytes] : []);
  const bytes = new Uint8Array(contents.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const content of contents) {
    bytes.set(content, at);
    at += content.length;
  }
  const items = answer.items.map((item): PackedItem => {
    if (!("bytes" in item)) return item;
    const { bytes: { length }, ...stamp } = item;
    return { ...stamp, length };
  });
  return { ok: true, items, bytes };
}

type PackedItem =
  | FileStamp & { readonly length: number }
  | Extract<ReadItem, { readonly problem: string }>;

/**
 * The files of a message, each with its content.
 * @throws {ProtocolError} where its body is not as long as it says.
 */
export function unpackItems(
  value: { ok: true; items: PackedItem[] } | Refusal,
  bytes: Bytes,
): Answer<{ items: ReadItem[] }> {
  if (!value.ok) return value;
  let at = 0;
  const items = value.items.map((item): ReadItem => {
    if (!("length" in item)) return item;
    const { length, ...stamp } = item;
    return { ...stamp, bytes: bytes.subarray(at, at += length) };
  });
  if (at !== bytes.length) throw new ProtocolError("contents of another size came");
  return { ...value, items };
}
