import type { Lifted } from "./here_documents.ts";

/** Words that open and close a construct which goes on over several lines. */
const OPENERS = /(?:^|[\s;&|(])(?:if|case|do|\{)(?=[\s;]|$)/g;
const CLOSERS = /(?:^|[\s;&|(])(?:fi|esac|done|\})(?=[\s;&|)<>]|$)/g;

/** The end of a line whose command goes on in the next one, and a function's head. */
const UNFINISHED = /(?:\||&&|\(\)|\b(?:do|then|else|in))[ \t]*(?:#[^\n]*)?$/;

/** Part of a script, `start` to `end` in it. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a script where one of its commands probably ends, as bash itself reads a command at a time.
 * It only saves time (the grammar's ambiguities multiply over a text): a wrong cut shows as a
 * chunk that does not parse.
 */
export function chunksOf({ text, lineBreaks }: Lifted): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let depth = 0;
  let from = 0;
  for (const end of [...lineBreaks, text.length]) {
    const line = text.slice(from, end);
    depth += count(line, OPENERS) - count(line, CLOSERS);
    from = end;
    if (end < text.length && (depth > 0 || UNFINISHED.test(line))) continue;
    chunks.push({ start, end });
    start = end;
    depth = 0;
  }
  return chunks;
}

function count(line: string, words: RegExp): number {
  return line.match(words)?.length ?? 0;
}
