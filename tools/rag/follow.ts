import { decodeText } from "../../edit/encoding.ts";
import type { FileStamp, ReadFiles, ReadItem } from "../../sandbox/files/files.ts";
import type { FileToIndex, Index, IndexWriter } from "./index.ts";

/** Larger files are data, and not searched; in bytes. */
export const MAX_INDEXED_BYTES = 2 * 1024 * 1024;

/** What is read and written at once: enough to be quick, little enough to be held; in bytes. */
const BATCH_BYTES = 2 * 1024 * 1024;
const BATCH_FILES = 256;

/** What an update brought. */
export interface Followed {
  /** `busy`: another process updates the index, which is used as it is. */
  readonly state: "updated" | "busy";
  /** Files that were read, and files that were gone. */
  readonly read: number;
  readonly dropped: number;
  /** There are more files than a walk looks at. */
  readonly stopped: boolean;
}

/** What an update needs. */
export interface FollowParts {
  readonly files: ReadFiles;
  readonly index: Index;
  readonly signal: AbortSignal;
  progress(part: string): void;
  /** Of paths: only these are followed; absent: all. */
  readonly isWanted?: (path: string) => boolean;
}

/**
 * Brings the index up to the tree as it is: one survey tells which files changed, and only these are
 * read. What was read is kept when the rest is given up.
 */
export async function followTree(parts: FollowParts): Promise<Followed> {
  const { files, index, isWanted } = parts;
  const count = { read: 0, dropped: 0, stopped: false };
  const state = await index.update(async (writer) => {
    const surveyed = await files.survey(index.root);
    if (!surveyed.ok) throw new Error(`Cannot index "${index.root}": ${surveyed.message}`);
    const { changed, gone } = compare(surveyed.files, writer.known(), isWanted);
    count.stopped = surveyed.stopped;
    // What was not looked at may still be there.
    if (!surveyed.stopped && gone.length > 0) writer.drop(gone);
    count.dropped = surveyed.stopped ? 0 : gone.length;
    await readChanged(changed, writer, parts);
    count.read = changed.length;
    if (!isWanted) writer.finish();
  });
  return { state, ...count };
}

function compare(
  found: readonly FileStamp[],
  known: ReadonlyMap<string, FileStamp>,
  isWanted = (_path: string) => true,
) {
  const changed = found.filter((stamp) =>
    isWanted(stamp.path) && !isSame(stamp, known.get(stamp.path))
  );
  const there = new Set(found.map(({ path }) => path));
  const gone = [...known.keys()].filter((path) => isWanted(path) && !there.has(path));
  return { changed, gone };
}

/** Whether a file is as it was, as far as its facts tell. */
export function isSame(stamp: FileStamp, other: FileStamp | undefined): boolean {
  return stamp.size === other?.size && stamp.mtimeMs === other.mtimeMs &&
    stamp.inode === other.inode;
}

async function readChanged(
  changed: readonly FileStamp[],
  writer: IndexWriter,
  { files, index, signal, progress }: FollowParts,
): Promise<void> {
  const [small, large] = [
    changed.filter(({ size }) => size <= MAX_INDEXED_BYTES),
    changed.filter(({ size }) => size > MAX_INDEXED_BYTES),
  ];
  await writer.put(large.map((stamp) => ({ stamp, content: { skipped: "too_large" } })), signal);
  const read = (at: number) => readBatch(batchFrom(small, at), files, index.root);
  let next = small.length > 0 ? read(0) : undefined;
  for (let at = 0; next !== undefined;) {
    signal.throwIfAborted();
    const batch = await next;
    at += batch.length;
    // The next ones are read, by the process that has the files, while these are written.
    next = at < small.length ? read(at) : undefined;
    next?.catch(() => {});
    await writer.put(batch, signal);
    if (small.length > BATCH_FILES) progress(`indexed ${at} of ${small.length} files\n`);
  }
}

function batchFrom(stamps: readonly FileStamp[], from: number): readonly FileStamp[] {
  let bytes = 0;
  let end = from;
  while (end < stamps.length && end - from < BATCH_FILES) {
    bytes += stamps[end]?.size ?? 0;
    if (bytes > BATCH_BYTES && end > from) break;
    end++;
  }
  return stamps.slice(from, end);
}

/** As many of the files as were read: at least one. */
async function readBatch(
  stamps: readonly FileStamp[],
  files: ReadFiles,
  folder: string,
): Promise<FileToIndex[]> {
  const read = await files.readMany({
    ...{ folder, paths: stamps.map(({ path }) => path) },
    maxBytes: 2 * BATCH_BYTES,
    maxFileBytes: MAX_INDEXED_BYTES,
  });
  if (!read.ok) throw new Error(`Cannot index "${folder}": ${read.message}`);
  return read.items.flatMap((item, place) => {
    const stamp = stamps[place];
    return stamp ? [toIndex(item, stamp)] : [];
  });
}

function toIndex(item: ReadItem, surveyed: FileStamp): FileToIndex {
  if (!("bytes" in item)) {
    const skipped = item.problem === "too_large" ? "too_large" : "unreadable";
    return { stamp: surveyed, content: { skipped } };
  }
  const { bytes, ...stamp } = item;
  const text = textOf(bytes);
  return { stamp, content: text === undefined ? { skipped: "binary" } : { text } };
}

/**
 * The text of a file, for searching alone: what is no UTF-8 is read as the encoding that has a
 * character for each byte, so that at least its ASCII words are found. Undefined for binary files.
 */
export function textOf(bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes);
  if (decoded.ok) return decoded.text;
  if (decoded.reason === "binary") return undefined;
  const [, encoding] = /^(UTF-16[LB]E)/.exec(decoded.detail) ?? [];
  return new TextDecoder(encoding ?? "windows-1252").decode(bytes);
}
