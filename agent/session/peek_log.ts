import { type Line, linesOf, parseLine, readHeader } from "./read_log.ts";
import {
  type HeaderRecord,
  isKnown,
  isPrompt,
  type LogRecord,
  parseRecord,
  type UserRecord,
} from "./records.ts";

/** What the two ends of a log tell of it. */
export interface PeekedLog {
  readonly header: HeaderRecord;
  /** Absent where nothing was said, or only after very much else. */
  readonly firstUser?: UserRecord;
  /** Absent where the log ends in a torn or a very long line. */
  readonly last?: LogRecord;
  /** What a person calls the session. */
  readonly name?: string;
  /** When the file was last written. */
  readonly written: Date;
}

/** How much is read from either side at first, in bytes; nearly all first prompts and ends lie within. */
const PEEK_BYTES = 16 * 1024;

/** How far from the beginning the first prompt is looked for, in bytes. */
const MAX_HEAD_BYTES = 1024 * 1024;

/** Lines of names are short, in bytes. */
const MAX_NAME_LINE_BYTES = 4 * 1024;

/** A log as far as its ends tell, or why it is none that this version reads. */
export type Peeked =
  | { readonly ok: true; readonly log: PeekedLog }
  | { readonly ok: false; readonly problem: string; readonly written: Date };

/** Reads the beginning and the end of a log. */
export async function peekLog(file: Deno.FsFile): Promise<Peeked> {
  const { size, mtime } = await file.stat();
  const head = await peekHead(file, size);
  if (!head.ok) return { ...head, written: mtime ?? new Date(0) };
  const last = await peekLast(file, size);
  const name = await nameOf(file, size, last);
  const { header, firstUser } = head;
  const log = {
    header,
    ...(firstUser && { firstUser }),
    ...(last && { last }),
    ...(name && { name }),
    written: mtime ?? new Date(header.created),
  };
  return { ok: true, log };
}

async function peekHead(
  file: Deno.FsFile,
  size: number,
): Promise<
  | { ok: true; header: HeaderRecord; firstUser?: UserRecord }
  | { ok: false; problem: string }
> {
  for (let length = PEEK_BYTES;; length *= 4) {
    const [first, ...rest] = linesOf(await readRange(file, 0, Math.min(length, size)));
    const header = readHeader(first);
    const firstUser = rest.map(recordOf).filter((record) => record !== undefined).find(isPrompt);
    if (header.ok && firstUser) return { ok: true, header: header.record, firstUser };
    if (length < Math.min(size, MAX_HEAD_BYTES)) continue;
    return header.ok ? { ok: true, header: header.record } : header;
  }
}

async function peekLast(file: Deno.FsFile, size: number): Promise<LogRecord | undefined> {
  const start = Math.max(0, size - PEEK_BYTES);
  const line = linesOf(await readRange(file, start, size - start)).at(-1);
  return line && recordOf(line);
}

/** The `end` record repeats it; in a log that broke off it may stand anywhere. */
async function nameOf(
  file: Deno.FsFile,
  size: number,
  last: LogRecord | undefined,
): Promise<string | undefined> {
  if (last && isKnown(last) && last.type === "end") return last.name;
  const lines = linesOf(await readRange(file, 0, size));
  for (const line of lines.reverse()) {
    // Few lines are names, and only these are worth parsing.
    if (line.bytes.length > MAX_NAME_LINE_BYTES) continue;
    const record = recordOf(line);
    if (record && isKnown(record) && record.type === "name") return record.name;
  }
  return undefined;
}

/** The record of a line; undefined for a header, and for a line that was cut at either side. */
function recordOf(line: Line): LogRecord | undefined {
  const json = parseLine(line);
  const parsed = json.ok && parseRecord(json.record);
  return parsed && parsed.ok ? parsed.record : undefined;
}

/** Up to `length` bytes from `offset`; fewer at the end of the file. */
async function readRange(file: Deno.FsFile, offset: number, length: number): Promise<Uint8Array> {
  await file.seek(offset, Deno.SeekMode.Start);
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = await file.read(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
