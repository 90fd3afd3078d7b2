import { CommandError, type Commands } from "../commands/commands.ts";
import { MAX_FILE_BYTES, type SearchHit, type SearchQuery } from "./files.ts";
import type { Place } from "./guard.ts";
import { createCollector, excerpt, type FileHits } from "./search.ts";

/**
 * Runs `rg` with these arguments to its end and hands on what it writes to standard output as it
 * comes. An exit code of null means that it was ended by a signal.
 * @throws {CommandError} where it cannot be started.
 */
export type RunRipgrep = (
  args: readonly string[],
  onOutput: (text: string) => void,
) => Promise<{ exitCode: number | null }>;

/** A search through many files takes seconds; one past this hangs, in milliseconds. */
const SEARCH_TIMEOUT_MS = 60_000;

/** Runs ripgrep as a command. */
export function ripgrepBy(commands: Pick<Commands, "run">): RunRipgrep {
  return async (args, onOutput) => {
    const { exitCode } = await commands.run(["rg", ...args], {
      timeoutMs: SEARCH_TIMEOUT_MS,
      onOutput: (stream, text) => stream === "stdout" && onOutput(text),
    });
    return { exitCode };
  };
}

type Wanted = Pick<SearchQuery, "pattern" | "ignoreCase" | "context" | "limit">;

/** Paths of one run, in UTF-16 units; Linux takes arguments of 2 MB, and some systems far less. */
const MAX_ARGUMENT_CHARS = 128 * 1024;

/**
 * Searches the files by ripgrep, in as many runs as their names need; undefined where it does not
 * take the pattern, or cannot be started.
 * @throws {Error} where it was ended before its end.
 */
export async function searchByRipgrep(
  run: RunRipgrep,
  files: readonly Place[],
  wanted: Wanted,
): Promise<{ hits: SearchHit[]; total: number } | undefined> {
  const { context = 0, limit } = wanted;
  const collector = createCollector({ limit, context });
  for (const batch of batches(files)) {
    const shown = new Map(batch.map((file) => [file.real, file.shown]));
    const show = (real: string) => shown.get(real) ?? real;
    const reader = createReader({ onFile: collector.add, show, limit });
    if (!await ranToEnd(run, ripgrepArguments(wanted, batch), reader)) return undefined;
  }
  return collector.finish();
}

async function ranToEnd(run: RunRipgrep, args: readonly string[], reader: Reader) {
  try {
    const { exitCode } = await run(args, reader.push);
    if (exitCode === null) throw new Error("Cannot search: ripgrep was ended before it was done");
    // The exit code tells little: it is 2 for a bad pattern, and for one file that went away.
    return reader.finished();
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

/** The arguments of one run; pure. */
export function ripgrepArguments(
  { pattern, ignoreCase = false, context = 0 }: Wanted,
  files: readonly Place[],
): string[] {
  return [
    "--no-config",
    "--json",
    // The files were chosen already: nothing may hide them now.
    "--no-ignore",
    "--hidden",
    // A mapped file is looked through for NUL bytes in its first part only.
    "--no-mmap",
    "--crlf",
    "--no-messages",
    `--max-filesize=${MAX_FILE_BYTES}`,
    `--context=${context}`,
    ...(ignoreCase ? ["--ignore-case"] : ["--case-sensitive"]),
    `--regexp=${pattern}`,
    "--",
    ...files.map(({ real }) => real),
  ];
}

function* batches(files: readonly Place[]): Generator<Place[]> {
  let batch: Place[] = [];
  let chars = 0;
  for (const file of files) {
    if (chars > 0 && chars + file.real.length > MAX_ARGUMENT_CHARS) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(file);
    chars += file.real.length + 1;
  }
  if (batch.length > 0) yield batch;
}

interface Reader {
  push(text: string): void;
  /** Whether ripgrep's last words came. */
  finished(): boolean;
}

interface ReaderOptions {
  onFile(file: FileHits): void;
  /** How the path that ripgrep was given is shown. */
  show(path: string): string;
  /** Matches of a file to keep at the most. */
  readonly limit: number;
}

/** Reads ripgrep's JSON lines as they come, a file at a time. */
function createReader({ onFile, show, limit }: ReaderOptions): Reader {
  let rest = "";
  let hits: SearchHit[] = [];
  let matches = 0;
  let finished = false;
  function take(line: string): void {
    const event = readEvent(line);
    switch (event.type) {
      case "begin":
        hits = [];
        matches = 0;
        return;
      case "match":
      case "context":
        if (event.type === "match") matches++;
        if (matches <= limit) hits.push(hitOf(event, show(textOf(event.data.path))));
        return;
      case "end":
        if (event.data.binary_offset !== null) return;
        onFile({ path: show(textOf(event.data.path)), hits, matches });
        return;
      case "summary":
        finished = true;
    }
  }
  return {
    push(text: string): void {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
    },
    finished: () => finished,
  };
}

/** Text where it is UTF-8, else base64; as ripgrep's `--json` documents it. */
type Bytes = { readonly text: string } | { readonly bytes: string };

interface LineEvent {
  readonly type: "match" | "context";
  readonly data: {
    readonly path: Bytes;
    readonly lines: Bytes;
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number }[];
  };
}

type Event =
  | LineEvent
  | { readonly type: "begin" | "summary" }
  | {
    readonly type: "end";
    readonly data: { readonly path: Bytes; readonly binary_offset: number | null };
  };

function readEvent(line: string): Event {
  // A cast: the format is ripgrep's, documented and stable since its version 0.10.
  return JSON.parse(line) as Event;
}

function hitOf({ type, data }: LineEvent, path: string): SearchHit {
  const line = textOf(data.lines).replace(/\r?\n$/, "");
  return {
    path,
    line: data.line_number,
    text: excerpt(line, matchStart(data)),
    kind: type,
  };
}

/** In UTF-16 units; ripgrep counts bytes. */
function matchStart({ lines, submatches }: LineEvent["data"]): number {
  const start = submatches[0]?.start ?? 0;
  return decode(bytesOf(lines).subarray(0, start)).length;
}

function textOf(value: Bytes): string {
  return "text" in value ? value.text : decode(bytesOf(value));
}

function bytesOf(value: Bytes): Uint8Array {
  return "text" in value
    ? new TextEncoder().encode(value.text)
    : Uint8Array.fromBase64(value.bytes);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
