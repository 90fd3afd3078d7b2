import { basename } from "node:path";
import { readUpTo } from "../../sandbox/egress/answer_body.ts";
import { errorCode } from "../../sandbox/files/system_errors.ts";
import { UsageError } from "../command_line/parse.ts";
import { findSessionId } from "../find_session_id.ts";
import { reasonOf } from "../session/error.ts";
import { logPath } from "../session/log.ts";
import type { LogContents } from "../session/read_log.ts";
import { FORMAT, type LogRecord, parseHeader, parseRecord } from "../session/records.ts";
import { type Salvaged, salvageLog, salvageLogFile } from "../session/salvage.ts";

/** A log to be replayed. */
export interface LoadedLog extends Salvaged {
  /** It lies among our own sessions, so that what a person approved in it was approved here. */
  readonly isOurs: boolean;
}

/**
 * Reads the log that a person means: a file (a log, or `cordon export --format json`) where the word
 * looks like one, else the session of that id or name.
 * @throws {UsageError} where there is no such file or session.
 * @throws {SessionLogError} where a log cannot be read.
 */
export async function loadLog(
  word: string,
  { file, sessions }: { readonly file: string; readonly sessions: string | undefined },
): Promise<LoadedLog> {
  if (/\.jsonl?$/.test(word) || word.includes("/")) {
    return { ...await readFile(file), isOurs: false };
  }
  if (sessions === undefined) throw new UsageError(`There is no session "${word}"`);
  const id = await findSessionId(sessions, word);
  return { ...await salvageLogFile(logPath(sessions, id)), isOurs: true };
}

/** Far more than any log that we saw, and little enough to be one text, in bytes. */
const MAX_LOG_BYTES = 256 * 1024 * 1024;

async function readFile(path: string): Promise<Salvaged> {
  const bytes = await readBytes(path);
  const exported = exportedLog(bytes, path);
  return exported ?? salvageLog(bytes, { path, written: new Date(0) });
}

/** A pipe will do, too, and what never ends will not. */
async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const { readable } = await Deno.open(path);
    const { body, truncated } = await readUpTo(readable, MAX_LOG_BYTES);
    if (!truncated) return body;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new UsageError(`Cannot replay "${path}": ${reasonOf(error)}`);
  }
  throw new UsageError(`Cannot replay "${path}": it is over ${MAX_LOG_BYTES} bytes`);
}

/** What `cordon export --format json` wrote; undefined for what is no such object. */
function exportedLog(bytes: Uint8Array, path: string): Salvaged | undefined {
  const value = jsonOf(bytes);
  if (!isObject(value) || !isObject(value.session) || !Array.isArray(value.records)) {
    return undefined;
  }
  const header = headerOf(value.session);
  if (!header.ok) {
    const why = `what it says of its session is damaged (${header.problem})`;
    throw new UsageError(`Cannot replay "${basename(path)}": ${why}`);
  }
  const records: LogRecord[] = [];
  const problems: string[] = [];
  for (const [index, record] of value.records.entries()) {
    const parsed = parseRecord(record);
    if (parsed.ok) records.push(parsed.record);
    else problems.push(`record ${index + 1}: ${parsed.problem}`);
  }
  const log: LogContents = { header: header.record, records, wholeBytes: bytes.length };
  return { log, problems };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    // A log has several lines, so that it is no JSON as a whole.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function headerOf({ id, cwd, created, version, forked_from: parent }: Record<string, unknown>) {
  const time = created;
  const given = { type: "header", format: FORMAT, id, parent, time, cwd, created, version };
  return parseHeader(given);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
