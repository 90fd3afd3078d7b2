import { basename } from "node:path";
import { reasonOf, SessionLogError } from "./error.ts";
import {
  FORMAT,
  type HeaderRecord,
  type LogRecord,
  type ParsedRecord,
  parseHeader,
  parseRecord,
} from "./records.ts";

/** What the bytes of a log hold. */
export interface LogContents {
  readonly header: HeaderRecord;
  readonly records: readonly LogRecord[];
  /** Bytes up to the end of the last whole record; what follows is a torn line. */
  readonly wholeBytes: number;
}

/**
 * Reads a log. A last line that breaks off is left out.
 * @throws {SessionLogError} "unreadable" where the file is no log of ours, is of a newer format, or
 * holds a line that is no record, or one that does not follow the line before it.
 */
export function readLog(bytes: Uint8Array, file: string): LogContents {
  const [first, ...rest] = linesOf(bytes);
  const header = readHeader(first);
  if (!first || !header.ok) throw unreadable(file, header.ok ? "" : header.problem);
  const records: LogRecord[] = [];
  let wholeBytes = first.end;
  let previous = header.record.id;
  for (const [i, line] of rest.entries()) {
    const json = parseLine(line);
    if (!json.ok && line.end === bytes.length) break;
    const parsed = json.ok ? follows(parseRecord(json.record), previous) : json;
    if (!parsed.ok) throw unreadable(file, `line ${i + 2} is no record (${parsed.problem})`);
    records.push(parsed.record);
    previous = parsed.record.id;
    wholeBytes = line.end;
  }
  return { header: header.record, records, wholeBytes };
}

/** A line, and where the next one begins. */
export interface Line {
  readonly bytes: Uint8Array;
  readonly end: number;
}

/** The lines of a log; the last one may lack its line feed. */
export function linesOf(bytes: Uint8Array): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    lines.push({ bytes: bytes.subarray(start, feed < 0 ? end : feed), end });
    start = end;
  }
  return lines;
}

/** The JSON of a line. */
export function parseLine(line: Line): ParsedRecord<unknown> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line.bytes);
    return { ok: true, record: JSON.parse(text) };
  } catch (error) {
    // TypeError: not UTF-8. SyntaxError: not JSON.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    return { ok: false, problem: reasonOf(error) };
  }
}

/** The header of a log, where its first line is one of a format that this version reads. */
export function readHeader(line: Line | undefined): ParsedRecord<HeaderRecord> {
  if (!line) return { ok: false, problem: "it is empty" };
  const json = parseLine(line);
  const format = json.ok ? formatOf(json.record) : undefined;
  if (format !== undefined && format > FORMAT) {
    const problem =
      `it has format ${format}, and this version reads up to ${FORMAT}: a newer Cordon can`;
    return { ok: false, problem };
  }
  const parsed = json.ok && format !== undefined && parseHeader(json.record);
  if (parsed && parsed.ok) return parsed;
  return { ok: false, problem: "its first line is no header of a session of ours" };
}

/** The format number of what calls itself a header, whatever else that format put there. */
function formatOf(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("type" in value) || value.type !== "header") return undefined;
  return "format" in value && typeof value.format === "number" ? value.format : undefined;
}

function follows(parsed: ParsedRecord<LogRecord>, previous: string): ParsedRecord<LogRecord> {
  if (!parsed.ok || parsed.record.parent === previous) return parsed;
  return { ok: false, problem: `it follows "${parsed.record.parent}", not "${previous}"` };
}

/** The error for a log that is none that this version reads; says what is left to be done. */
export function unreadable(file: string, why: string): SessionLogError {
  const id = basename(file, ".jsonl");
  const advice = `cordon export ${id} saves what can be read, cordon sessions delete ${id} ends it`;
  const message = `Cannot read session log "${file}": ${why}; ${advice}`;
  return new SessionLogError("unreadable", file, message);
}

/** The error for a log of which not one line can be read. */
export function hopeless(file: string, why: string): SessionLogError {
  const end = `cordon sessions delete ${basename(file, ".jsonl")} ends it`;
  const message = `Cannot read session log "${file}": ${why}; nothing of it can be saved, ${end}`;
  return new SessionLogError("unreadable", file, message);
}
