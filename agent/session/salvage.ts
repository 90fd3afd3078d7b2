import { basename } from "node:path";
import { SessionLogError } from "./error.ts";
import { cannotOpen } from "./log.ts";
import { hopeless, linesOf, type LogContents, parseLine, readHeader } from "./read_log.ts";
import { FORMAT, type HeaderRecord, type LogRecord, parseRecord } from "./records.ts";

/** As much of a log as can be read. */
export interface Salvaged {
  readonly log: LogContents;
  /** What is wrong with it, half a sentence each; none for a sound log. */
  readonly problems: readonly string[];
}

/**
 * Reads what can be read of a log, however damaged; where its first line is, what that would have
 * told is made up of the file. A last line that breaks off is no damage.
 * @throws {SessionLogError} "missing" or "unreadable", the latter where no line is one of a log.
 */
export async function salvageLogFile(path: string): Promise<Salvaged> {
  try {
    const written = (await Deno.stat(path)).mtime ?? new Date(0);
    return salvageLog(await Deno.readFile(path), { path, written });
  } catch (cause) {
    throw cause instanceof SessionLogError ? cause : cannotOpen(path, cause);
  }
}

/** The same for the bytes of a file that was last written at `written`. */
export function salvageLog(
  bytes: Uint8Array,
  { path, written }: { readonly path: string; readonly written: Date },
): Salvaged {
  const lines = linesOf(bytes);
  const header = readHeader(lines[0]);
  const problems = header.ok ? [] : [`line 1: ${header.problem}`];
  const records: LogRecord[] = [];
  for (const [i, line] of lines.entries()) {
    if (i === 0) continue;
    const json = parseLine(line);
    if (!json.ok && line.end === bytes.length) break;
    const parsed = json.ok ? parseRecord(json.record) : json;
    if (parsed.ok) records.push(parsed.record);
    else problems.push(`line ${i + 1}: ${parsed.problem}`);
  }
  if (!header.ok && records.length === 0) throw hopeless(path, header.problem);
  const log = {
    header: header.ok ? header.record : madeUp(basename(path, ".jsonl"), written),
    records,
    wholeBytes: bytes.length,
  };
  return { log, problems };
}

function madeUp(id: string, written: Date): HeaderRecord {
  const time = written.toISOString();
  return {
    ...{ type: "header", format: FORMAT, id, parent: null },
    ...{ time, created: time, cwd: "a folder that is not known", version: "of unknown version" },
  };
}
